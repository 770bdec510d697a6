package dev.leakline.detect.growth;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.evidence.Evidence;
import dev.leakline.finding.Doubts;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.result.StepSummary;
import dev.leakline.statistics.Ratchet;
import java.util.Locale;

/** How sure a leak is, from 0 to 1, and what that rests on: a product of what each doubt leaves. */
final class LeakConfidence {
    /** Surer than this nobody should be of anything that a recording of one run shows. */
    private static final double SUREST = 0.99;
    /** What steps that had to be found leave: now and then a loop is not what a user would call a step. */
    private static final double FOUND_STEPS = 0.97;
    /** What growth that stopped before the end leaves: it may have been a cache that was full then. */
    private static final double STOPPED = 0.8;
    /** What missing frees leave: some of what stays may have been freed unseen. */
    private static final double LOST = 0.8;
    /** Missing frees that matter, as a share of all allocations: a single one of a hundred does not make a floor rise. */
    private static final double FEW_LOST = 0.01;

    private final Doubts doubts = new Doubts(SUREST);

    LeakConfidence(Evidence evidence, Ratchet test, IntArrayList survivors) {
        int rises = test.clicks().size();
        doubts.leave(
                1 - Math.pow(0.5, rises),
                "the floor rose for good in " + rises + " of "
                        + evidence.steps().count() + " steps");
        weighDeaths(evidence, test, survivors);
        if (evidence.steps().kind() == StepSummary.Kind.RECURRENCE) {
            doubts.leave(FOUND_STEPS, "steps were told by the stacks, since no ranges mark them");
        }
        int quiet = test.end() - test.lastStep();
        if (quiet > 2 * Math.max(1, (test.lastStep() - test.firstStep()) / rises)) {
            doubts.leave(STOPPED, "it did not grow in the last " + quiet + " steps");
        }
        int lost = evidence.lifetimes().lostFrees();
        if (lost > FEW_LOST * evidence.lifetimes().count()) {
            doubts.leave(LOST, lost + " frees are missing from the recording");
        }
    }

    /** What is let go later after all leaves half as much doubt: a slow cache lets go of everything in the end. */
    private void weighDeaths(Evidence evidence, Ratchet test, IntArrayList survivors) {
        int dead = 0;
        for (int i = 0; i < survivors.size(); i++) {
            int survivor = survivors.get(i);
            boolean isDead = evidence.lifetimes().died(evidence.survivors().allocation(survivor)) != Lifetimes.NEVER;
            dead += isDead && evidence.survivors().end(survivor) <= test.end() ? 1 : 0;
        }
        double share = (double) dead / survivors.size();
        doubts.leave(
                1 - share / 2,
                dead == 0
                        ? "none of the " + survivors.size() + " blocks that outlived their step was freed while it grew"
                        : String.format(
                                Locale.ROOT,
                                "%.0f %% of the blocks that outlived their step were freed later",
                                share * 100));
    }

    /** All doubts together. */
    Doubts doubts() {
        return doubts;
    }
}
