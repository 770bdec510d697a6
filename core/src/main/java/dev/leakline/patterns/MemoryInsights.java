package dev.leakline.patterns;

import static dev.leakline.patterns.Threshold.HIGH_MEMORY_PERCENTILE;

import dev.leakline.columns.ProfiledCall;
import dev.leakline.result.FunctionReport.Impact;
import dev.leakline.result.FunctionReport.Insight;
import dev.leakline.statistics.Quantile;
import dev.leakline.statistics.Regression;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What stands out in the memory of a device beside the patterns, where it matters: something always takes most. */
final class MemoryInsights {
    /** Memory that only one function needs, and only while it runs: a quarter of all there is to be won by working in parts. */
    private static final double INTENSIVE = 0.25;
    /** Half of the variance of what is allocated is the trend's. */
    private static final double TREND = 0.7;

    private static final double SIGNIFICANT = 0.01;

    private final Thresholds thresholds;

    MemoryInsights(Thresholds thresholds) {
        this.thresholds = thresholds;
    }

    /** Functions on a device that need much of it, and only while they run. */
    void intensive(Map<String, List<ProfiledCall>> functions, Peaks peaks, List<Insight> found) {
        List<Rated> own = new ArrayList<>();
        functions.forEach((function, calls) -> {
            if (calls.size() >= thresholds.fewestCalls()) {
                own.add(new Rated(function, Quantile.median(Profiled.values(calls, Peaks::ownOf))));
            }
        });
        if (own.isEmpty()) {
            return;
        }
        double limit = Quantile.of(Rated.values(own), thresholds.value(HIGH_MEMORY_PERCENTILE));
        List<Rated> intensive = own.stream()
                .filter(rated -> rated.value() >= limit && rated.value() > INTENSIVE * peaks.highest())
                .sorted(Rated.HIGHEST_FIRST)
                .toList();
        if (!intensive.isEmpty()) {
            Map<String, Object> data = Figures.of(
                    "memory_intensive_functions", Rated.names(intensive),
                    "transient_memory", (long) intensive.getFirst().value(),
                    "peak_memory", peaks.highest());
            found.add(Insights.intensive(
                    data,
                    Words.quoted(intensive.getFirst().function()) + " needs "
                            + Words.size(intensive.getFirst().value()) + " only while it runs, of a peak of "
                            + Words.size(peaks.highest()),
                    Impact.LOW));
        }
    }

    /** Growth on a device where nothing is known to leak; {@code rounds} is its longest loop. */
    void trend(Rounds rounds, List<Insight> found) {
        long[] floor = rounds.floor();
        double[] times = new double[floor.length];
        double[] levels = new double[floor.length];
        for (int i = 0; i < floor.length; i++) {
            times[i] = rounds.time(i) - rounds.time(0);
            levels[i] = floor[i];
        }
        Regression line = Regression.ofSeries(times, levels);
        if (line.slope() > 0 && line.correlation() > TREND && line.p() < SIGNIFICANT) {
            found.add(Insights.trend(
                    line,
                    times[times.length - 1],
                    "what stays allocated between the calls of " + Words.quoted(rounds.function()) + " rises by "
                            + Words.size(line.slope()) + " per second, though not steadily enough to be called a leak",
                    Impact.MEDIUM));
        }
    }
}
