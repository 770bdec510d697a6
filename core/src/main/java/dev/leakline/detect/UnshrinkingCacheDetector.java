package dev.leakline.detect;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.detect.GrowthGroups.Group;
import dev.leakline.known.Recording;
import dev.leakline.result.Check;
import dev.leakline.result.Finding;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Finds memory that was filled over several steps of an early stretch of the run, that nothing was added to or taken from since, and that
 * is held to the end: a cache or a list of a phase that may be over.
 *
 * <p>A recording shows who allocates and frees, never who reads. So such memory may well be in use, and what is said of it is no more than
 * that it is there. Parameters and optimizer state are none of it: they come in the set-up or within a step or two.
 */
final class UnshrinkingCacheDetector implements Detector {
    private static final String NAME = "unshrinking_cache";
    /** What is made in the first steps is what every step needs; see {@link Thresholds#DEFAULT}. */
    private static final int WARM_UP = 2;
    /** The part of the run through which it must have been left alone, so that a later phase may do without it. */
    private static final double QUIET = 0.5;
    /** Less than a tenth of the peak is not worth a change to a program. */
    private static final double LARGE = 0.1;

    @Override
    public Examination examine(Evidence evidence, Thresholds thresholds) {
        if (!evidence.canJudgeGrowth(thresholds)) {
            return Examination.notApplicable(
                    NAME,
                    Recording.needsSteps(
                            thresholds.fewestSteps(), evidence.steps().count()));
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

    /** How the memory of a line that is held to the end was filled. */
    static final class Filling {
        private final BitSet steps = new BitSet();
        private long bytes;
        private int blocks;
        private int allocation;
        private int lastDeath = -1;

        Filling(Survivors survivors, IntArrayList members, int count) {
            for (int i = 0; i < members.size(); i++) {
                int survivor = members.get(i);
                boolean isHeld = survivors.end(survivor) >= count;
                if (isHeld) {
                    steps.set(survivors.first(survivor));
                    bytes += survivors.bytes(survivor);
                    blocks++;
                    allocation = survivors.allocation(survivor);
                } else {
                    lastDeath = Math.max(lastDeath, survivors.end(survivor));
                }
            }
        }

        /** Steps after warm-up in which it was filled. */
        int steps() {
            return steps.get(WARM_UP + 1, Math.max(steps.length(), WARM_UP + 1)).cardinality();
        }

        /** The first step that filled it; set-up counts as step -1. */
        int first() {
            return steps.nextSetBit(0) - 1;
        }

        /** The last step that filled it. */
        int last() {
            return steps.length() - 2;
        }

        /** Whether the line lets go of nothing after the last step that filled it. */
        boolean isUntouched() {
            return lastDeath <= last() + 1;
        }

        /** Bytes held to the end. */
        long bytes() {
            return bytes;
        }

        /** Blocks held to the end. */
        int blocks() {
            return blocks;
        }

        /** The last of them. */
        int allocation() {
            return allocation;
        }
    }
}
