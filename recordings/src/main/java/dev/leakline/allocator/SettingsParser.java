package dev.leakline.allocator;

import static dev.leakline.text.ByteSize.MIB;

import dev.leakline.known.SizeRules;
import dev.leakline.lifetime.RoundedSize;
import dev.leakline.primitive.Ints;
import java.util.Arrays;
import java.util.Set;

/**
 * Reads {@code key:value,key:value,roundup_power2_divisions:[256:1,512:2,>:8]} and refuses what the allocator refuses. Space between
 * tokens is ignored, as the allocator ignores it; of a key that is given twice the last value holds.
 */
final class SettingsParser {
    private static final String MIB_EXPECTED = "a whole number of MiB";
    /** A pebibyte: more than any device has, and far from where sums of sizes overflow. */
    private static final long MOST_MIB = 1L << 30;

    private static final String DIVISIONS_EXPECTED =
            "a power of two, or a list such as [256:1,512:2,>:8] of sizes in MiB and powers of two";
    /** Threads that register pinned memory, at most: {@code pinned_max_register_threads} of the source. */
    private static final int MOST_THREADS = 128;

    private static final Set<String> BACKENDS = Set.of("native", "cudaMallocAsync");

    private final AllocatorRules rules;
    private AllocatorSettings settings = AllocatorSettings.DEFAULTS;

    SettingsParser(AllocatorRules rules) {
        this.rules = rules;
    }

    AllocatorSettings parse(String text) {
        String rest = text.replaceAll("\\s", "");
        while (!rest.isEmpty()) {
            int end = end(rest);
            set(rest.substring(0, end));
            rest = rest.substring(Math.min(end + 1, rest.length()));
        }
        return settings;
    }

    /** Where the first entry ends: the first comma that stands in no brackets. */
    private static int end(String text) {
        int comma = text.indexOf(',');
        int open = text.indexOf('[');
        if (open < 0 || (comma >= 0 && comma < open)) {
            return comma < 0 ? text.length() : comma;
        }
        int close = text.indexOf(']', open);
        if (close < 0) {
            throw new SettingsException(
                    text.substring(0, Math.max(open - 1, 0)), text.substring(open), "a ']' for its '['");
        }
        int next = text.indexOf(',', close);
        return next < 0 ? text.length() : next;
    }

    /** Sets what {@code key:value} says; an empty entry says nothing. */
    void set(String entry) {
        if (entry.isEmpty()) {
            return;
        }
        int colon = entry.indexOf(':');
        if (colon < 0) {
            throw new SettingsException(entry, entry, "key:value");
        }
        String name = entry.substring(0, colon);
        SettingKey key = SettingKey.of(name);
        if (key == null || !rules.has(key.since)) {
            if (!isBypass(name)) {
                throw new SettingsException(name, entry, key == null ? "a key known to PyTorch" : since(key));
            }
            settings = settings.withOther(name, entry.substring(colon + 1));
        } else {
            set(key, entry.substring(colon + 1));
        }
    }

    /** Only 1.13 has it; the model rounds without it. */
    private boolean isBypass(String name) {
        return rules == AllocatorRules.TORCH_1_13 && name.equals("roundup_bypass_threshold_mb");
    }

    private static String since(SettingKey key) {
        return "a key known to this version of PyTorch (added in "
                + key.since.name().substring("TORCH_".length()).replace('_', '.') + ")";
    }

    private void set(SettingKey key, String value) {
        settings = switch (key) {
            case MAX_SPLIT_SIZE_MB -> settings.withMaxSplitSize(mebibytes(key, value, rules.smallestMaxSplitMib()));
            case ROUNDUP_POWER2_DIVISIONS -> settings.withRoundupDivisions(divisions(value));
            case GARBAGE_COLLECTION_THRESHOLD -> settings.withGarbageCollectionThreshold(share(key, value, false));
            case EXPANDABLE_SEGMENTS -> settings.withExpandableSegments(flag(key, value));
            case MAX_NON_SPLIT_ROUNDING_MB ->
                settings.withMaxNonSplitRounding(mebibytes(key, value, AllocatorSettings.LARGE_SEGMENT / MIB + 1));
            case PER_PROCESS_MEMORY_FRACTION -> settings.withPerProcessMemoryFraction(share(key, value, true));
            case LARGE_SEGMENT_SIZE_MB ->
                settings.withLargeSegmentSize(mebibytes(key, value, SizeRules.SMALLEST_EXACT / MIB + 1));
            default -> settings.withOther(key.text(), other(key, value));
        };
    }

