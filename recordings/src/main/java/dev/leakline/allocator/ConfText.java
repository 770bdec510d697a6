package dev.leakline.allocator;

import static dev.leakline.text.ByteSize.MIB;

import dev.leakline.primitive.Ints;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/** Writes settings as PYTORCH_CUDA_ALLOC_CONF expects them, without those that have their default. */
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

    /** One number where all entries are equal, else a list. */
    private static String divisions(Ints table) {
        int last = table.size() - 1;
        int from = equalAfter(table);
        return from == last
                ? String.valueOf(table.get(0))
                : "[" + String.join(",", list(table, from, equalBefore(table))) + "]";
    }

    /**
     * The items of a list. Its first key also sets the entries before it, {@code >} sets those behind its last key, and entries between that
     * it leaves out are 0.
     *
     * @param from the last entry that is equal to all before it
     * @param to the first entry that is equal to all behind it
     */
    private static List<String> list(Ints table, int from, int to) {
        int last = table.size() - 1;
        boolean fills = to < last && table.get(last) != 0;
        List<String> items = new ArrayList<>();
        for (int entry = from; entry < (fills ? to : last + 1); entry++) {
            boolean isKey = entry == from || table.get(entry) != 0 || (fills && entry == to - 1);
            if (isKey) {
                items.add((1 << entry) + ":" + table.get(entry));
            }
        }
        if (fills) {
            items.add(">:" + table.get(last));
        }
        return items;
    }

    private static int equalAfter(Ints table) {
        int entry = 0;
        while (entry < table.size() - 1 && table.get(entry + 1) == table.get(0)) {
            entry++;
        }
        return entry;
    }

    private static int equalBefore(Ints table) {
        int last = table.size() - 1;
        int entry = last;
        while (entry > 0 && table.get(entry - 1) == table.get(last)) {
            entry--;
        }
        return entry;
    }
}
