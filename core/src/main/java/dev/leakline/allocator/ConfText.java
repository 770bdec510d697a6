package dev.leakline.allocator;

import static dev.leakline.primitive.ByteSize.MIB;

import dev.leakline.primitive.Ints;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/** Writes settings as PYTORCH_CUDA_ALLOC_CONF wants them; what is as by default is left out. */
final class ConfText {
    private final AllocatorSettings settings;
    private final List<String> entries = new ArrayList<>();

    private ConfText(AllocatorSettings settings) {
        this.settings = settings;
    }

    static String of(AllocatorSettings settings) {
        return new ConfText(settings).text();
    }

    private String text() {
        AllocatorSettings usual = AllocatorSettings.DEFAULTS;
        if (settings.expandableSegments()) {
            add(SettingKey.EXPANDABLE_SEGMENTS, "True");
        }
        addMebibytes(SettingKey.MAX_SPLIT_SIZE_MB, settings.maxSplitSize(), usual.maxSplitSize());
        if (!settings.roundupDivisions().equals(usual.roundupDivisions())) {
            add(SettingKey.ROUNDUP_POWER2_DIVISIONS, divisions(settings.roundupDivisions()));
        }
        addShare(SettingKey.GARBAGE_COLLECTION_THRESHOLD, settings.garbageCollectionThreshold(), 0);
        addMebibytes(SettingKey.MAX_NON_SPLIT_ROUNDING_MB, settings.maxNonSplitRounding(), usual.maxNonSplitRounding());
        addMebibytes(SettingKey.LARGE_SEGMENT_SIZE_MB, settings.largeSegmentSize(), usual.largeSegmentSize());
        addShare(SettingKey.PER_PROCESS_MEMORY_FRACTION, settings.perProcessMemoryFraction(), 1);
        settings.others().forEach((key, value) -> entries.add(key + ":" + value));
        return String.join(",", entries);
    }

    private void add(SettingKey key, String value) {
        entries.add(key.text() + ":" + value);
    }

    private void addMebibytes(SettingKey key, long bytes, long usual) {
        if (bytes != usual) {
            add(key, String.valueOf(bytes / MIB));
        }
    }

    private void addShare(SettingKey key, double share, double usual) {
        if (share != usual) {
            add(key, BigDecimal.valueOf(share).stripTrailingZeros().toPlainString());
        }
    }

    /** One number where all entries are equal, else a list; see the note on divisions at {@link #list}. */
    private static String divisions(Ints table) {
        int last = table.size() - 1;
        return equalTo(table, last, 0) ? String.valueOf(table.get(0)) : list(table, last);
    }

    /** The first key of a list also sets the entries before it, {@code >} those behind the last; entries left out are 0. */
    private static String list(Ints table, int last) {
        int from = 0;
        while (table.get(from + 1) == table.get(0)) {
            from++;
        }
        int to = last;
        while (table.get(to - 1) == table.get(last)) {
            to--;
        }
        boolean fills = to < last && table.get(last) != 0;
        List<String> items = new ArrayList<>();
        for (int entry = from; entry <= (fills ? to : last); entry++) {
            boolean isNeeded = entry == from
                    || (fills ? entry == to - 1 || entry < to && table.get(entry) != 0 : table.get(entry) != 0);
            if (isNeeded) {
                items.add((1 << entry) + ":" + table.get(entry));
            }
        }
        if (fills) {
            items.add(">:" + table.get(last));
        }
        return items.toString().replace(" ", "");
    }

    private static boolean equalTo(Ints table, int last, int first) {
        for (int entry = first; entry <= last; entry++) {
            if (table.get(entry) != table.get(first)) {
                return false;
            }
        }
        return true;
    }
}
