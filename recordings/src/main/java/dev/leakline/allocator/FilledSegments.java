package dev.leakline.allocator;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.cursors.IntCursor;
import dev.leakline.lifetime.Lifetimes;

/**
 * The memory that the driver gives for blocks that pile up, where segments are filled with such blocks alone: an allocator is given them again and
 * again, in their order. Blocks of several sizes share segments, so what one leaves over another takes.
 */
public final class FilledSegments {
    /** Segments that are filled before the last of them, which is not full, is left out. */
    private static final int ENOUGH = 50;
    /** More than any device has, and fifty times the largest request. */
    private static final long BOUNDLESS = 1L << 48;

    private final Lifetimes lifetimes;
    private final CachingAllocator allocator;
    private long held;
    private long reserved;
    /** The bytes that the blocks held when the last full segment was filled. */
    private long full;

    private int segments;

    private FilledSegments(Lifetimes lifetimes, AllocatorSettings settings) {
        this.lifetimes = lifetimes;
        this.allocator = new CachingAllocator(settings, new SimulatedDriver(BOUNDLESS, 0, SimulatedDriver.PAGE));
    }

    /** Bytes from the driver for each byte that the blocks hold; 1 where there are none. */
    public static double perByte(Lifetimes lifetimes, IntArrayList allocations, AllocatorSettings settings) {
        FilledSegments filled = new FilledSegments(lifetimes, settings);
        while (!allocations.isEmpty() && filled.segments <= ENOUGH && filled.add(allocations)) {}
        return filled.full == 0 ? 1 : (double) filled.reserved / filled.full;
    }

    /** Gives the allocator all blocks once more; false where it has no room for them. */
    private boolean add(IntArrayList allocations) {
        for (IntCursor allocation : allocations) {
            long before = allocator.stats().reservedBytes();
            if (allocator.malloc(lifetimes.held(allocation.value), 0, 0) == CachingAllocator.OUT_OF_MEMORY) {
                return false;
            }
            if (allocator.stats().reservedBytes() > before) {
                segments++;
                reserved = before;
                full = held;
            }
            held += lifetimes.held(allocation.value);
        }
        return true;
    }
}
