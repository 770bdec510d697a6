package dev.leakline.profile;

import static dev.leakline.profile.MemoryCounters.UNKNOWN;

/** The peak of one figure within one window, gathered from readings of a counter that may have begun before it. */
final class PeakCounter {
    private long most;
    /** The source's counter before the window; a higher one is of the window. */
    private long earlier;

    private boolean isCovered;
    private boolean wasCovered = true;

    /**
     * Begins a window.
     *
     * @param now the figure
     * @param earlier what the source's counter of peaks said before the window, {@link MemoryCounters#UNKNOWN} if it begins with it
     */
    PeakCounter(long now, long earlier) {
        this.most = now;
        this.earlier = earlier;
    }

    /** Takes in a reading of the figure and of the source's counter of its peaks. */
    void fold(long now, long counter) {
        isCovered = counter > earlier;
        most = Math.max(most, isCovered ? Math.max(now, counter) : now);
    }

    /** The source counts anew: from here on, all it says is of this window. */
    void restart() {
        wasCovered &= isCovered;
        earlier = UNKNOWN;
    }

    long most() {
        return most;
    }

    boolean isExact() {
        return wasCovered && isCovered;
    }
}
