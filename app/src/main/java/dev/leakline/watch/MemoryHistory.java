package dev.leakline.watch;

import java.util.Arrays;

/**
 * How a memory went, from the first sample to the last: at most 256 points, more than most screens have columns. When they are full, each
 * two become one. A point is the highest of its samples, at the time of the last of them.
 */
public final class MemoryHistory {
    private static final int MOST_POINTS = 256;
    /** The least range of a chart, as a share of its top: smaller changes look small. */
    private static final double LEAST_RANGE = 0.1;

    private final double[] times;
    private final long[] bytes;
    /** Points that are complete; the one behind them has {@link #inLast} samples so far. */
    private int complete;

    private int inLast;
    private int every;

    MemoryHistory() {
        this(new double[MOST_POINTS], new long[MOST_POINTS], 1);
    }

    private MemoryHistory(double[] times, long[] bytes, int every) {
        this.times = times;
        this.bytes = bytes;
        this.every = every;
    }

    /** A copy to which nothing is added. */
    MemoryHistory copy() {
        MemoryHistory copy = new MemoryHistory(Arrays.copyOf(times, size()), Arrays.copyOf(bytes, size()), every);
        copy.complete = complete;
        copy.inLast = inLast;
        return copy;
    }

    void add(double time, long value) {
        bytes[complete] = inLast == 0 ? value : Math.max(bytes[complete], value);
        times[complete] = time;
        if (++inLast == every) {
            inLast = 0;
            complete++;
        }
        if (complete == MOST_POINTS) {
            halve();
        }
    }

    private void halve() {
        complete /= 2;
        every *= 2;
        for (int i = 0; i < complete; i++) {
            bytes[i] = Math.max(bytes[2 * i], bytes[2 * i + 1]);
            times[i] = times[2 * i + 1];
        }
    }

    /** The number of points. */
    public int size() {
        return complete + (inLast > 0 ? 1 : 0);
    }

    /** When a point was, in seconds. */
    public double time(int point) {
        return times[point];
    }

    /** The bytes of the highest point; 0 where there is none. */
    public long most() {
        return Arrays.stream(bytes, 0, size()).reduce(0, Math::max);
    }

    /** The bytes that a chart goes over, from its top down. */
    public double range() {
        long least = Arrays.stream(bytes, 0, size()).min().orElse(0);
        return Math.max((double) (most() - least), most() * LEAST_RANGE);
    }

    /** The bytes at a point. */
    public long bytes(int point) {
        return bytes[point];
    }
}
