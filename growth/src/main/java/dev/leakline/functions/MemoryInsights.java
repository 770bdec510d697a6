package dev.leakline.functions;

import static dev.leakline.functions.Threshold.HIGH_MEMORY_PERCENTILE;

import dev.leakline.columns.ProfiledCall;
import dev.leakline.functions.Insights.RatedFunction;
import dev.leakline.result.FunctionReport.Impact;
import dev.leakline.result.FunctionReport.Insight;
import dev.leakline.statistics.Quantile;
import dev.leakline.text.ByteSize;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Finds noteworthy memory use on a device beside the patterns, if it matters: some function always uses most. */
final class MemoryInsights {
    /** Memory that only one function needs, and only while it runs: a quarter of all there is to be won by working in parts. */
    private static final double INTENSIVE = 0.25;

    private final ThresholdSet thresholds;

    MemoryInsights(ThresholdSet thresholds) {
        this.thresholds = thresholds;
    }

    /** Functions on a device that need much of it, and only while they run. */
    void intensive(Map<String, List<ProfiledCall>> functions, Peaks peaks, List<Insight> found) {
        List<RatedFunction> own = new ArrayList<>();
        functions.forEach((function, calls) -> {
            if (calls.size() >= thresholds.fewestCalls()) {
                own.add(new RatedFunction(function, Quantile.median(Profiled.values(calls, Peaks::ownOf))));
            }
        });
        if (own.isEmpty()) {
            return;
        }
        double limit = Quantile.of(RatedFunction.values(own), thresholds.value(HIGH_MEMORY_PERCENTILE));
        List<RatedFunction> intensive = own.stream()
                .filter(rated -> rated.value() >= limit && rated.value() > INTENSIVE * peaks.highest())
                .sorted(RatedFunction.HIGHEST_FIRST)
                .toList();
        if (!intensive.isEmpty()) {
            Map<String, Object> data = NamedFigures.of(
                    "memory_intensive_functions", RatedFunction.names(intensive),
                    "transient_memory", (long) intensive.getFirst().value(),
                    "peak_memory", peaks.highest());
            found.add(Insights.intensive(
                    data,
                    FunctionNames.quoted(intensive.getFirst().function()) + " needs "
                            + ByteSize.format(intensive.getFirst().value()) + " only while it runs; the peak is "
                            + ByteSize.format(peaks.highest()),
                    Impact.LOW));
        }
    }
}
