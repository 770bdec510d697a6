package dev.leakline.profile;

/**
 * The values of memory counters at one moment, in bytes; {@link #UNKNOWN} for each that is not known.
 *
 * @param allocated in live tensors, as their allocator counts
 * @param reserved what the allocator has taken from the driver
 * @param peakAllocated the most that was allocated since peaks are counted, see {@link MemorySource#resetPeaks}
 * @param peakReserved the most that was reserved since then
 * @param held what the driver counts for the process: what its allocators reserved, the context, and what other libraries took
 * @param deviceFree free on the device
 * @param deviceTotal what the device has
 */
public record MemoryCounters(
        long allocated,
        long reserved,
        long peakAllocated,
        long peakReserved,
        long held,
        long deviceFree,
        long deviceTotal) {
    /** Stands for a number of bytes that is not known. */
    public static final long UNKNOWN = -1;

    /** Counters of which nothing is known, such as after a reading that failed. */
    public static final MemoryCounters NONE = allocator(UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN);

    /** Checks the figures; throws {@link IllegalArgumentException} for one below zero that is not {@link #UNKNOWN}. */
    public MemoryCounters {
        check("allocated", allocated);
        check("reserved", reserved);
        check("peakAllocated", peakAllocated);
        check("peakReserved", peakReserved);
        check("held", held);
        check("deviceFree", deviceFree);
        check("deviceTotal", deviceTotal);
    }

    private static void check(String name, long bytes) {
        if (bytes < UNKNOWN) {
            throw new IllegalArgumentException(name + " is " + bytes
                    + "; expected a number of bytes, or UNKNOWN (-1) if the source does not know");
        }
    }

    /** Counters of an allocator. */
    public static MemoryCounters allocator(long allocated, long reserved, long peakAllocated, long peakReserved) {
        return new MemoryCounters(allocated, reserved, peakAllocated, peakReserved, UNKNOWN, UNKNOWN, UNKNOWN);
    }

    /** Counters with only the allocated bytes. */
    public static MemoryCounters allocated(long bytes) {
        return allocator(bytes, UNKNOWN, UNKNOWN, UNKNOWN);
    }

    /** A copy with the driver's values for the device. */
    public MemoryCounters withDevice(long held, long deviceFree, long deviceTotal) {
        return new MemoryCounters(allocated, reserved, peakAllocated, peakReserved, held, deviceFree, deviceTotal);
    }

    /** In use on the device, by whomever; {@link #UNKNOWN} unless both its figures are known. */
    public long deviceUsed() {
        return deviceFree == UNKNOWN || deviceTotal == UNKNOWN ? UNKNOWN : Math.max(deviceTotal - deviceFree, 0);
    }
}
