package dev.leakline.patterns;

import static dev.leakline.patterns.Threshold.HIGH_MEMORY_PERCENTILE;
import static dev.leakline.patterns.Threshold.SLOW_FUNCTION_PERCENTILE;

import dev.leakline.columns.ProfiledCall;
import dev.leakline.result.FunctionReport.Impact;
import dev.leakline.result.FunctionReport.Insight;
import dev.leakline.result.FunctionReport.Insight.Category;
import dev.leakline.statistics.Quantile;
import dev.leakline.statistics.Regression;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.hipparchus.stat.StatUtils;
import org.hipparchus.util.FastMath;

/**
 * What stands out beside the patterns, where it matters: something is always the slowest, and something always takes most.
 *
 * <p>The first calls of a function, which compile and tune, are left out of all of it.
 */
final class LeaklineInsights {
    private static final int WARM_UP = SpikeRule.WARM_UP;
    /** Calls after the warm-up that make a mean or a spread worth a word. */
    private static final int FEWEST = 8;
    /** Functions that make an exception an exception: with fewer, the slowest is simply the one that does the work. */
    private static final int FEWEST_FUNCTIONS = 8;
    /** Tukey's outer fence. */
    private static final double FENCE = 3;
    /** Who takes less than a tenth of the time, or of the memory, changes nothing by taking none. */
    private static final double MATTERS = 0.1;
    /** A spread of half the mean, as gpumemprof has it. */
    private static final double UNSTEADY = 0.5;
    /** Memory that only one function needs, and only while it runs: a quarter of all there is to be won by working in parts. */
    private static final double INTENSIVE = 0.25;
    /** Calls that make a correlation of 0.7 certain: with ten it comes by chance once in forty times. */
    private static final int FEWEST_TO_CORRELATE = 10;

    private static final double CORRELATED = 0.7;
    private static final double SIGNIFICANT = 0.01;
    /** Half of the variance of what is allocated is the trend's. */
    private static final double TREND = 0.7;

    private final Thresholds thresholds;

    LeaklineInsights(Thresholds thresholds) {
        this.thresholds = thresholds;
    }

    List<Insight> find(Profiled profiled) {
        List<Insight> found = new ArrayList<>();
        Profiled warm = warm(profiled);
        slow(warm, found);
        unsteady(warm, found);
        correlated(warm, found);
        return found;
    }

    private static Profiled warm(Profiled profiled) {
        Map<String, List<ProfiledCall>> warm = new LinkedHashMap<>();
        profiled.calledAtLeast(WARM_UP + FEWEST)
                .forEach((function, calls) -> warm.put(function, calls.subList(WARM_UP, calls.size())));
        return new Profiled(profiled.calls(), warm);
    }

    private static double seconds(List<ProfiledCall> calls) {
        return StatUtils.sum(Profiled.values(calls, ProfiledCall::seconds));
    }

    private void slow(Profiled warm, List<Insight> found) {
        List<Rated> means = new ArrayList<>();
        warm.functions().forEach((function, calls) -> means.add(new Rated(function, seconds(calls) / calls.size())));
        if (means.size() < FEWEST_FUNCTIONS) {
            return;
        }
        double[] all = Rated.values(means);
        double upper = Quantile.of(all, 0.75);
        double limit = Math.max(
                upper + FENCE * (upper - Quantile.of(all, 0.25)),
                Quantile.of(all, thresholds.value(SLOW_FUNCTION_PERCENTILE)));
        double total = seconds(warm.calls());
        List<Rated> slow = means.stream()
                .filter(mean -> mean.value() > limit)
                .filter(mean -> seconds(warm.functions().getOrDefault(mean.function(), List.of())) > MATTERS * total)
                .sorted(Rated.HIGHEST_FIRST)
                .toList();
        if (!slow.isEmpty()) {
            Map<String, Object> data = new LinkedHashMap<>();
            data.put("slow_functions", Rated.names(slow));
            data.put("slowest_function", slow.getFirst().function());
            data.put("slowest_time", slow.getFirst().value());
            data.put("threshold", limit);
            found.add(new Insight(
                    Category.EXECUTION_TIME,
                    Titles.SLOW,
                    "calls of " + Words.quoted(slow.getFirst().function()) + " take far longer than those of the other "
                            + Words.count(means.size() - 1L, "function"),
                    Impact.LOW,
                    0.8,
                    data,
                    Suggestion.texts(Suggestion.SLOW)));
        }
    }

