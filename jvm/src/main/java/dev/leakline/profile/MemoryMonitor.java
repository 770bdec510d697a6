package dev.leakline.profile;

import dev.leakline.result.AnalysisResult;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Samples a source in the background, steadily, also where nothing changes, until it is closed.
 *
 * <p>A sample holds the peak since the one before, so where the source counts peaks, nothing escapes between two samples. It keeps
 * at most {@value #MOST_SAMPLES} samples, however long it goes on: when they are full, each two become one. A reading that fails is counted and leaves a gap; the next one is taken when
 * it is due. Where a reading takes longer than the interval, those missed are left out. It never waits for the device, and its thread is
 * a daemon.
 */
public final class MemoryMonitor implements AutoCloseable {
    /** How many samples are kept: more than any screen has columns, at under a megabyte. */
    public static final int MOST_SAMPLES = 4096;
    /** How long closing waits for a reading that is under way; a source that hangs must not hang its user. */
    private static final long CLOSING_MILLIS = 1000;

    private final PeakWindows windows;
    private final long intervalNanos;
    private final SampleSeries series;
    private final Thread thread;
    private final long failuresBefore;
    private PeakWindow window;
    private volatile boolean isClosed;

    private MemoryMonitor(PeakWindows windows, Duration interval, int most) {
        this.windows = windows;
        this.intervalNanos = interval.toNanos();
        this.series = new SampleSeries(most);
        this.failuresBefore = windows.failures();
        this.window = windows.open(null);
        first();
        this.thread = Thread.ofPlatform().daemon().name("leakline-monitor").unstarted(this::run);
    }

    /**
     * Begins to sample a source, at once and then whenever the interval has passed. To sample where calls are profiled as well, use {@link
     * GpuMemoryProfiler#monitor}. Throws {@link IllegalArgumentException} for an interval that is not above zero.
     */
    public static MemoryMonitor start(MemorySource source, Duration interval) {
        return start(new PeakWindows(source), interval, MOST_SAMPLES);
    }

    static MemoryMonitor start(PeakWindows windows, Duration interval, int most) {
        if (!interval.isPositive()) {
            throw new IllegalArgumentException(
                    "the interval is " + interval + "; expected a positive duration, such as PT0.1S");
        }
        MemoryMonitor monitor = new MemoryMonitor(windows, interval, most);
        monitor.thread.start();
        return monitor;
    }

    private void run() {
        long due = System.nanoTime() + intervalNanos;
        while (!isClosed) {
            LockSupport.parkNanos(this, due - System.nanoTime());
            long late = System.nanoTime() - due;
            if (late >= 0 && !isClosed) {
                sample();
                due += (1 + (System.nanoTime() - due) / intervalNanos) * intervalNanos;
            }
        }
        sample();
        windows.close(window);
    }

    private void first() {
        MemoryCounters now = window.before;
        if (window.basis != Basis.NONE) {
            series.add(sample(now, new MemoryPeak(window.basis.used(now), now.reserved(), true)));
        }
    }

    private void sample() {
        PeakWindow ended = window;
        window = windows.next(ended);
        if (window != ended) {
            MemoryCounters now = window.before;
            boolean isSame = ended.basis == window.basis;
            MemoryPeak seen = new MemoryPeak(window.basis.used(now), now.reserved(), false);
            series.add(sample(now, isSame ? ended.peak() : seen));
        }
    }

    private MemorySample sample(MemoryCounters now, MemoryPeak peak) {
        return new MemorySample(MemorySample.nowMicros(), window.basis, now, peak, 1);
    }

    /** The samples so far, the earliest in front. */
    public List<MemorySample> samples() {
        return series.samples();
    }

    /**
     * Judges the samples so far: whether memory grows without bound, how fast, and when the device is full. It may be asked at any time
     * and as often as wanted; it costs the same however long the monitor has been going on.
     */
    public AnalysisResult judge() {
        return MonitoredMemory.judge(samples(), windows.device());
    }

    /** How often the source has failed since the monitor began, profiled calls included. */
    public long failures() {
        return windows.failures() - failuresBefore;
    }

    /** Why the source failed last, null where it never did. */
    public @Nullable String lastFailure() {
        return windows.lastFailure();
    }

    /** Takes a last sample and stops; waits at most a second for it. */
    @Override
    public void close() {
        isClosed = true;
        LockSupport.unpark(thread);
        try {
            thread.join(CLOSING_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
