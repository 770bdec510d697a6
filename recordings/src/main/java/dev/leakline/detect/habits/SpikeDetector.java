package dev.leakline.detect.habits;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.evidence.Detector;
import dev.leakline.evidence.Evidence;
import dev.leakline.finding.FindingBuilder;
import dev.leakline.finding.Fingerprint;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.result.Check;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Advice;
import dev.leakline.result.Finding.Kind;
import dev.leakline.result.Finding.Severity;
import dev.leakline.result.Site;
import dev.leakline.site.SiteFinder;
import dev.leakline.statistics.Thresholds;
import dev.leakline.steps.StepPeaks;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds the few steps that need far more memory than all others, and so decide what the whole job needs.
 *
 * <p>The highest of them must be a tenth higher than all that do not stand out. So where many steps come that near to the peak of the whole
 * recording, as they do in most runs, there are none.
 */
public final class SpikeDetector implements Detector {
    private static final String NAME = "spike";
    /** More than one step in twenty is no exception but a kind of step. */
    private static final double FEW = 0.05;
    /** The fewest steps of which one is no more than {@link #FEW}. */
    private static final int FEWEST_STEPS = 20;
    /** Six standard deviations, which noise of the usual kind does not reach in millions of steps. */
    private static final double FAR = 6;
    /** The standard deviation of a normal distribution, in median absolute deviations. */
    private static final double NORMAL = 1.4826;
    /** Where steps are all alike, every deviation is far; less than a tenth more is not worth a word. */
    private static final double MORE = 1.1;

    @Override
    public Examination examine(Evidence evidence) {
        int count = evidence.steps().count();
        if (count < FEWEST_STEPS || !evidence.canJudgeGrowth()) {
            return Examination.notApplicable(NAME, evidence.needsSteps(FEWEST_STEPS));
        }
        long high = (long) (evidence.peakBytes() / MORE);
        StepPeaks peaks = evidence.stepPeaks();
        if (peaks.high(Thresholds.WARM_UP, high) > (int) (FEW * count)) {
            return nothing(count);
        }
        IntArrayList spikes = above(peaks, count, ordinary(peaks));
        boolean isFew = !spikes.isEmpty() && spikes.size() <= FEW * count;
        return isFew ? judge(evidence, peaks, spikes) : nothing(count);
    }

    private static Examination nothing(int count) {
        return new Examination(new Check(NAME, true, "compared " + count + " steps"), List.of(), List.of());
    }

    private static Examination judge(Evidence evidence, StepPeaks peaks, IntArrayList spikes) {
        Spikes found = new Spikes(evidence, peaks, spikes, Thresholds.WARM_UP);
        return found.highest() > MORE * found.highestOther()
                ? new Examination(
                        new Check(
                                NAME,
                                true,
                                Numbers.counted(spikes.size(), "step") + " of "
                                        + evidence.steps().count() + " stand out"),
                        List.of(found.finding()),
                        List.of())
                : nothing(evidence.steps().count());
    }

    /** The highest peak that is ordinary. */
    private static long ordinary(StepPeaks peaks) {
        long[] sorted = peaks.sorted(Thresholds.WARM_UP);
        long middle = sorted[sorted.length / 2];
        long[] distances = Arrays.stream(sorted)
                .map(peak -> Math.abs(peak - middle))
                .sorted()
                .toArray();
        double deviation = NORMAL * distances[distances.length / 2];
        return (long) Math.max(middle + FAR * deviation, MORE * middle);
    }

    private static IntArrayList above(StepPeaks peaks, int count, long limit) {
        IntArrayList above = new IntArrayList();
        for (int step = Thresholds.WARM_UP; step < count; step++) {
            if (peaks.bytes(step) > limit) {
                above.add(step);
            }
        }
        return above;
    }

    /** The steps that stand out, against a step like most: whose memory makes the difference, and the words for it. */
    private static final class Spikes {
        /** A job that could do with a fifth less memory (1 - 1/1.25) should know why it cannot. */
        private static final double SERIOUS = 1.25;
        /** Less than a hundredth of the device does not decide what fits on it. */
        private static final double SHARE_OF_DEVICE = 0.01;
        /** The device where nobody says which it is: the largest that is common, in bytes. */
        private static final double COMMON_DEVICE = 80.0 * (1L << 30);
        /** Sites and steps that are shown: enough to act on. */
        private static final int SHOWN = 3;
        /** How sure it is: the figures are, but whether the program can do without is not in them. */
        private static final double CONFIDENCE = 0.8;

        /** The additional memory of a site at the spike, compared with another step. */
        private static final class Difference {
            private final Site site;
            private final int stack;
            private long bytes;
            private int blocks;

            private Difference(Site site, int stack) {
                this.site = site;
                this.stack = stack;
            }
        }

        private final Evidence evidence;
        private final StepPeaks peaks;
        private final IntArrayList steps;
        private final int warmUp;
        private final int highest;
        private final long highestOther;

