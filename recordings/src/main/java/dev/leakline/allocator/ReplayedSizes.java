package dev.leakline.allocator;

import com.carrotsearch.hppc.IntIntHashMap;
import com.carrotsearch.hppc.IntLongHashMap;
import dev.leakline.columns.EventColumns;
import dev.leakline.lifetime.DeviceEvents;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.lifetime.RoundedSize;

/**
 * Finds what allocations hold whose addresses are only numbers, as an estimate's are: no segment is known, and no address comes twice. What a model of the
 * allocator holds for them tells it, from nothing on.
 */
final class ReplayedSizes {
    private final Lifetimes lifetimes;
    private final DeviceEvents events;
    private final EventColumns rows;
    private final CachingAllocator allocator;
    private final RoundedSize rounding;
    private final IntIntHashMap blocks = new IntIntHashMap();
    private final IntLongHashMap sizes = new IntLongHashMap();

    private ReplayedSizes(Lifetimes lifetimes, EventColumns rows, AllocatorSettings settings) {
        this.lifetimes = lifetimes;
        this.events = lifetimes.events();
        this.rows = rows;
        this.allocator =
                new CachingAllocator(settings, new SimulatedDriver(RecordedDriver.BOUNDLESS, 0, SimulatedDriver.PAGE));
        this.rounding = settings.rounding();
    }

    /** Returns whether addresses only ever rise, though blocks were freed: an allocator would use them again. */
    static boolean areWanted(Lifetimes lifetimes, EventColumns rows) {
        DeviceEvents events = lifetimes.events();
        long last = 0;
        boolean isAnyFree = false;
        for (int event = 0; event < events.count(); event++) {
            int row = events.row(event);
            switch (rows.action(row)) {
                case ALLOC -> {
                    if (Long.compareUnsigned(rows.address(row), last) <= 0) {
                        return false;
                    }
                    last = rows.address(row);
                }
                case FREE_COMPLETED -> isAnyFree = true;
                case FREE_REQUESTED -> {}
                default -> {
                    return false;
                }
            }
        }
        return isAnyFree && lifetimes.older().isEmpty();
    }

    /** The bytes of allocations that hold more than their requests, rounded. */
    static IntLongHashMap of(Lifetimes lifetimes, EventColumns rows, AllocatorSettings settings) {
        ReplayedSizes replayed = new ReplayedSizes(lifetimes, rows, settings);
        for (int event = 0; event < replayed.events.count(); event++) {
            replayed.carryOut(event);
        }
        return replayed.sizes;
    }

    private void carryOut(int event) {
        int allocation = lifetimes.allocation(event);
        int row = events.row(event);
        switch (rows.action(row)) {
            case ALLOC -> allocate(allocation, rows.size(row), events.stream(event));
            case FREE_REQUESTED, FREE_COMPLETED -> {
                if (lifetimes.died(allocation) == event) {
                    allocator.free(blocks.remove(allocation));
                }
            }
            default -> {}
        }
    }

    private void allocate(int allocation, long requested, long stream) {
        int block = allocator.malloc(requested, stream, 0);
        blocks.put(allocation, block);
        if (allocator.size(block) > rounding.of(requested)) {
            sizes.put(allocation, allocator.size(block));
        }
    }
}