    private static String other(SettingKey key, String value) {
        switch (key) {
            case BACKEND -> require(BACKENDS.contains(value), key, value, "native or cudaMallocAsync");
            case PINNED_NUM_REGISTER_THREADS -> {
                long threads = number(key, value, "a power of two, at most " + MOST_THREADS);
                require(
                        Long.bitCount(threads) == 1 && threads <= MOST_THREADS,
                        key,
                        value,
                        "a power of two, at most " + MOST_THREADS);
            }
            case PINNED_RESERVE_SEGMENT_SIZE_MB, PINNED_MAX_ROUND_THRESHOLD_MB, PINNED_MAX_CACHED_SIZE_MB ->
                mebibytes(key, value, 0);
            default -> flag(key, value);
        }
        return value;
    }

    /** Bytes of so many MiB. */
    private static long mebibytes(SettingKey key, String value, long least) {
        String expected = least == 0 ? MIB_EXPECTED : MIB_EXPECTED + ", at least " + least;
        long count = number(key, value, expected);
        require(count >= least && count <= MOST_MIB, key, value, expected);
        return count * MIB;
    }

    private static double share(SettingKey key, String value, boolean mayBeOne) {
        String expected = mayBeOne ? "a number from 0 to 1" : "a number between 0 and 1";
        try {
            double share = Double.parseDouble(value);
            require(mayBeOne ? share >= 0 && share <= 1 : share > 0 && share < 1, key, value, expected);
            return share;
        } catch (NumberFormatException e) {
            throw new SettingsException(key.text(), value, expected);
        }
    }

    private static boolean flag(SettingKey key, String value) {
        require(value.equals("True") || value.equals("False"), key, value, "True or False, exactly");
        return value.equals("True");
    }

    private Ints divisions(String value) {
        int[] table = new int[RoundedSize.DIVISIONS];
        if (!value.startsWith("[")) {
            Arrays.fill(table, division(value, false));
            return Ints.of(table);
        }
        String list = value.endsWith("]") ? value.substring(1, value.length() - 1) : "";
        require(!list.isEmpty() && rules.has(AllocatorRules.TORCH_2_0), SettingKey.ROUNDUP_POWER2_DIVISIONS, value);
        int last = -1;
        for (String item : list.split(",", -1)) {
            last = divide(table, last, item);
        }
        return Ints.of(table);
    }

    /** Sets what {@code 256:8} or {@code >:8} says; answers the entry that a later {@code >} follows. */
    private int divide(int[] table, int last, String item) {
        int colon = item.indexOf(':');
        require(colon > 0, SettingKey.ROUNDUP_POWER2_DIVISIONS, item);
        int parts = division(item.substring(colon + 1), true);
        if (item.startsWith(">:")) {
            int from = Math.max(last, 0) + (rules.fillsBehindLastEntry() ? 1 : 0);
            Arrays.fill(table, Math.min(from, table.length), table.length, parts);
            return last;
        }
        long size = number(SettingKey.ROUNDUP_POWER2_DIVISIONS, item.substring(0, colon), DIVISIONS_EXPECTED);
        require(Long.bitCount(size) == 1, SettingKey.ROUNDUP_POWER2_DIVISIONS, item);
        int entry = Math.min(Long.numberOfTrailingZeros(size), table.length - 1);
        Arrays.fill(table, last < 0 ? 0 : entry, entry + 1, parts);
        return entry;
    }

    private static int division(String value, boolean mayBeZero) {
        long parts = number(SettingKey.ROUNDUP_POWER2_DIVISIONS, value, DIVISIONS_EXPECTED);
        require(
                (Long.bitCount(parts) == 1 && parts <= 1 << 30) || (mayBeZero && parts == 0),
                SettingKey.ROUNDUP_POWER2_DIVISIONS,
                value);
        return (int) parts;
    }

    private static long number(SettingKey key, String value, String expected) {
        require(value.matches("\\d{1,18}"), key, value, expected); // 18 digits fit a long
        return Long.parseLong(value);
    }

    private static void require(boolean holds, SettingKey key, String value) {
        require(holds, key, value, DIVISIONS_EXPECTED);
    }

    private static void require(boolean holds, SettingKey key, String value, String expected) {
        if (!holds) {
            throw new SettingsException(key.text(), value, expected);
        }
    }
}
