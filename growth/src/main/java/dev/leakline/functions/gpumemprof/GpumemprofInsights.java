package dev.leakline.functions.gpumemprof;

import static dev.leakline.functions.Threshold.HIGH_MEMORY_PERCENTILE;
import static dev.leakline.functions.Threshold.SLOW_FUNCTION_PERCENTILE;

import dev.leakline.columns.ProfiledCall;
import dev.leakline.functions.Insights;
import dev.leakline.functions.Insights.RatedFunction;
import dev.leakline.functions.NamedFigures;
import dev.leakline.functions.Profiled;
import dev.leakline.functions.ThresholdSet;
import dev.leakline.result.FunctionReport.Impact;
import dev.leakline.result.FunctionReport.Insight;
import dev.leakline.statistics.Quantile;
import dev.leakline.statistics.Regression;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.hipparchus.stat.correlation.PearsonsCorrelation;

/** The insights that gpumemprof has. The numbers here are its own; users cannot set them there either. */
final class GpumemprofInsights {
    private static final int NAMED = 5;
    private static final int MANY_SLOW = 3;
    private static final double UNSTEADY = 0.5;
    private static final int FEWEST_TO_CORRELATE = 10;
    private static final double CORRELATED = 0.7;
    private static final int FEWEST_FOR_TREND = 5;
    private static final double TREND = 0.5;
    private static final double SIGNIFICANT = 0.05;
    private static final double FAST_GROWTH = 1e6;

    private final ThresholdSet thresholds;

    GpumemprofInsights(ThresholdSet thresholds) {
        this.thresholds = thresholds;
    }

    List<Insight> find(Profiled profiled) {
        List<Insight> found = new ArrayList<>();
        slow(profiled, found);
        unsteady(profiled, found);
        intensive(profiled, found);
        correlated(profiled, found);
        trend(profiled, found);
        return found;
    }

    /** A figure of the times of each function that was called often enough. */
    private List<RatedFunction> rate(Profiled profiled, ToDoubleFunction<ExactMoments> figure) {
        List<RatedFunction> rated = new ArrayList<>();
        profiled.calledAtLeast(Math.max(thresholds.fewestCalls(), 1)).forEach((function, calls) -> {
            double[] times = Profiled.values(calls, ProfiledCall::seconds);
            rated.add(new RatedFunction(function, figure.applyAsDouble(new ExactMoments(times))));
        });
        return rated;
    }

    private void slow(Profiled profiled, List<Insight> found) {
        List<RatedFunction> means = rate(profiled, ExactMoments::mean);
        if (means.isEmpty()) {
            return;
        }
        double limit = Quantile.of(RatedFunction.values(means), thresholds.value(SLOW_FUNCTION_PERCENTILE));
        List<RatedFunction> slow = means.stream()
                .filter(mean -> mean.value() > limit)
                .sorted(RatedFunction.HIGHEST_FIRST)
                .toList();
        if (!slow.isEmpty()) {
            found.add(Insights.slow(
                    slow,
                    first(RatedFunction.names(slow)),
                    limit,
                    Numbers.counted(slow.size(), "function") + " took longer than the others, on average",
                    slow.size() > MANY_SLOW ? Impact.HIGH : Impact.MEDIUM));
        }
    }

    private static List<String> first(List<String> names) {
        return names.subList(0, Math.min(names.size(), NAMED));
    }

    private void unsteady(Profiled profiled, List<Insight> found) {
        List<RatedFunction> spreads =
                rate(profiled, moments -> moments.mean() > 0 ? moments.deviation() / moments.mean() : 0).stream()
                        .filter(spread -> spread.value() > UNSTEADY)
                        .toList();
        if (!spreads.isEmpty()) {
            found.add(Insights.unsteady(
                    spreads, "calls of " + Numbers.counted(spreads.size(), "function") + " vary widely in time"));
        }
    }

    private void intensive(Profiled profiled, List<Insight> found) {
        List<ProfiledCall> timed =
                profiled.calls().stream().filter(call -> call.seconds() > 0).toList();
        if (timed.isEmpty()) {
            return;
        }
        double limit = Quantile.of(
                Profiled.values(timed, GpumemprofInsights::bytesPerSecond), thresholds.value(HIGH_MEMORY_PERCENTILE));
        Set<String> functions = new LinkedHashSet<>();
        timed.stream().filter(call -> bytesPerSecond(call) > limit).forEach(call -> functions.add(call.function()));
        if (!functions.isEmpty()) {
            Map<String, Object> data = NamedFigures.of(
                    "memory_intensive_functions", first(List.copyOf(functions)), "threshold_ratio", limit);
            found.add(Insights.intensive(
                    data,
                    Numbers.counted(functions.size(), "function") + " allocated more per second than the others",
                    Impact.MEDIUM));
        }
    }

    private static double bytesPerSecond(ProfiledCall call) {
        return call.allocated() / call.seconds();
    }

    private static void correlated(Profiled profiled, List<Insight> found) {
        List<ProfiledCall> calls = profiled.calls();
        if (calls.size() < FEWEST_TO_CORRELATE) {
            return;
        }
        double r = new PearsonsCorrelation()
                .correlation(
                        Profiled.values(calls, ProfiledCall::seconds), Profiled.values(calls, ProfiledCall::allocated));
        if (Math.abs(r) > CORRELATED) {
            Map<String, Object> data =
                    NamedFigures.of("correlation_coefficient", r, "interpretation", Insights.interpretation(r));
            String text = String.format(
                    Locale.ROOT, "the time of calls correlates with the memory they allocate (correlation %.2f)", r);
            found.add(Insights.correlated(data, text, Impact.MEDIUM));
        }
    }

    private static void trend(Profiled profiled, List<Insight> found) {
        if (profiled.calls().size() < FEWEST_FOR_TREND) {
            return;
        }
        List<ProfiledCall> calls = profiled.calls().stream()
                .sorted(Comparator.comparingDouble(call -> call.before().time()))
                .toList();
        double start = calls.getFirst().before().time();
        double[] times = Profiled.values(calls, call -> call.before().time() - start);
        Regression line =
                Regression.of(times, Profiled.values(calls, call -> call.after().allocated()));
        double r = line.correlation();
        if (line.slope() > 0 && Math.abs(r) > TREND && line.p() < SIGNIFICANT) {
            found.add(Insights.trend(
                    line,
                    times[times.length - 1],
                    "allocated memory grows by " + ByteSize.format(line.slope()) + " per second",
                    line.slope() > FAST_GROWTH ? Impact.HIGH : Impact.MEDIUM));
        }
    }
}
