package dev.leakline.steps;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.lifetime.Lifetimes;

/**
 * The last iteration of a loop, which no next one ends. It is a step where it allocates at all places at which nearly every other iteration
 * does; else it was cut short, by the end of the recording or by a request that failed.
 */
final class LastIteration {
    /** The share of the iterations that allocate at a place of every iteration: nearly all; the first and the last may be others. */
    private static final double NEARLY_ALL = 0.9;

    private final Lifetimes lifetimes;
    /** In how many iterations each stack allocates, and the last of these. */
    private final int[] iterations;

    private final int[] lasts;
    private int lastBirth;

    LastIteration(Lifetimes lifetimes, int stacks) {
        this.lifetimes = lifetimes;
        this.iterations = new int[stacks];
        this.lasts = new int[stacks];
    }

    /** Takes notice of an allocation in an iteration, counted from 1. */
    void take(int iteration, int stack, int born) {
        if (lasts[stack] != iteration) {
            lasts[stack] = iteration;
            iterations[stack]++;
        }
        lastBirth = born;
    }

    /** Returns whether the last of so many iterations does all that iterations do. */
    boolean isWhole(int count) {
        for (int stack = 0; stack < lasts.length; stack++) {
            int before = iterations[stack] - (lasts[stack] == count ? 1 : 0);
            if (before >= NEARLY_ALL * (count - 1) && lasts[stack] != count) {
                return false;
            }
        }
        return count > 1;
    }

    /**
     * The event after its last: it frees what it allocated, and what the one before it left. What goes beyond, the next allocation or the end
     * of what older ones had made, as where the function returns, is after it. The starts of all iterations are given.
     */
    int event(IntArrayList starts) {
        int former = starts.get(Math.max(starts.size() - 2, 0));
        int event = lastBirth + 1;
        while (event < lifetimes.events().count() && !endsLoop(event, former)) {
            event++;
        }
        return event;
    }

    private boolean endsLoop(int event, int former) {
        int allocation = lifetimes.allocation(event);
        if (allocation == Lifetimes.NONE) {
            return false;
        }
        int born = lifetimes.born(allocation);
        return born == event || born < former;
    }
}
