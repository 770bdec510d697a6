package dev.leakline.steps;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.lifetime.Lifetimes;
import java.util.BitSet;

/**
 * Iterations that end in the midst, as where a request fails: the function's first line runs again, and no later line ran in between. A loop within
 * the iteration, around that line, looks the same. But it treats all its turns alike, while a failed request keeps, with its exception, what the
 * others free. So they count as iterations where nearly all that ended early keep something, and hardly any of the others.
 */
final class EarlyExits {
    private static final double NEARLY_ALL = 0.9;
    /** The later run that a kept block lives to see, past two whole ones: a name has its old value until the next. */
    private static final int KEPT = 3;

    private final Lifetimes lifetimes;
    /** The first allocation of each run of the line. */
    private final IntArrayList runs = new IntArrayList();
    /** The runs before which no later line ran. */
    private final BitSet repeated = new BitSet();

    EarlyExits(Lifetimes lifetimes) {
        this.lifetimes = lifetimes;
    }

    /** Takes notice of the first allocation of a run of the line, and whether no later line ran since the run before. */
    void take(int allocation, boolean isRepeated) {
        repeated.set(runs.size(), isRepeated);
        runs.add(allocation);
    }

    /** Returns whether runs that are repeated are iterations of their own. */
    boolean areIterations() {
        int[] all = new int[2];
        int[] keep = new int[2];
        for (int run = 0; run + KEPT < runs.size(); run++) {
            int isEarly = repeated.get(run + 1) ? 1 : 0;
            all[isEarly]++;
            keep[isEarly] += keeps(run) ? 1 : 0;
        }
        return all[0] >= StepFinder.FEWEST
                && all[1] >= StepFinder.FEWEST
                && keep[1] >= NEARLY_ALL * all[1]
                && keep[0] <= (1 - NEARLY_ALL) * all[0];
    }

    private boolean keeps(int run) {
        int later = lifetimes.born(runs.get(run + KEPT));
        boolean keeps = false;
        for (int allocation = runs.get(run); allocation < runs.get(run + 1) && !keeps; allocation++) {
            keeps = lifetimes.died(allocation) > later;
        }
        return keeps;
    }
}
