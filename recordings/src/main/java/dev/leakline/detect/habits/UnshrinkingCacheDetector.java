package dev.leakline.detect.habits;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.evidence.Detector;
import dev.leakline.evidence.Evidence;
import dev.leakline.finding.FindingBuilder;
import dev.leakline.finding.Fingerprint;
import dev.leakline.floor.GrowthGroups.Group;
import dev.leakline.floor.Survivors;
import dev.leakline.result.Check;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Advice;
import dev.leakline.result.Finding.Kind;
import dev.leakline.result.Finding.Severity;
import dev.leakline.result.Site;
import dev.leakline.statistics.Ratchet;
import dev.leakline.statistics.Thresholds;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;
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
public final class UnshrinkingCacheDetector implements Detector {
    private static final String NAME = "unshrinking_cache";
    /** The part of the run through which it must have been left alone, so that a later phase may do without it. */
    private static final double QUIET = 0.5;
    /** Less than a tenth of the peak is not worth a change to a program. */
    private static final double LARGE = 0.1;

    @Override
    public Examination examine(Evidence evidence) {
        if (!evidence.canJudgeGrowth()) {
            return Examination.notApplicable(NAME, evidence.needsSteps(Thresholds.FEWEST_STEPS));
        }
        List<Finding> findings = new ArrayList<>();
        for (Group group : evidence.groups().all()) {
            Filling filling = new Filling(
                    evidence.survivors(), group.survivors(), evidence.steps().count());
            if (isCache(filling, evidence) && !evidence.isOfTraining(group.kind(), filling.allocation())) {
                findings.add(new UnshrinkingCacheFinding(evidence, filling).build());
            }
        }
        Check check = new Check(NAME, true, "looked at what was allocated early and is held to the end");
        return new Examination(check, findings, List.of());
    }

    private static boolean isCache(Filling filling, Evidence evidence) {
        return filling.steps() >= Ratchet.FEWEST_RISES
                && filling.last() <= (1 - QUIET) * evidence.steps().count()
                && filling.isUntouched()
                && filling.bytes() >= LARGE * evidence.peakBytes();
    }

    /** Makes the finding of a cache that never shrinks. */
    private static final class UnshrinkingCacheFinding {
        /** Even chances: the recording shows that it is there, and not whether anybody still reads it. */
        private static final double CONFIDENCE = 0.5;

        private final Evidence evidence;
        private final Filling filling;

        UnshrinkingCacheFinding(Evidence evidence, Filling filling) {
            this.evidence = evidence;
            this.filling = filling;
        }

        Finding build() {
            Site site = evidence.sites().site(filling.allocation());
            int stack = evidence.sites().stack(filling.allocation());
            return new FindingBuilder(
                            Kind.UNSHRINKING_CACHE, Fingerprint.of(Kind.UNSHRINKING_CACHE, evidence.path(site, stack)))
                    .severity(Severity.INFO)
                    .confidence(
                            CONFIDENCE,
                            List.of(
                                    "a recording shows who allocates and frees; whether this memory is still read it does not show"))
                    .title(ByteSize.format(filling.bytes()) + " of an early phase are held to the end")
                    .summary(summary(site))
                    .on(evidence.input(), evidence.lifetimes().device())
                    .site(site)
                    .stack(evidence.stacks().frames(stack))
                    .held(filling.bytes(), filling.blocks())
                    .proofs(List.of(share(), filled(site)))
                    .advice(List.of(advice()))
                    .build();
        }

        private String summary(Site site) {
            return site.inWords() + " filled " + ByteSize.format(filling.bytes()) + " in steps "
                    + Math.max(filling.first(), 0)
                    + " to " + filling.last() + " of " + evidence.steps().count()
                    + "; nothing was added or taken away since.";
        }

        private Finding.Proof share() {
            double share = (double) filling.bytes() / Math.max(evidence.peakBytes(), 1);
            return Finding.Proof.of("it is " + Numbers.percent(share) + " of the peak");
        }

        private Finding.Proof filled(Site site) {
            return Finding.Proof.at(
                    site,
                    Numbers.amount(filling.bytes(), filling.blocks(), "block") + " held through the last step",
                    filling.bytes(),
                    filling.blocks());
        }

        private Advice advice() {
            return new Advice(
                    "If nothing after step " + filling.last() + " needs it, free it there; else keep it",
                    "It does not grow any more, and is no leak; but it takes its share of every later step.",
                    filling.bytes(),
                    "",
                    "",
                    "",
                    null,
                    null,
                    null);
        }
    }

    /** The course of filling of a line's memory that is held to the end. */
    private static final class Filling {
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
            return steps.get(Thresholds.WARM_UP + 1, Math.max(steps.length(), Thresholds.WARM_UP + 1))
                    .cardinality();
        }

        /** The first step that filled it; set-up counts as step -1. */
        int first() {
            return steps.nextSetBit(0) - 1;
        }

        /** The last step that filled it. */
        int last() {
            return steps.length() - 2;
        }

        /** Returns whether the line frees nothing after the last step that filled it. */
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
