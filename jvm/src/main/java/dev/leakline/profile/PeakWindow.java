package dev.leakline.profile;

import org.jspecify.annotations.Nullable;

/** A stretch of time whose peak is requested; its {@link PeakWindows} maintains it. */
final class PeakWindow {
    /** Stands for a window for which there is no room. */
    static final PeakWindow UNMEASURED = new PeakWindow(MemoryCounters.NONE, false, null);

    /** Counters at its beginning. */
    final MemoryCounters before;
    /** The counter used as memory in use. */
    final Basis basis;
    /** The thread whose call it is; null for a monitor, which is nobody's. */
    final @Nullable Thread owner;

    private final PeakCounter used;
    private final PeakCounter reserved;
    private boolean isShared;
    private MemoryCounters after = MemoryCounters.NONE;

    PeakWindow(MemoryCounters before, boolean isCountedAnew, @Nullable Thread owner) {
        this.before = before;
        this.basis = Basis.of(before);
        this.owner = owner;
        this.used = counter(basis, isCountedAnew);
        this.reserved = counter(Basis.RESERVED, isCountedAnew);
    }

    private PeakCounter counter(Basis figure, boolean isCountedAnew) {
        long earlier = isCountedAnew ? MemoryCounters.UNKNOWN : figure.peak(before);
        return new PeakCounter(figure.used(before), earlier);
    }

    void fold(MemoryCounters reading) {
        after = reading;
        used.fold(basis.used(reading), basis.peak(reading));
        reserved.fold(reading.reserved(), reading.peakReserved());
    }

    void restart() {
        used.restart();
        reserved.restart();
    }

    /** Two calls of different threads at the same time: each sees the other's memory. */
    void meet(PeakWindow other) {
        boolean isOthers = owner != null && other.owner != null && !owner.equals(other.owner);
        isShared |= isOthers;
        other.isShared |= isOthers;
    }

    boolean isShared() {
        return isShared;
    }

    /** The last reading. */
    MemoryCounters after() {
        return after;
    }

    MemoryPeak peak() {
        return new MemoryPeak(used.most(), reserved.most(), used.isExact());
    }
}
