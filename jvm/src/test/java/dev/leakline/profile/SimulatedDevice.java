package dev.leakline.profile;

import java.io.IOException;

/** An allocator in a few lines, with one counter of its peak for everybody, as PyTorch's has. */
final class SimulatedDevice implements MemorySource {
    /** What a source can tell of peaks. */
    enum Kind {
        RESETS,
        COUNTS,
        COUNTS_NO_PEAKS
    }

    static final long MIB = 1 << 20;
    private static final long SEGMENT = 20 * MIB;

    private final Kind kind;
    private long allocated;
    private long reserved;
    private long peak;
    private long peakReserved;
    boolean isFailing;
    int readings;

    SimulatedDevice(Kind kind) {
        this.kind = kind;
    }

    /** With a counter that can be reset. */
    SimulatedDevice() {
        this(Kind.RESETS);
    }

    synchronized void allocate(long bytes) {
        allocated += bytes;
        peak = Math.max(peak, allocated);
        reserved = Math.max(reserved, Math.ceilDiv(allocated, SEGMENT) * SEGMENT);
        peakReserved = Math.max(peakReserved, reserved);
    }

    synchronized void free(long bytes) {
        allocated -= bytes;
    }

    /** A peak that is over before anybody looks. */
    void touch(long bytes) {
        allocate(bytes);
        free(bytes);
    }

    synchronized long allocated() {
        return allocated;
    }

    @Override
    public synchronized MemoryCounters read() throws IOException {
        readings++;
        check();
        return kind == Kind.COUNTS_NO_PEAKS
                ? MemoryCounters.allocated(allocated)
                : MemoryCounters.allocator(allocated, reserved, peak, peakReserved);
    }

    @Override
    public synchronized boolean resetPeaks() throws IOException {
        check();
        if (kind == Kind.RESETS) {
            peak = allocated;
            peakReserved = reserved;
        }
        return kind == Kind.RESETS;
    }

    private void check() throws IOException {
        if (isFailing) {
            throw new IOException("the device is away");
        }
    }
}