    private static void unsteady(Profiled warm, List<Insight> found) {
        double total = seconds(warm.calls());
        List<Rated> spreads = new ArrayList<>();
        warm.functions().forEach((function, calls) -> {
            double[] times = Profiled.values(calls, ProfiledCall::seconds);
            double spread = FastMath.sqrt(StatUtils.variance(times)) / StatUtils.mean(times);
            if (spread > UNSTEADY && seconds(calls) > MATTERS * total) {
                spreads.add(new Rated(function, spread));
            }
        });
        if (!spreads.isEmpty()) {
            Rated worst = spreads.stream().sorted(Rated.HIGHEST_FIRST).toList().getFirst();
            Map<String, Object> data = new LinkedHashMap<>();
            data.put("variable_functions", Rated.names(spreads));
            data.put("highest_variance", List.of(worst.function(), worst.value()));
            found.add(new Insight(
                    Category.EXECUTION_TIME,
                    Titles.UNSTEADY,
                    "calls of " + Words.quoted(worst.function())
                            + " take now long and now short, even after the first few",
                    Impact.MEDIUM,
                    0.7,
                    data,
                    Suggestion.texts(Suggestion.UNSTEADY)));
        }
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
            Map<String, Object> data = new LinkedHashMap<>();
            data.put("memory_intensive_functions", Rated.names(intensive));
            data.put("transient_memory", (long) intensive.getFirst().value());
            data.put("peak_memory", peaks.highest());
            found.add(new Insight(
                    Category.MEMORY_EFFICIENCY,
                    Titles.INTENSIVE,
                    Words.quoted(intensive.getFirst().function()) + " needs "
                            + Words.size(intensive.getFirst().value()) + " only while it runs, of a peak of "
                            + Words.size(peaks.highest()),
                    Impact.LOW,
                    0.75,
                    data,
                    Suggestion.texts(Suggestion.INTENSIVE)));
        }
    }

    private static void correlated(Profiled warm, List<Insight> found) {
        double total = seconds(warm.calls());
        Map<String, Regression> lines = new LinkedHashMap<>();
        warm.functions().forEach((function, calls) -> {
            if (calls.size() >= FEWEST_TO_CORRELATE && seconds(calls) > MATTERS * total) {
                Regression line = Regression.of(
                        Profiled.values(calls, Peaks::takenBy), Profiled.values(calls, ProfiledCall::seconds));
                if (Math.abs(line.correlation()) > CORRELATED && line.p() < SIGNIFICANT) {
                    lines.put(function, line);
                }
            }
        });
        lines.forEach((function, line) -> {
            Map<String, Object> data = new LinkedHashMap<>();
            data.put("function", function);
            data.put("correlation_coefficient", line.correlation());
            data.put("interpretation", line.correlation() > 0 ? "positive" : "negative");
            found.add(new Insight(
                    Category.CORRELATION,
                    Titles.CORRELATED,
                    String.format(
                            Locale.ROOT,
                            "how long %s takes goes with how much memory it takes (correlation %.2f)",
                            Words.quoted(function),
                            line.correlation()),
                    Impact.LOW,
                    0.8,
                    data,
                    Suggestion.texts(Suggestion.CORRELATED)));
        });
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
            Map<String, Object> data = new LinkedHashMap<>();
            data.put("growth_rate", line.slope());
            data.put("correlation", line.correlation());
            data.put("p_value", line.p());
            data.put("time_span", times[times.length - 1]);
            found.add(new Insight(
                    Category.TEMPORAL,
                    Titles.TREND,
                    "what stays allocated between the calls of " + Words.quoted(rounds.function()) + " rises by "
                            + Words.size(line.slope()) + " per second, though not steadily enough to be called a leak",
                    Impact.MEDIUM,
                    line.correlation(),
                    data,
                    Suggestion.texts(Suggestion.TREND)));
        }
    }
}
