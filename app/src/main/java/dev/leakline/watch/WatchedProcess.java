package dev.leakline.watch;

import dev.leakline.live.ProcessJudge;
import dev.leakline.live.ProcessSample;
import dev.leakline.result.WatchEvent;
import java.util.Arrays;
import java.util.List;

/** A process that is watched: what is thought of it, and how its memory went. */
public final class WatchedProcess {
    /** More than any screen has columns; when they are full, each two become one. */
    private static final int MOST_POINTS = 256;

    private final ProcessJudge judge = new ProcessJudge();
    private final double[] times = new double[MOST_POINTS];
    private final long[] bytes = new long[MOST_POINTS];
    private ProcessSample last;
    private int points;
    private int every = 1;
    private long skipped;

    WatchedProcess(ProcessSample first) {
        this.last = first;
    }

    /** Adds a sample; answers what changed by it. */
    List<WatchEvent> add(ProcessSample sample) {
        last = sample;
        remember(sample);
        return judge.add(sample);
    }

    private void remember(ProcessSample sample) {
        long value = sample.used() >= 0 ? sample.used() : sample.resident();
        if (value < 0 || ++skipped < every) {
            return;
        }
        skipped = 0;
        if (points == MOST_POINTS) {
            for (int i = 0; i < MOST_POINTS / 2; i++) {
                times[i] = times[2 * i + 1];
                bytes[i] = bytes[2 * i + 1];
            }
            points = MOST_POINTS / 2;
            every *= 2;
        }
        times[points] = sample.t();
        bytes[points++] = value;
    }

    public long pid() {
        return last.pid();
    }

    /** The newest sample. */
    public ProcessSample last() {
        return last;
    }

    /** How it stands, by all samples so far. */
    public WatchEvent now() {
        return judge.now();
    }

    /** The times of {@link #history}, in seconds. */
    public double[] times() {
        return Arrays.copyOf(times, points);
    }

    /** What it used on its GPU, or of host memory where it has none, at some moments from the first to about the last; at most 256. */
    public long[] history() {
        return Arrays.copyOf(bytes, points);
    }
}
