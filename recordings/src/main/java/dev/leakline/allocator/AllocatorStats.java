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

    /** Columns of a quantity: for the large halves of the pools, and for the small ones. */
    private static final int HALVES = 2;

    private static final int QUANTITIES = Quantity.values().length;

    private final long[] allocated = new long[QUANTITIES * HALVES];
    private final long[] freed = new long[QUANTITIES * HALVES];
    private final long[] peaks = new long[QUANTITIES * HALVES];
    private final long[] peaksOfAll = new long[QUANTITIES];
    private final long[] driverAllocations = new long[HALVES];
    private final long[] driverFrees = new long[HALVES];
    private long refusals;
    private long retries;
    private long failures;
    private long synchronisations;

    /** How much there is. */
    public long current(Quantity quantity, Share share) {
        return allocated(quantity, share) - freed(quantity, share);
    }

    /** The most that there ever was. */
    @SuppressWarnings("EnumOrdinal") // columns live no longer than this object
    public long peak(Quantity quantity, Share share) {
        return share == Share.ALL ? peaksOfAll[quantity.ordinal()] : peaks[column(quantity, share == Share.SMALL_POOL)];
    }

    /** The sum of all increases. */
    public long allocated(Quantity quantity, Share share) {
        return sum(allocated, quantity, share);
    }

    /** The sum of all decreases. */
    public long freed(Quantity quantity, Share share) {
        return sum(freed, quantity, share);
    }

    private static long sum(long[] columns, Quantity quantity, Share share) {
        return sum(columns, column(quantity, false), share);
    }

    /** The sum over the pools of a share: of the column of the large halves, of the next one, which is the small halves', or of both. */
    private static long sum(long[] columns, int large, Share share) {
        return (share == Share.SMALL_POOL ? 0 : columns[large]) + (share == Share.LARGE_POOL ? 0 : columns[large + 1]);
    }

    /** Bytes held from the driver now. */
    public long reservedBytes() {
        return current(Quantity.RESERVED_BYTES, Share.ALL);
    }

    /** Bytes that the program holds now. */
    public long allocatedBytes() {
        return current(Quantity.ALLOCATED_BYTES, Share.ALL);
    }

    /** Times that the driver, or a limit, refused memory. */
    long refusals() {
        return refusals;
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
        return driverAllocations(Share.ALL);
    }

    /** The same for a share of the pools. */
    long driverAllocations(Share share) {
        return sum(driverAllocations, 0, share);
    }

    /** Calls of cudaFree, and of unmapping pages: {@code num_device_free}. */
    public long driverFrees() {
        return driverFrees(Share.ALL);
    }

    /** The same for a share of the pools. */
    long driverFrees(Share share) {
        return sum(driverFrees, 0, share);
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
        map.put("num_device_alloc", driverAllocations());
        map.put("num_device_free", driverFrees());
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

    @SuppressWarnings("EnumOrdinal")
    void increase(Quantity quantity, boolean isSmall, long amount) {
        int column = column(quantity, isSmall);
        allocated[column] += amount;
        long current = allocated[column] - freed[column];
        int other = column ^ 1;
        long all = current + allocated[other] - freed[other];
        peaks[column] = Math.max(peaks[column], current);
        peaksOfAll[quantity.ordinal()] = Math.max(peaksOfAll[quantity.ordinal()], all);
    }

    void decrease(Quantity quantity, boolean isSmall, long amount) {
        freed[column(quantity, isSmall)] += amount;
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

    void countRefusal() {
        refusals++;
    }

    void countDriverAllocation(boolean isSmall) {
        driverAllocations[isSmall ? 1 : 0]++;
    }

    void countDriverFree(boolean isSmall) {
        driverFrees[isSmall ? 1 : 0]++;
    }

    void countSynchronisation() {
        synchronisations++;
    }

    @SuppressWarnings("EnumOrdinal")
    private static int column(Quantity quantity, boolean isSmall) {
        return quantity.ordinal() * HALVES + (isSmall ? 1 : 0);
    }
}
