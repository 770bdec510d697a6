package dev.leakline.steps;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.lifetime.MemoryCurve;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The most that was held in each step, and when; and what requests that could not be met came upon. Read-only once it has followed a curve. */
public final class StepPeaks implements MemoryCurve.Reader {
    /**
     * The state of a device when a request failed; bytes.
     *
     * @param reserved what the allocator had from the driver
     * @param earlierPeak the most that was held before the step in which it failed, or before it where it is in no step
     */
    public record Failure(int event, long held, long reserved, long earlierPeak) {
        /** The allocator rounds sizes up and keeps pieces of segments: a twentieth of what is reserved is hardly ever usable. */
        private static final double FULL = 0.95;

        /** Returns whether nearly all that was reserved was live: what a setting could make usable is soon used, too. */
        public boolean isFull() {
            return held >= FULL * reserved;
        }
    }

    private final IntArrayList failed;
    private final long[] bytes;
    private final int[] events;
    private final List<Failure> failures = new ArrayList<>();
    private final StepCursor cursor;
    private int step = -1;
    private long held;
    private long most;
    private long mostBeforeStep;

    /** Looks for the peaks of steps; {@code failed} are the events of requests that could not be met, in order. */
    public StepPeaks(Steps steps, IntArrayList failed) {
        this.failed = failed;
        this.bytes = new long[steps.count()];
        this.events = new int[steps.count()];
        this.cursor = new StepCursor(steps);
    }

    @Override
    public void look(MemoryCurve curve) {
        int event = curve.event();
        int now = cursor.of(event);
        if (now != step) {
            open(now, event);
        }
        held = curve.held();
        if (step >= 0 && step < bytes.length && held > bytes[step]) {
            bytes[step] = held;
            events[step] = event;
        }
        if (failures.size() < failed.size() && failed.get(failures.size()) == event) {
            failures.add(new Failure(event, held, curve.reserved(), step < 0 ? most : mostBeforeStep));
        }
        most = Math.max(most, held);
    }

    /** Begins a step with what was held before its first event. */
    private void open(int number, int event) {
        step = number;
        mostBeforeStep = most;
        if (number < bytes.length) {
            bytes[number] = held;
            events[number] = event - 1;
        }
    }

    /** How many of the steps from {@code first} on came to so many bytes. */
    public int high(int first, long least) {
        int count = 0;
        for (int number = first; number < bytes.length; number++) {
            count += bytes[number] >= least ? 1 : 0;
        }
        return count;
    }

    /** The most that was held in a step. */
    public long bytes(int number) {
        return bytes[number];
    }

    /** The event after which that was. */
    public int event(int number) {
        return events[number];
    }

    /** The peaks from a step on, in ascending order. */
    public long[] sorted(int from) {
        long[] sorted = Arrays.copyOfRange(bytes, from, bytes.length);
        Arrays.sort(sorted);
        return sorted;
    }

    /** The state that a failed request found. */
    public Failure failure(int event) {
        int index = Arrays.binarySearch(failed.buffer, 0, failed.size(), event);
        return failures.get(index);
    }
}