        Spikes(Evidence evidence, StepPeaks peaks, IntArrayList steps, int warmUp) {
            this.evidence = evidence;
            this.peaks = peaks;
            this.steps = steps;
            this.warmUp = warmUp;
            this.highest = highestStep();
            long[] sorted = peaks.sorted(warmUp);
            this.highestOther = sorted[sorted.length - 1 - steps.size()];
        }

        /** The peak of the highest. */
        long highest() {
            return peaks.bytes(highest);
        }

        /** The peak of the highest step that does not stand out. */
        long highestOther() {
            return highestOther;
        }

        private int highestStep() {
            int best = steps.get(0);
            for (int i = 1; i < steps.size(); i++) {
                best = peaks.bytes(steps.get(i)) > peaks.bytes(best) ? steps.get(i) : best;
            }
            return best;
        }

        /** The step whose peak is the middle one. */
        private int typicalStep() {
            long[] sorted = peaks.sorted(warmUp);
            long middle = sorted[sorted.length / 2];
            int step = warmUp;
            while (peaks.bytes(step) != middle) {
                step++;
            }
            return step;
        }

        Finding finding() {
            List<Difference> differences = differences(peaks.event(highest), peaks.event(typicalStep()));
            Difference first = differences.stream()
                    .filter(difference -> difference.site.isLine())
                    .findFirst()
                    .orElse(differences.getFirst());
            return new FindingBuilder(Kind.SPIKE, Fingerprint.of(Kind.SPIKE, evidence.path(first.site, first.stack)))
                    .severity(isSerious() ? Severity.WARNING : Severity.INFO)
                    .confidence(
                            CONFIDENCE,
                            List.of(
                                    "steps were compared with each other at their peaks; what they are for the recording does not say"))
                    .title(title())
                    .summary(summary(first))
                    .on(evidence.input(), evidence.lifetimes().device())
                    .site(first.site)
                    .stack(evidence.stacks().frames(first.stack))
                    .held(highest() - peaks.bytes(typicalStep()), first.blocks)
                    .proofs(seen(differences))
                    .advice(List.of(advice(first)))
                    .build();
        }

        /** Returns whether the spike is the peak of the whole recording, by far, and by enough to matter to the device. */
        private boolean isSerious() {
            double device = evidence.deviceBytes() > 0 ? evidence.deviceBytes() : COMMON_DEVICE;
            return highest() >= evidence.peakBytes()
                    && highest() > SERIOUS * highestOther
                    && highest() - highestOther > SHARE_OF_DEVICE * device;
        }

        private String title() {
            return Numbers.counted(steps.size(), "step") + " of "
                    + evidence.steps().count() + " took up to " + ByteSize.format(highest() - highestOther)
                    + " more than all others";
        }

        private String summary(Difference first) {
            return "Step " + highest + " came to " + ByteSize.format(highest()) + ", the others to "
                    + ByteSize.format(highestOther)
                    + " at most. " + ByteSize.format(first.bytes) + " of the difference to a usual step are of "
                    + first.site.inWords() + ".";
        }

        private List<Finding.Proof> seen(List<Difference> differences) {
            List<Finding.Proof> seen = new ArrayList<>();
            for (int i = 0; i < Math.min(steps.size(), SHOWN); i++) {
                int step = steps.get(i);
                seen.add(Finding.Proof.of("step " + step + ": " + ByteSize.format(peaks.bytes(step))
                        + " live after event " + peaks.event(step)));
            }
            differences.stream()
                    .limit(SHOWN)
                    .map(more -> Finding.Proof.at(
                            more.site,
                            ByteSize.format(more.bytes) + " more than in a usual step",
                            more.bytes,
                            more.blocks))
                    .forEach(seen::add);
            return seen;
        }

        private Advice advice(Difference first) {
            return new Advice(
                    "See what " + first.site.inWords()
                            + " is given in such steps: a longer input, a larger batch, a validation, a checkpoint;"
                            + " cap it or do it in parts",
                    "The highest step decides what the job needs.",
                    highest() - highestOther,
                    "",
                    "",
                    "",
                    null,
                    null,
                    null);
        }

        /** The sites that hold more after one event than after another, the largest difference first. */
        private List<Difference> differences(int event, int other) {
            Lifetimes lifetimes = evidence.lifetimes();
            Map<Site, Difference> bySite = new HashMap<>();
            for (int allocation = 0; allocation < lifetimes.count(); allocation++) {
                int sign =
                        (lifetimes.isLive(allocation, event) ? 1 : 0) - (lifetimes.isLive(allocation, other) ? 1 : 0);
                if (sign != 0) {
                    add(bySite, allocation, sign);
                }
            }
            return bySite.values().stream()
                    .filter(difference -> difference.bytes > 0)
                    .sorted(Comparator.comparingLong((Difference difference) -> -difference.bytes)
                            .thenComparing(difference -> difference.site.inWords()))
                    .toList();
        }

        private void add(Map<Site, Difference> bySite, int allocation, int sign) {
            SiteFinder finder = evidence.sites();
            Difference difference = bySite.computeIfAbsent(
                    finder.site(allocation), site -> new Difference(site, finder.stack(allocation)));
            difference.bytes += sign * evidence.lifetimes().held(allocation);
            difference.blocks += sign > 0 ? 1 : 0;
        }
    }
}
