package dev.leakline.detect.habits;

import dev.leakline.evidence.Detector;
import dev.leakline.evidence.Evidence;
import dev.leakline.floor.GrowthGroups.Group;
import dev.leakline.result.Check;
import dev.leakline.result.Finding;
import dev.leakline.statistics.Thresholds;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds memory that was filled over several steps of an early stretch of the run, that nothing was added to or taken from since, and that
 * is held to the end: a cache or a list of a phase that may be over.
 *
 * <p>A recording shows who allocates and frees, never who reads. So such memory may well be in use, and what is said of it is no more than
 * that it is there. Parameters and optimizer state are none of it: they come in the set-up or within a step or two.
 */
public final class UnshrinkingCacheDetector implements Detector {
    private static final String NAME = "unshrinking_cache";
    /** The part of the run through which it must have been left alone, so that a later phase may do without it. */
    private static final double QUIET = 0.5;
    /** Less than a tenth of the peak is not worth a change to a program. */
    private static final double LARGE = 0.1;

    @Override
    public Examination examine(Evidence evidence, Thresholds thresholds) {
        if (!evidence.canJudgeGrowth(thresholds)) {
            return Examination.notApplicable(NAME, evidence.needsSteps(thresholds.fewestSteps()));
        }
        List<Finding> findings = new ArrayList<>();
        for (Group group : evidence.groups().all()) {
            Filling filling = new Filling(
                    evidence.survivors(), group.survivors(), evidence.steps().count());
            if (isCache(filling, evidence, thresholds) && !makesState(evidence, filling)) {
                findings.add(new UnshrinkingCacheFinding(evidence, filling).build());
            }
        }
        Check check = new Check(NAME, true, "looked at what was allocated early and is held to the end");
        return new Examination(check, findings, List.of());
    }

    private static boolean isCache(Filling filling, Evidence evidence, Thresholds thresholds) {
        return filling.steps() >= thresholds.fewestRises()
                && filling.last() <= (1 - QUIET) * evidence.steps().count()
                && filling.isUntouched()
                && filling.bytes() >= LARGE * evidence.peakBytes();
    }

    /** Optimizers make state for each parameter when they first see a gradient of it, which may be late. */
    private static boolean makesState(Evidence evidence, Filling filling) {
        return evidence.stacks().makesOptimizerState(evidence.sites().stack(filling.allocation()));
    }
}
