package dev.leakline.functions.gpumemprof;

import static dev.leakline.functions.Threshold.GAP_DRIFT_R_SQUARED;
import static dev.leakline.functions.Threshold.GAP_FRAGMENTATION_RATIO;
import static dev.leakline.functions.Threshold.GAP_RATIO_THRESHOLD;
import static dev.leakline.functions.Threshold.GAP_SPIKE_ZSCORE;

import dev.leakline.functions.NamedFigures;
import dev.leakline.functions.Rules.GapSample;
import dev.leakline.functions.Suggestion;
import dev.leakline.functions.ThresholdSet;
import dev.leakline.result.Finding.Severity;
import dev.leakline.result.FunctionReport.Gap;
import dev.leakline.result.FunctionReport.Gap.Classification;
import dev.leakline.statistics.Regression;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.hipparchus.stat.StatUtils;

/**
 * Device memory that the allocator does not explain, as gpumemprof looks at it: what is used on the device, less what the allocator reserved,
 * over time. It never shows in what gpumemprof's own trackers write, since they write what is reserved as what is used.
 */
final class GpumemprofGaps {
    private static final int FEWEST = 3;
    private static final double SPIKE_MUCH = 4;
    private static final double SPIKE_SURE = 6;
    private static final int FEWEST_FOR_DRIFT = 5;
    private static final double DRIFT_MUCH = 0.85;
    private static final double UNUSED_MUCH = 0.5;
    private static final double UNUSED_SURE = 0.6;
    private static final double MICROS = 1e6;

    private final ThresholdSet thresholds;

    GpumemprofGaps(ThresholdSet thresholds) {
        this.thresholds = thresholds;
    }

    /** Classifies the gaps, the most serious first. */
    List<Gap> find(List<GapSample> all) {
        List<GapSample> samples =
                all.stream().filter(sample -> sample.total() > 0).toList();
        double most = samples.stream()
                .mapToDouble(sample -> Math.abs((double) sample.gap() / sample.total()))
                .max()
                .orElse(0);
        if (samples.size() < FEWEST || most < thresholds.value(GAP_RATIO_THRESHOLD)) {
            return List.of();
        }
        List<Gap> found = new ArrayList<>();
        spikes(samples, found);
        drift(samples, found);
        fragmentation(samples, found);
        found.sort(Comparator.comparing(Gap::severity).thenComparingDouble(gap -> -gap.confidence()));
        return found;
    }

    private static double[] gaps(List<GapSample> samples) {
        return samples.stream().mapToDouble(GapSample::gap).toArray();
    }

    private void spikes(List<GapSample> samples, List<Gap> found) {
        double[] gaps = gaps(samples);
        double mean = new ExactMoments(gaps).mean();
        double deviation = new ExactMoments(gaps).deviation();
        List<GapSample> spikes = samples.stream()
                .filter(sample ->
                        deviation > 0 && (sample.gap() - mean) / deviation > thresholds.value(GAP_SPIKE_ZSCORE))
                .toList();
        if (!spikes.isEmpty()) {
            double highest = StatUtils.max(gaps(spikes));
            double score = (highest - mean) / deviation;
            Map<String, Object> evidence = NamedFigures.of(
                    "spike_count", (long) spikes.size(),
                    "max_gap_bytes", highest,
                    "max_zscore", rounded(score, 3),
                    "mean_gap_bytes", rounded(mean, 1),
                    "std_gap_bytes", rounded(deviation, 1));
            found.add(new Gap(
                    Classification.TRANSIENT_SPIKE,
                    score > SPIKE_MUCH ? Severity.CRITICAL : Severity.WARNING,
                    rounded(Math.min(1, score / SPIKE_SURE), 3),
                    evidence,
                    "device memory outside of the allocator stood out in " + Numbers.counted(spikes.size(), "sample")
                            + ", at up to " + ByteSize.format(highest),
                    Suggestion.texts(Suggestion.GAP_SPIKE)));
        }
    }

    private void drift(List<GapSample> samples, List<Gap> found) {
        if (samples.size() < FEWEST_FOR_DRIFT) {
            return;
        }
        double start = samples.getFirst().micros();
        double[] times =
                samples.stream().mapToDouble(sample -> sample.micros() - start).toArray();
        Regression line = Regression.of(times, gaps(samples));
        double explained = line.correlation() * line.correlation();
        if (line.slope() > 0 && explained >= thresholds.value(GAP_DRIFT_R_SQUARED)) {
            Map<String, Object> evidence = NamedFigures.of(
                    "slope_bytes_per_sec", rounded(line.slope() * MICROS, 1),
                    "r_squared", rounded(explained, 4),
                    "p_value", rounded(line.p(), 6),
                    "gap_start_bytes", (double) samples.getFirst().gap(),
                    "gap_end_bytes", (double) samples.getLast().gap());
            found.add(new Gap(
                    Classification.PERSISTENT_DRIFT,
                    explained > DRIFT_MUCH ? Severity.CRITICAL : Severity.WARNING,
                    rounded(explained, 3),
                    evidence,
                    "device memory outside of the allocator grows by " + ByteSize.format(line.slope() * MICROS)
                            + " per second",
                    Suggestion.texts(Suggestion.GAP_DRIFT)));
        }
    }

    private void fragmentation(List<GapSample> samples, List<Gap> found) {
        double[] unused = samples.stream()
                .filter(sample -> sample.reserved() > 0)
                .mapToDouble(sample -> (double) (sample.reserved() - sample.allocated()) / sample.reserved())
                .toArray();
        double mean = unused.length == 0 ? 0 : new ExactMoments(unused).mean();
        if (unused.length > 0 && mean >= thresholds.value(GAP_FRAGMENTATION_RATIO)) {
            Map<String, Object> evidence = NamedFigures.of(
                    "avg_fragmentation_ratio", rounded(mean, 4),
                    "max_fragmentation_ratio", rounded(StatUtils.max(unused), 4),
                    "avg_gap_bytes", rounded(new ExactMoments(gaps(samples)).mean(), 1),
                    "sample_count", (long) unused.length);
            found.add(new Gap(
                    Classification.FRAGMENTATION_LIKE,
                    mean > UNUSED_MUCH ? Severity.CRITICAL : Severity.WARNING,
                    rounded(Math.min(1, mean / UNUSED_SURE), 3),
                    evidence,
                    Numbers.percent(mean) + " of the reserved memory is unusable, on average",
                    Suggestion.texts(Suggestion.FRAGMENTATION)));
        }
    }

    /** Rounded as Python does it: the number that the binary one really is, half to even. */
    private static double rounded(double value, int digits) {
        return Double.isFinite(value)
                ? new BigDecimal(value).setScale(digits, RoundingMode.HALF_EVEN).doubleValue()
                : value;
    }
}
