package dev.leakline.functions;

import static dev.leakline.functions.Threshold.SLOW_FUNCTION_PERCENTILE;

import dev.leakline.columns.ProfiledCall;
import dev.leakline.functions.Insights.RatedFunction;
import dev.leakline.result.FunctionReport.Impact;
import dev.leakline.result.FunctionReport.Insight;
import dev.leakline.statistics.Quantile;
import dev.leakline.statistics.Regression;
import dev.leakline.text.Numbers;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.hipparchus.stat.StatUtils;
import org.hipparchus.util.FastMath;

/**
 * Finds noteworthy times of calls, if they matter: some function is always the slowest. The first calls of a function, which compile and
 * tune, are left out of all of it.
 */
final class TimeInsights {
    private static final int WARM_UP = SpikeRule.WARM_UP;
    /** Calls after the warm-up that make a mean or a spread worth a word. */
    private static final int FEWEST = 8;
    /** Seconds of a call: ten launches of a kernel. Shorter times are those of Python and of the clock. */
    private static final double LEAST = 1e-4;
    /** Functions that make an exception an exception: with fewer, the slowest is simply the one that does the work. */
    private static final int FEWEST_FUNCTIONS = 8;
    /** Tukey's outer fence. */
    private static final double FENCE = 3;
    /** The part of the time below which a function does not matter. */
    private static final double MATTERS = 0.1;
    /** A spread of half the mean, as gpumemprof has it. */
    private static final double UNSTEADY = 0.5;
    /** Calls that make a correlation of 0.7 certain: with ten it comes by chance once in forty times. */
    private static final int FEWEST_TO_CORRELATE = 10;

    private static final double CORRELATED = 0.7;
    private static final double SIGNIFICANT = 0.01;

    private final ThresholdSet thresholds;

    TimeInsights(ThresholdSet thresholds) {
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

    /** The functions whose calls can be timed, without the warm-up. */
    private static Profiled warm(Profiled profiled) {
        Map<String, List<ProfiledCall>> warm = new LinkedHashMap<>();
        profiled.calledAtLeast(WARM_UP + FEWEST)
                .forEach((function, calls) -> warm.put(function, calls.subList(WARM_UP, calls.size())));
        warm.values().removeIf(calls -> seconds(calls) < LEAST * calls.size());
        return new Profiled(profiled.calls(), warm);
    }

    private static double seconds(List<ProfiledCall> calls) {
        return StatUtils.sum(Profiled.values(calls, ProfiledCall::seconds));
    }

    private void slow(Profiled warm, List<Insight> found) {
        List<RatedFunction> means = new ArrayList<>();
        warm.functions()
                .forEach((function, calls) -> means.add(new RatedFunction(function, seconds(calls) / calls.size())));
        if (means.size() < FEWEST_FUNCTIONS) {
            return;
        }
        double[] all = RatedFunction.values(means);
        double upper = Quantile.of(all, 0.75);
        double limit = Math.max(
                upper + FENCE * (upper - Quantile.of(all, 0.25)),
                Quantile.of(all, thresholds.value(SLOW_FUNCTION_PERCENTILE)));
        double total = seconds(warm.calls());
        List<RatedFunction> slow = means.stream()
                .filter(mean -> mean.value() > limit)
                .filter(mean -> seconds(warm.functions().getOrDefault(mean.function(), List.of())) > MATTERS * total)
                .sorted(RatedFunction.HIGHEST_FIRST)
                .toList();
        if (!slow.isEmpty()) {
            found.add(Insights.slow(
                    slow,
                    RatedFunction.names(slow),
                    limit,
                    "calls of " + FunctionNames.quoted(slow.getFirst().function())
                            + " take far longer than those of the other "
                            + Numbers.counted(means.size() - 1L, "function"),
                    Impact.LOW));
        }
    }

    private static void unsteady(Profiled warm, List<Insight> found) {
        double total = seconds(warm.calls());
        List<RatedFunction> spreads = new ArrayList<>();
        warm.functions().forEach((function, calls) -> {
            double[] times = Profiled.values(calls, ProfiledCall::seconds);
            double spread = FastMath.sqrt(StatUtils.variance(times)) / StatUtils.mean(times);
            if (spread > UNSTEADY && seconds(calls) > MATTERS * total) {
                spreads.add(new RatedFunction(function, spread));
            }
        });
        if (!spreads.isEmpty()) {
            found.add(Insights.unsteady(
                    spreads,
                    "calls of "
                            + FunctionNames.quoted(
                                    RatedFunction.highest(spreads).function())
                            + " vary widely in time, even after the first few"));
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
            Map<String, Object> data = NamedFigures.of(
                    "function",
                    function,
                    "correlation_coefficient",
                    line.correlation(),
                    "interpretation",
                    Insights.interpretation(line.correlation()));
            found.add(Insights.correlated(
                    data,
                    String.format(
                            Locale.ROOT,
                            "the time of %s correlates with its memory (correlation %.2f)",
                            FunctionNames.quoted(function),
                            line.correlation()),
                    Impact.LOW));
        });
    }
}
