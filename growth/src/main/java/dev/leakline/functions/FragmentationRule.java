package dev.leakline.functions;

import dev.leakline.columns.ProfiledCall;
import dev.leakline.result.Finding.Severity;
import dev.leakline.result.FunctionReport.MemoryPattern.Kind;
import dev.leakline.statistics.Quantile;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;
import java.util.List;
import java.util.Map;

/**
 * Finds memory that is reserved and of no use, because it is free in pieces of blocks that are otherwise in use.
 *
 * <p>What is reserved and not allocated is mostly a cache: it was needed at the peak, and will be again, or goes back in need. So only free
 * parts of split blocks count, and of them only what would be free at the peak too. Warm-up is over in the second half of the calls.
 */
final class FragmentationRule {
    /** The requests between 1 and 10 MiB share segments of 20 MiB, of which every run has some half empty: the free halves of twenty. */
    private static final long LEAST = 200 * ByteSize.MIB;
    /** Half of the reserved memory, and as much as a large layer's activations: the next failing request is likely due to it. */
    private static final double SERIOUS = 0.5;

    private static final long LARGE = ByteSize.GIB;

    private FragmentationRule() {}

    /** The pattern in the calls on a device, if it is there. */
    static void find(int device, List<ProfiledCall> calls, ThresholdSet thresholds, List<FoundPattern> found) {
        List<ProfiledCall> late = calls.subList(calls.size() / 2, calls.size()).stream()
                .filter(call -> call.after().reserved() > 0)
                .toList();
        if (late.size() < thresholds.fewestCalls()) {
            return;
        }
        long peak = Peaks.of(late);
        double lost = Quantile.median(Profiled.values(late, call -> lost(call, peak)));
        double ratio = Quantile.median(Profiled.values(
                late, call -> lost(call, peak) / (double) call.after().reserved()));
        if (lost >= LEAST && ratio > thresholds.value(Threshold.FRAGMENTATION_RATIO)) {
            boolean isSerious = ratio > SERIOUS && lost >= LARGE;
            List<String> functions =
                    late.stream().map(ProfiledCall::function).distinct().toList();
            Map<String, Object> metrics = NamedFigures.of("fragmentation_ratio", ratio, "unusable_memory", (long) lost);
            found.add(FoundPattern.of(
                    Kind.FRAGMENTATION,
                    isSerious ? Severity.CRITICAL : Severity.WARNING,
                    functions,
                    ByteSize.format(lost) + " of the reserved memory, " + Numbers.percent(ratio)
                            + ", are free between live blocks, and even the peak does not need them",
                    metrics,
                    Suggestion.FRAGMENTATION,
                    device,
                    (long) lost));
        }
    }

    /** The bytes free in pieces after a call that would still be so at the peak. */
    private static long lost(ProfiledCall call, long peak) {
        return Math.max(Math.min(call.after().inactive(), call.after().reserved() - peak), 0);
    }
}
