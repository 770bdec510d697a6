package dev.leakline.detect.growth;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.evidence.Evidence;
import dev.leakline.finding.Doubts;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.result.StepSummary;
import dev.leakline.statistics.Ratchet;
import dev.leakline.statistics.Slope;
import java.util.Locale;

/** Computes the confidence of a leak, from 0 to 1, and its reasons: a product of what each doubt leaves. */
final class LeakConfidence {
    /** Surer than this nobody should be of anything that a recording of one run shows. */
    private static final double SUREST = 0.99;
    /** What steps that had to be found leave: now and then a loop is not what a user would call a step. */
    private static final double FOUND_STEPS = 0.97;
    /** What growth that stopped before the end leaves: it may have been a cache that was full then. */
    private static final double STOPPED = 0.8;
    /** What missing frees leave: some of what stays may have been freed unseen. */
    private static final double LOST = 0.8;
    /** What a rate leaves that may be zero: one that rises by chance looks the same. */
    private static final double UNSTEADY = 0.5;
    /** What growth without a release leaves: epochs that collect something are common, but then a recording of one is not. */
    private static final double WITHIN_EPOCH = 0.85;
    /** What a single release leaves that the collector may have made: then it is a cycle. */
    private static final double COLLECTED = 0.6;
    /** What steps leave that keep most of what they allocate, and in which no module runs: a loop that loads does the same. */
    private static final double LOADS = 0.8;
    /** Growth that fills nearly all of the recording. */
    private static final double WHOLE = 0.9;
    /** Missing frees that matter, as a share of all allocations: a single one of a hundred does not make a floor rise. */
    private static final double FEW_LOST = 0.01;

    private final Doubts doubts = new Doubts(SUREST);

    /** {@code freedOlder} blocks of the line, from before the recording, were freed. */
    LeakConfidence(Evidence evidence, Ratchet test, IntArrayList survivors, Slope slope, int freedOlder) {
        int rises = test.clicks().size();
        doubts.leave(
                1 - Math.pow(0.5, rises),
                "the floor rose permanently in " + rises + " of "
                        + evidence.steps().count() + " steps");
        weighDeaths(evidence, test, survivors, freedOlder);
        if (slope.low() <= 0) {
            doubts.leave(UNSTEADY, "it comes so unevenly that its rate may be zero (95 % confidence)");
        }
        if (freedOlder == 0) {
            weighEpochs(evidence, test);
        }
        if (test.isGivenBack() && new Collector(evidence).mayHaveMade(new Releases(evidence, survivors))) {
            doubts.leave(
                    COLLECTED,
                    "it was freed at once at a line that runs all the time, as the garbage collector does it");
        }
        if (evidence.steps().kind() == StepSummary.Kind.RECURRENCE) {
            doubts.leave(FOUND_STEPS, "steps were inferred from stacks, since no ranges mark them");
            weighLoading(evidence, test);
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

    private void weighLoading(Evidence evidence, Ratchet test) {
        if (Loading.keepsMost(evidence, test.firstStep(), test.lastStep())
                && evidence.profile().steps(evidence.stacks()::callsModule).isEmpty()) {
            doubts.leave(LOADS, "its steps hardly allocate anything else: a loop that loads data looks the same");
        }
    }

    /** Where it grows from the beginning to the end, every step does the same and nothing was released, all may lie within one epoch. */
    private void weighEpochs(Evidence evidence, Ratchet test) {
        int steps = evidence.steps().count();
        int span = test.lastStep() - test.firstStep();
        if (test.releases().isEmpty()
                && span >= WHOLE * steps
                && test.clicks().size() >= WHOLE * steps
                && StepSummaries.phases(evidence).size() == 1) {
            doubts.leave(
                    WITHIN_EPOCH,
                    "nothing was released in the whole recording: what collects for the end of an epoch looks the same");
        }
    }

    /** Blocks that are freed later leave half as much doubt: a slow cache frees everything in the end. */
    private void weighDeaths(Evidence evidence, Ratchet test, IntArrayList survivors, int freedOlder) {
        int dead = freedOlder;
        int replaced = 0;
        for (int i = 0; i < survivors.size(); i++) {
            int survivor = survivors.get(i);
            int end = evidence.survivors().end(survivor);
            boolean isDead = evidence.lifetimes().died(evidence.survivors().allocation(survivor)) != Lifetimes.NEVER;
            boolean isReplaced = end == evidence.survivors().first(survivor) + 1;
            replaced += isReplaced ? 1 : 0;
            dead += isDead && !isReplaced && end <= test.end() ? 1 : 0;
        }
        double share = (double) dead / (survivors.size() + freedOlder);
        doubts.leave(
                1 - share / 2,
                dead == 0
                        ? "none of the " + survivors.size()
                                + " blocks that outlived their step was freed while it grew"
                                + (replaced > 0 ? ", unless the next one replaced it" : "")
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
