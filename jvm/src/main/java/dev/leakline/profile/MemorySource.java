package dev.leakline.profile;

import java.io.IOException;

/**
 * A source of memory counters: an allocator, the driver, or a function of one's own, which may be a lambda.
 *
 * <p>A source belongs to one {@link GpuMemoryProfiler}, or to one {@link MemoryMonitor}: whoever resets its peaks must be the only one
 * that does. They never ask it from two threads at once. Asking is in the way of the program that is measured, so it should take
 * microseconds, and must never wait for the device to finish its work: an allocator's counters change when memory is requested, not when
 * kernels run.
 */
@FunctionalInterface
public interface MemorySource {
    /** Reads the counters. What it throws is counted as a failure, and harms nobody: that reading is unknown. */
    MemoryCounters read() throws IOException;

    /**
     * Begins to count peaks anew, from what is in use now; answers whether it did. Sources that cannot answer false, and peaks are then
     * only known where they are the highest so far, or as what readings happened to see: {@link MemoryPeak#isExact} tells.
     */
    default boolean resetPeaks() throws IOException {
        return false;
    }

    /** The ordinal of the device, -1 where it is none, such as the host's memory. */
    default int device() {
        return 0;
    }
}
