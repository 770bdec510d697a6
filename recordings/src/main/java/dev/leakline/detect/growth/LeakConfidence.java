package dev.leakline.detect.growth;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.evidence.Evidence;
import dev.leakline.finding.Doubts;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.result.StepSummary;
import dev.leakline.statistics.Ratchet;
import dev.leakline.statistics.Slope;
import dev.leakline.text.Numbers;
import java.util.Locale;

/** Computes the confidence of a leak, which is the evidence of its growth, and lists what else to know of it. */
final class LeakConfidence {
    /** Growth that fills nearly all of the recording. */
    private static final double WHOLE = 0.9;
    /** Missing frees that matter, as a share of all allocations: a single one of a hundred does not make a floor rise. */
    private static final double FEW_LOST = 0.01;

    private final Doubts doubts;

    /** {@code freedOlder} blocks of the line, from before the recording, were freed. */
    LeakConfidence(Evidence evidence, Ratchet test, IntArrayList survivors, Slope slope, int freedOlder) {
        int steps = evidence.steps().count();
        this.doubts = Doubts.ofGrowth(
                test.evidence(),
                Numbers.counted(steps, "step"),
                "the floor rose permanently in " + test.clicks().size() + " of " + steps + " steps",
                deaths(evidence, test, survivors, freedOlder));
        if (slope.low() <= 0) {
            doubts.note("it comes so unevenly that its rate may be zero (95 % confidence)");
        }
        if (freedOlder == 0 && mayBeAnEpoch(evidence, test)) {
            doubts.note(
                    "nothing was released in the whole recording: what collects for the end of an epoch looks the same");
        }
        if (evidence.steps().kind() == StepSummary.Kind.RECURRENCE) {
            doubts.note("steps were inferred from stacks, since no ranges mark them");
        }
        int lost = evidence.lifetimes().lostFrees();
        if (lost > FEW_LOST * evidence.lifetimes().count()) {
            doubts.note(lost + " frees are missing from the recording");
        }
    }

    /** Returns whether it grows from the beginning to the end, every step does the same and nothing was released. */
    private static boolean mayBeAnEpoch(Evidence evidence, Ratchet test) {
        int steps = evidence.steps().count();
        return test.releases().isEmpty()
                && test.clicks().size() >= WHOLE * steps
                && StepSummaries.phases(evidence).size() == 1;
    }

    private static String deaths(Evidence evidence, Ratchet test, IntArrayList survivors, int freedOlder) {
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
        return dead == 0
                ? "none of the " + survivors.size() + " blocks that outlived their step was freed while it grew"
                        + (replaced > 0 ? ", unless the next one replaced it" : "")
                : String.format(
                        Locale.ROOT, "%.0f %% of the blocks that outlived their step were freed later", share * 100);
    }

    /** All doubts together. */
    Doubts doubts() {
        return doubts;
    }
}
