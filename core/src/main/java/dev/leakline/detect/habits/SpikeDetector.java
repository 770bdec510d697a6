package dev.leakline.detect.habits;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.evidence.Detector;
import dev.leakline.evidence.Evidence;
import dev.leakline.result.Check;
import dev.leakline.statistics.Thresholds;
import dev.leakline.steps.StepPeaks;
import dev.leakline.text.Numbers;
import java.util.Arrays;
import java.util.List;

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
    /** So fewer steps than this have none that are few. */
    private static final int FEWEST_STEPS = 20;
    /** Six standard deviations, which noise of the usual kind does not reach in millions of steps. */
    private static final double FAR = 6;
    /** The standard deviation of a normal distribution, in median absolute deviations. */
    private static final double NORMAL = 1.4826;
    /** Where steps are all alike, every deviation is far; less than a tenth more is not worth a word. */
    private static final double MORE = 1.1;

    @Override
    public Examination examine(Evidence evidence, Thresholds thresholds) {
        int count = evidence.steps().count();
        if (count < FEWEST_STEPS || !evidence.canJudgeGrowth(thresholds)) {
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
}
