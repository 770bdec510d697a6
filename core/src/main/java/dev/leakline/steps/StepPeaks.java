package dev.leakline.steps;

import dev.leakline.lifetime.Lifetimes;
import dev.leakline.lifetime.MemoryCurve;
import java.util.Arrays;

/**
 * The most that was held in each step, and when.
 *
 * <p>To follow the memory through a whole recording takes as long as to pair its events. Who only asks for steps that stand out need not
 * wait for that: where more steps than he wants are high, the walk ends, and nothing stands out.
 */
public final class StepPeaks {
    private final Lifetimes lifetimes;
    private final long[] bytes;
    private final int[] events;
    private long held;
    private boolean isCrowded;

    /**
     * Follows the memory through the steps from {@code first} on, until more than {@code most} of them have come to {@code high} bytes.
     */
    public StepPeaks(Lifetimes lifetimes, Steps steps, int first, long high, int most) {
        this.lifetimes = lifetimes;
        this.bytes = new long[steps.count()];
        this.events = new int[steps.count()];
        this.held = heldBefore();
        follow(0, steps.start(0));
        int count = 0;
        for (int step = 0; step < bytes.length && !isCrowded; step++) {
            take(step, steps);
            count += step >= first && bytes[step] >= high ? 1 : 0;
            isCrowded = count > most;
        }
    }

    private long heldBefore() {
        long sum = 0;
        for (int allocation = 0; allocation < lifetimes.count(); allocation++) {
            sum += lifetimes.born(allocation) == Lifetimes.BEFORE ? lifetimes.held(allocation) : 0;
        }
        return sum;
    }

    private void take(int step, Steps steps) {
        bytes[step] = held;
        events[step] = steps.start(step) - 1;
        for (int event = steps.start(step); event < steps.start(step + 1); event++) {
            move(event);
            if (held > bytes[step]) {
                bytes[step] = held;
                events[step] = event;
            }
        }
    }

    private void follow(int from, int to) {
        for (int event = from; event < to; event++) {
            move(event);
        }
    }

    /** Moves past an event, as {@link MemoryCurve#next} does. */
    private void move(int event) {
        int allocation = lifetimes.allocation(event);
        if (allocation == Lifetimes.NONE) {
            return;
        }
        if (lifetimes.born(allocation) == event) {
            int former = lifetimes.formerTenant(event);
            held += lifetimes.held(allocation) - (former == Lifetimes.NONE ? 0 : lifetimes.held(former));
        } else if (lifetimes.died(allocation) == event) {
            held -= lifetimes.held(allocation);
        }
    }

    /** Whether too many steps were high, so that the walk ended early and the peaks are not all known. */
    public boolean isCrowded() {
        return isCrowded;
    }

    /** The most that was held in a step. */
    public long bytes(int step) {
        return bytes[step];
    }

    /** The event after which that was. */
    public int event(int step) {
        return events[step];
    }

    /** The peaks from a step on, in ascending order. */
    public long[] sorted(int from) {
        long[] sorted = Arrays.copyOfRange(bytes, from, bytes.length);
        Arrays.sort(sorted);
        return sorted;
    }
}
