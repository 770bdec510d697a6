package dev.leakline.functions;

import dev.leakline.columns.ProfiledCall;
import dev.leakline.result.Finding.Severity;
import dev.leakline.result.FunctionReport.MemoryPattern.Kind;
import dev.leakline.statistics.Quantile;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;
import java.util.List;
import java.util.Map;

/** Finds the few calls of a function that take far more than its others at their peaks. Functions are not compared with one another. */
final class SpikeRule {
    /** Calls at the beginning that tune kernels and make what every call needs, such as optimizer state. */
    static final int WARM_UP = 2;
    /** With fewer calls a quartile is a single one. */
    private static final int FEWEST = 8;
    /** Tukey's outer fence: of values that are spread in the usual way, one in four hundred thousand lies beyond. */
    private static final double FENCE = 3;
    /** Where calls are all alike, every byte is beyond the fence; what is less than double is no spike to look at. */
    private static final double DOUBLE = 2;
    /** Less than a tenth of the job's peak does not decide what fits on a device. */
    private static final double MUCH = 0.1;
    /** Higher than all other calls by a tenth: the job could do with less memory but for these. */
    private static final double DECISIVE = 1.1;

    private SpikeRule() {}

    /** The pattern in the calls of a function on a device. */
    static void find(int device, String function, List<ProfiledCall> calls, Peaks peaks, List<FoundPattern> found) {
        if (calls.size() < WARM_UP + FEWEST) {
            return;
        }
        List<ProfiledCall> warm = calls.subList(WARM_UP, calls.size());
        double[] taken = Profiled.values(warm, Peaks::takenBy);
        double upper = Quantile.of(taken, 0.75);
        double median = Quantile.median(taken);
        double limit = Math.max(
                Math.max(upper + FENCE * (upper - Quantile.of(taken, 0.25)), DOUBLE * median),
                median + MUCH * peaks.highest());
        List<ProfiledCall> spikes =
                warm.stream().filter(call -> Peaks.takenBy(call) > limit).toList();
        if (!spikes.isEmpty()) {
            long most = spikes.stream().mapToLong(Peaks::takenBy).max().orElse(0);
            List<ProfiledCall> others =
                    calls.stream().filter(call -> Peaks.takenBy(call) <= limit).toList();
            boolean isDecisive = Peaks.of(spikes) >= DECISIVE * Math.max(Peaks.of(others), peaks.highestBut(function));
            Map<String, Object> metrics = NamedFigures.of(
                    "spike_count", (long) spikes.size(),
                    "spike_threshold", limit,
                    "max_allocation", most,
                    "median_allocation", median);
            found.add(FoundPattern.of(
                    Kind.MEMORY_SPIKES,
                    isDecisive ? Severity.WARNING : Severity.INFO,
                    List.of(function),
                    Numbers.counted(spikes.size(), "call") + " of " + FunctionNames.quoted(function)
                            + " allocated up to "
                            + ByteSize.format(most) + "; most allocate " + ByteSize.format(median)
                            + (isDecisive ? "; they set the job's peak" : ""),
                    metrics,
                    Suggestion.SPIKES,
                    device,
                    most));
        }
    }
}
