package dev.leakline.profile;

import dev.leakline.text.Printable;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the peaks of any number of windows that nest or overlap, over a source with a single counter of peaks.
 *
 * <p>An allocator counts its peak since somebody reset it. Whoever resets it for a window of their own takes it from all that are open.
 * So nobody resets it alone: whenever a window begins, the counter is read first and what it says is folded into every open window, since
 * all of them were open while it counted; only then it begins anew. When a window ends, the same reading closes it. A peak is thus
 * credited to exactly the windows in which it happened, however they nest.
 *
 * <p>Between reading the counter and resetting it lie a few microseconds, in which another thread's peak can come and go unseen: no
 * allocator offers both in one. Where the source cannot reset, its counter tells of a window only if it rose within it, see {@link
 * PeakCounter}; else readings are all there is, those of a monitor included.
 */
final class PeakWindows {
    /** Calls nest a few dozen deep, in as many threads as use a device; more than this were opened and forgotten. */
    static final int MOST = 4096;
    /** Characters kept of a failure; PyTorch's longest message, out of memory, has half as many. */
    private static final int MOST_TEXT = 2000;

    private final MemorySource source;
    private final Set<PeakWindow> open = new LinkedHashSet<>();
    private long failures;
    private @Nullable String lastFailure;

    PeakWindows(MemorySource source) {
        this.source = source;
    }

    /** Begins a window; {@link PeakWindow#UNMEASURED} where too many are open. */
    synchronized PeakWindow open(@Nullable Thread owner) {
        return open.size() < MOST ? begin(read(), owner) : PeakWindow.UNMEASURED;
    }

    /** Ends a window. */
    synchronized void close(PeakWindow window) {
        if (open.contains(window)) {
            read();
            open.remove(window);
        }
    }

    /** Ends a window and begins another with the same reading; where that fails, the window goes on, and is answered. */
    synchronized PeakWindow next(PeakWindow window) {
        MemoryCounters now = read();
        if (Basis.of(now) == Basis.NONE) {
            return window;
        }
        open.remove(window);
        return begin(now, window.owner);
    }

    private PeakWindow begin(MemoryCounters now, @Nullable Thread owner) {
        PeakWindow window = new PeakWindow(now, Basis.of(now) != Basis.NONE && countAnew(), owner);
        open.forEach(window::meet);
        open.add(window);
        return window;
    }

    /** Reads the counters, and folds them into all windows. */
    synchronized MemoryCounters read() {
        MemoryCounters now = MemoryCounters.NONE;
        try {
            now = source.read();
        } catch (IOException | RuntimeException e) {
            fail(e);
        }
        for (PeakWindow window : open) {
            window.fold(now);
        }
        return now;
    }

    private boolean countAnew() {
        try {
            boolean isReset = source.resetPeaks();
            if (isReset) {
                open.forEach(PeakWindow::restart);
            }
            return isReset;
        } catch (IOException | RuntimeException e) {
            fail(e);
            return false;
        }
    }

    private void fail(Exception failure) {
        failures++;
        lastFailure = describe(failure);
    }

    /** The text that is kept of something thrown, since the thing itself may hold on to tensors. */
    static String describe(Throwable failure) {
        return Printable.of(failure.toString(), MOST_TEXT);
    }

    int device() {
        return source.device();
    }

    synchronized long failures() {
        return failures;
    }

    synchronized @Nullable String lastFailure() {
        return lastFailure;
    }
}
