package dev.leakline.profile;

import dev.leakline.result.Frame;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A stretch of a program that is being profiled, until it is closed. Scopes of one thread nest, inner ones close first, as {@code try}
 * sees to. Any thread may close it; the result is that of the thread which opened it.
 */
public final class ProfileScope implements AutoCloseable {
    final Thread thread = Thread.currentThread();
    final @Nullable ProfileScope outer;

    private final GpuMemoryProfiler profiler;
    private final String name;
    private final int depth;
    private final List<Frame> stack;
    private final PeakWindow window;
    private final long startMicros = MemorySample.nowMicros();
    private final long startNanos;
    private final AtomicLong innerGrowth = new AtomicLong();
    private final AtomicBoolean isClosed = new AtomicBoolean();
    private volatile @Nullable String failure;

    ProfileScope(GpuMemoryProfiler profiler, String name, @Nullable ProfileScope outer, List<Frame> stack) {
        this.profiler = profiler;
        this.name = name;
        this.outer = outer;
        this.depth = outer == null ? 0 : outer.depth + 1;
        this.stack = stack;
        this.window = profiler.windows.open(thread);
        this.startNanos = System.nanoTime();
    }

    /** Notes that what this scope is about failed; {@code close} is still to be called. */
    public void fail(Throwable thrown) {
        failure = PeakWindows.describe(thrown);
    }

    /** Reads the counters again and keeps the result; a second time does nothing. */
    @Override
    public void close() {
        long nanos = System.nanoTime() - startNanos;
        if (isClosed.compareAndSet(false, true)) {
            profiler.finish(this, result(Duration.ofNanos(nanos)));
        }
    }

    private ProfileResult result(Duration duration) {
        profiler.windows.close(window);
        return new ProfileResult(
                name,
                thread.getName(),
                depth,
                startMicros,
                duration,
                profiler.windows.device(),
                window.basis,
                window.before,
                window.after(),
                window.peak(),
                innerGrowth.get(),
                window.isShared(),
                failure,
                stack);
    }

    void addInner(long growth) {
        innerGrowth.addAndGet(growth);
    }

    boolean isClosed() {
        return isClosed.get();
    }

    /** Returns whether there is room for it: it is measured, and scopes may be within it. */
    boolean isMeasured() {
        return window != PeakWindow.UNMEASURED;
    }
}
