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
 * Finds functions that take far more than they keep, and thereby decide how much memory the whole job needs: mostly conversions and loads, for
 * which there are two copies for a moment. What takes much for its work and keeps little, as a model does, is no waste.
 */
final class WasteRule {
    /** The least part of the job's peak that a call must keep: one that keeps less is there for its work, not for its result. */
    private static final double KEPT = 0.1;
    /** A peak as near as this to the highest is among those that decide. */
    private static final double HIGHEST = 0.95;
    /** Less than a tenth of the peak moves no batch size. */
    private static final double WASTED = 0.1;
    /** A quarter of the peak is worth a warning: the job would fit on the next smaller device. */
    private static final double SERIOUS = 0.25;

    private WasteRule() {}

    /** The pattern in the calls of a function on a device whose highest peak is {@code peak}. */
    static void find(
            int device,
            String function,
            List<ProfiledCall> calls,
            long peak,
            ThresholdSet thresholds,
            List<FoundPattern> found) {
        List<ProfiledCall> keeping =
                calls.stream().filter(call -> call.difference() >= KEPT * peak).toList();
        long highest = Peaks.of(keeping);
        if (keeping.size() < Math.max(thresholds.fewestCalls(), 1) || highest < HIGHEST * peak) {
            return;
        }
        double efficiency = Quantile.median(Profiled.values(keeping, WasteRule::efficiency));
        double wasted = Quantile.median(Profiled.values(keeping, Peaks::ownOf));
        if (efficiency < thresholds.value(Threshold.INEFFICIENT_ALLOCATION_RATIO) && wasted >= WASTED * peak) {
            Map<String, Object> metrics =
                    NamedFigures.of("average_efficiency", efficiency, "wasted_memory", (long) wasted);
            found.add(FoundPattern.of(
                    Kind.INEFFICIENT_ALLOCATION,
                    wasted >= SERIOUS * peak ? Severity.WARNING : Severity.INFO,
                    List.of(function),
                    FunctionNames.quoted(function) + " keeps " + Numbers.percent(efficiency)
                            + " of what it allocates at its peak, which is the job's highest: "
                            + ByteSize.format(wasted) + " are freed at once",
                    metrics,
                    Suggestion.INEFFICIENCY,
                    device,
                    (long) wasted));
        }
    }

    private static double efficiency(ProfiledCall call) {
        long taken = call.peak().allocated() - call.before().allocated();
        return taken > 0 ? (double) call.difference() / taken : 1;
    }
}
