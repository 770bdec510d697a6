package dev.leakline.lifetime;

import dev.leakline.columns.Recorder;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.primitive.Ints;
import java.util.Map;

/**
 * Rounds requested sizes as the caching allocator does: to a multiple of 512 bytes, or with {@code roundup_power2_divisions} to a fraction
 * of the next power of two. Source: {@code CUDACachingAllocator.cpp}, {@code round_size}, torch 1.13 to 2.14.
 *
 * <p>A large request may get a block that is larger still, where cutting off the rest is not worth it; which one, only a replay of
 * the allocator can tell.
 */
public final class RoundedSize {
    private static final int MIN_BLOCK = 512;
    private static final int MIB_BITS = 20;
    /** Entries of the divisions table: for sizes from 1 MiB, 2 MiB, ... to 32 GiB. */
    public static final int DIVISIONS = 16;
    /** To a multiple of 512 bytes, at least 512. */
    public static final RoundedSize PLAIN = new RoundedSize(MIN_BLOCK);

    private final int[] divisions = new int[DIVISIONS];
    private final int least;

    private RoundedSize(int least) {
        this.least = least;
    }

    /** The rule for the sizes of a recording: those that the profiler gives are what the allocator holds. */
    static RoundedSize of(SnapshotColumns columns) {
        return columns.recorder == Recorder.PROFILER ? new RoundedSize(1) : new RoundedSize(columns.settings);
    }

    /** The rule under the settings that a snapshot holds, which has none before torch 2.3. */
    public RoundedSize(Map<String, Object> settings) {
        this(MIN_BLOCK);
        if (settings.get("roundup_power2_divisions") instanceof Map<?, ?> table) {
            for (int entry = 0; entry < DIVISIONS; entry++) {
                divisions[entry] = table.get(String.valueOf(1 << entry)) instanceof Long count ? clamp(count) : 0;
            }
        }
    }

    /** The rule under a table of {@value #DIVISIONS} divisions; where there is none, or 1, a size becomes a multiple of 512. */
    public static RoundedSize of(Ints table) {
        RoundedSize rounding = new RoundedSize(MIN_BLOCK);
        for (int entry = 0; entry < DIVISIONS; entry++) {
            rounding.divisions[entry] = table.get(entry);
        }
        return rounding;
    }

    /** The table of divisions. */
    public Ints divisions() {
        return Ints.of(divisions);
    }

    private static int clamp(long count) {
        return count > 1 && count <= 64 && Long.bitCount(count) == 1 ? (int) count : 0;
    }

    /** The bytes that a request takes. */
    public long of(long requested) {
        if (requested < least) {
            return least;
        }
        int count = divisions[entry(requested)];
        if (count > 1 && requested > (long) MIN_BLOCK * count) {
            return toDivision(requested, count);
        }
        return requested + least - 1 & -least;
    }

    private static int entry(long requested) {
        int power = Long.SIZE - 1 - Long.numberOfLeadingZeros(requested);
        return Math.clamp(power - MIB_BITS, 0, DIVISIONS - 1);
    }

    private static long toDivision(long requested, int count) {
        long floor = Long.highestOneBit(requested);
        if (requested == floor) {
            return requested;
        }
        long step = floor / count;
        return step == 0 ? floor * 2 : requested + step - 1 & -step;
    }
}
