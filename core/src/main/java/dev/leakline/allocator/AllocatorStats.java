package dev.leakline.allocator;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * The figures of {@code torch.cuda.memory_stats}: each quantity now, at its peak, and the sums of all increases and decreases, over all
 * blocks and for the large and the small halves of the pools. Bytes are real ones unless the quantity says requested.
 */
public final class AllocatorStats {
    /** The counted quantities. */
    public enum Quantity {
        /** Blocks that the program holds. */
        ALLOCATION,
        /** Bytes of blocks that the program holds. */
        ALLOCATED_BYTES,
        /** Segments that cudaMalloc gave; expandable ones do not count. */
        SEGMENT,
        /** Bytes held from the driver. */
        RESERVED_BYTES,
        /** Blocks that the program holds or whose free is pending. */
        ACTIVE,
        /** Bytes of blocks that the program holds or whose free is pending. */
        ACTIVE_BYTES,
        /** Free blocks that are parts of segments that do not expand: cudaFree cannot give them back. */
        INACTIVE_SPLIT,
        /** Bytes of such blocks. */
        INACTIVE_SPLIT_BYTES,
        /** Bytes requested in blocks that the program holds or whose free is pending. */
        REQUESTED_BYTES,
        /** Blocks that the program holds and that are too large to be split; counted for all pools together. */
        OVERSIZE_ALLOCATIONS,
        /** Segments that are too large to be split; counted for all pools together. */
        OVERSIZE_SEGMENTS;

        boolean isByPool() {
            return this != OVERSIZE_ALLOCATIONS && this != OVERSIZE_SEGMENTS;
        }
    }

    /** The pools that are counted. */
    public enum Share {
        /** All of them. */
        ALL,
        /** For requests of more than 1 MiB. */
        LARGE_POOL,
        /** For requests of up to 1 MiB. */
        SMALL_POOL
    }

    private static final int CURRENT = 0;
    private static final int PEAK = 1;
    private static final int ALLOCATED = 2;
    private static final int FREED = 3;
    private static final int FIELDS = 4;
    private static final int SHARES = Share.values().length;

    private final long[] values = new long[Quantity.values().length * SHARES * FIELDS];
    private long retries;
    private long failures;
    private long driverAllocations;
    private long driverFrees;
    private long synchronisations;

    /** How much there is. */
    public long current(Quantity quantity, Share share) {
        return values[row(quantity, share) + CURRENT];
    }

    /** The most that there ever was. */
    public long peak(Quantity quantity, Share share) {
        return values[row(quantity, share) + PEAK];
    }

    /** The sum of all increases. */
    public long allocated(Quantity quantity, Share share) {
        return values[row(quantity, share) + ALLOCATED];
    }

    /** The sum of all decreases. */
    public long freed(Quantity quantity, Share share) {
        return values[row(quantity, share) + FREED];
    }

    /** Bytes held from the driver now. */
    public long reservedBytes() {
        return current(Quantity.RESERVED_BYTES, Share.ALL);
    }

    /** Bytes that the program holds now. */
    public long allocatedBytes() {
        return current(Quantity.ALLOCATED_BYTES, Share.ALL);
    }

    /** Requests that were tried again after everything cached had gone back to the driver: {@code num_alloc_retries}. */
    public long retries() {
        return retries;
    }

    /** Requests that failed: {@code num_ooms}. */
    public long failures() {
        return failures;
    }

    /** Calls of cudaMalloc that succeeded, and of mapping pages: {@code num_device_alloc}. */
    public long driverAllocations() {
        return driverAllocations;
    }

    /** Calls of cudaFree, and of unmapping pages: {@code num_device_free}. */
    public long driverFrees() {
        return driverFrees;
    }

    /** Times that all pending frees were waited for: {@code num_sync_all_streams}. */
    public long synchronisations() {
        return synchronisations;
    }

    /** All figures under the names that {@code memory_stats} gives them. */
    public Map<String, Long> asMap() {
        Map<String, Long> map = new LinkedHashMap<>();
        for (Quantity quantity : Quantity.values()) {
            for (Share share : Share.values()) {
                if (quantity.isByPool() || share == Share.ALL) {
                    put(map, quantity, share);
                }
            }
        }
        map.put("num_alloc_retries", retries);
        map.put("num_ooms", failures);
        map.put("num_device_alloc", driverAllocations);
        map.put("num_device_free", driverFrees);
        map.put("num_sync_all_streams", synchronisations);
        return map;
    }

    private void put(Map<String, Long> map, Quantity quantity, Share share) {
        String name = quantity.name().toLowerCase(Locale.ROOT)
                + (quantity.isByPool() ? "." + share.name().toLowerCase(Locale.ROOT) : "");
        map.put(name + ".current", current(quantity, share));
        map.put(name + ".peak", peak(quantity, share));
        map.put(name + ".allocated", allocated(quantity, share));
        map.put(name + ".freed", freed(quantity, share));
    }

    void increase(Quantity quantity, boolean isSmall, long amount) {
        increase(row(quantity, Share.ALL), amount);
        increase(row(quantity, isSmall ? Share.SMALL_POOL : Share.LARGE_POOL), amount);
    }

    void decrease(Quantity quantity, boolean isSmall, long amount) {
        decrease(row(quantity, Share.ALL), amount);
        decrease(row(quantity, isSmall ? Share.SMALL_POOL : Share.LARGE_POOL), amount);
    }

    /** Increases by what is above 0, decreases by what is below. */
    void change(Quantity quantity, boolean isSmall, long amount) {
        if (amount > 0) {
            increase(quantity, isSmall, amount);
        } else if (amount < 0) {
            decrease(quantity, isSmall, -amount);
        }
    }

    void countRetry() {
        retries++;
    }

    void countFailure() {
        failures++;
    }

    void countDriverAllocation() {
        driverAllocations++;
    }

    void countDriverFree() {
        driverFrees++;
    }

    void countSynchronisation() {
        synchronisations++;
    }

    private void increase(int row, long amount) {
        long current = values[row + CURRENT] += amount;
        values[row + ALLOCATED] += amount;
        if (current > values[row + PEAK]) {
            values[row + PEAK] = current;
        }
    }

    private void decrease(int row, long amount) {
        values[row + CURRENT] -= amount;
        values[row + FREED] += amount;
    }

    @SuppressWarnings("EnumOrdinal") // rows live no longer than this object
    private static int row(Quantity quantity, Share share) {
        return (quantity.ordinal() * SHARES + share.ordinal()) * FIELDS;
    }
}
