package dev.leakline.functions.gpumemprof;

import static dev.leakline.functions.Threshold.FRAGMENTATION_RATIO;
import static dev.leakline.functions.Threshold.INEFFICIENT_ALLOCATION_RATIO;
import static dev.leakline.functions.Threshold.MEMORY_LEAK_RATIO;

import dev.leakline.columns.ProfiledCall;
import dev.leakline.functions.FoundPattern;
import dev.leakline.functions.FunctionNames;
import dev.leakline.functions.Insights.RatedFunction;
import dev.leakline.functions.NamedFigures;
import dev.leakline.functions.Profiled;
import dev.leakline.functions.Suggestion;
import dev.leakline.functions.ThresholdSet;
import dev.leakline.result.Finding.Severity;
import dev.leakline.result.FunctionReport.MemoryPattern.Kind;
import dev.leakline.statistics.Quantile;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hipparchus.stat.StatUtils;

/** The patterns that gpumemprof finds. The numbers here are its own; users cannot set them there either. */
final class GpumemprofPatterns {
    private static final long LEAKED = 100 * ByteSize.MIB;
    private static final long LEAKED_MUCH = ByteSize.GIB;
    private static final double FRAGMENTED_MUCH = 0.5;
    private static final double WHISKER = 1.5;
    private static final int FEWEST_ALLOCATIONS = 3;
    private static final int MANY_SPIKES = 5;
    private static final int OFTEN = 10;
    private static final long SMALL = 50 * ByteSize.MIB;
    private static final int NAMED = 5;

    private final ThresholdSet thresholds;

    GpumemprofPatterns(ThresholdSet thresholds) {
        this.thresholds = thresholds;
    }

    List<FoundPattern> find(Profiled profiled) {
        List<FoundPattern> found = new ArrayList<>();
        profiled.calledAtLeast(thresholds.fewestCalls()).forEach((function, calls) -> leak(function, calls, found));
        fragmentation(profiled, found);
        inefficiency(profiled, found);
        spikes(profiled, found);
        repetition(profiled, found);
        return found;
    }

    private void leak(String function, List<ProfiledCall> calls, List<FoundPattern> found) {
        long total = calls.stream().mapToLong(ProfiledCall::difference).sum();
        long growing = calls.stream().filter(call -> call.difference() > 0).count();
        double ratio = (double) growing / calls.size();
        if (ratio > thresholds.value(MEMORY_LEAK_RATIO) && total > LEAKED) {
            Map<String, Object> metrics = NamedFigures.of(
                    "total_memory_growth",
                    total,
                    "average_growth_per_call",
                    (double) total / calls.size(),
                    "positive_growth_ratio",
                    ratio,
                    "call_count",
                    (long) calls.size());
            Severity severity = total > LEAKED_MUCH ? Severity.CRITICAL : Severity.WARNING;
            String text = "more memory is allocated after calls of " + FunctionNames.quoted(function) + " than before, "
                    + ByteSize.format(total) + " in total";
            found.add(FoundPattern.of(
                    Kind.MEMORY_LEAK,
                    severity,
                    List.of(function),
                    text,
                    metrics,
                    Suggestion.leak(function),
                    calls.getFirst().after().device(),
                    total));
        }
    }

    private void fragmentation(Profiled profiled, List<FoundPattern> found) {
        List<ProfiledCall> reserving = profiled.calls().stream()
                .filter(call -> call.after().reserved() > 0)
                .toList();
        double[] ratios = Profiled.values(reserving, GpumemprofPatterns::unused);
        double limit = thresholds.value(FRAGMENTATION_RATIO);
        double mean = ratios.length == 0 ? 0 : new ExactMoments(ratios).mean();
        if (mean > limit) {
            Set<String> functions = new LinkedHashSet<>();
            reserving.stream().filter(call -> unused(call) > limit).forEach(call -> functions.add(call.function()));
            Map<String, Object> metrics = NamedFigures.of(
                    "average_fragmentation",
                    mean,
                    "max_fragmentation",
                    StatUtils.max(ratios),
                    "high_fragmentation_functions",
                    (long) functions.size());
            Severity severity = mean > FRAGMENTED_MUCH ? Severity.CRITICAL : Severity.WARNING;
            String text = Numbers.percent(mean) + " of the reserved memory is not allocated when calls end, on average";
            found.add(FoundPattern.of(
                    Kind.FRAGMENTATION,
                    severity,
                    List.copyOf(functions),
                    text,
                    metrics,
                    Suggestion.FRAGMENTATION,
                    profiled.device(),
                    0));
        }
    }

    private static double unused(ProfiledCall call) {
        return (double) (call.after().reserved() - call.after().allocated())
                / call.after().reserved();
    }

    private void inefficiency(Profiled profiled, List<FoundPattern> found) {
        double limit = thresholds.value(INEFFICIENT_ALLOCATION_RATIO);
        List<RatedFunction> means = new ArrayList<>();
        profiled.functions().forEach((function, calls) -> {
            double[] low = Arrays.stream(Profiled.values(calls, GpumemprofPatterns::used))
                    .filter(used -> used < limit)
                    .toArray();
            if (low.length >= Math.max(thresholds.fewestCalls(), 1)) {
                means.add(new RatedFunction(function, new ExactMoments(low).mean()));
            }
        });
        if (!means.isEmpty()) {
            double mean = new ExactMoments(RatedFunction.values(means)).mean();
            Map<String, Object> metrics =
                    NamedFigures.of("inefficient_function_count", (long) means.size(), "average_efficiency", mean);
            found.add(FoundPattern.of(
                    Kind.INEFFICIENT_ALLOCATION,
                    Severity.WARNING,
                    RatedFunction.names(means),
                    "calls use " + Numbers.percent(mean) + " of what they allocate, on average",
                    metrics,
                    Suggestion.INEFFICIENCY,
                    profiled.device(),
                    0));
        }
    }

    /** The memory that a call takes at its peak, as a part of what it keeps; infinite where it keeps or takes none. */
    private static double used(ProfiledCall call) {
        long use = call.peak().allocated() - call.before().allocated();
        return call.allocated() > 0 && use > 0 ? (double) use / call.allocated() : Double.POSITIVE_INFINITY;
    }

    private static void spikes(Profiled profiled, List<FoundPattern> found) {
        double[] sizes = profiled.calls().stream()
                .filter(call -> call.allocated() > 0)
                .mapToDouble(ProfiledCall::allocated)
                .sorted()
                .toArray();
        if (sizes.length < FEWEST_ALLOCATIONS) {
            return;
        }
        double upper = Quantile.of(sizes, 0.75);
        double limit = upper + WHISKER * (upper - Quantile.of(sizes, 0.25));
        List<ProfiledCall> spikes = profiled.calls().stream()
                .filter(call -> call.allocated() > 0 && call.allocated() > limit)
                .toList();
        if (!spikes.isEmpty()) {
            Set<String> functions = new LinkedHashSet<>();
            spikes.forEach(call -> functions.add(call.function()));
            Map<String, Object> metrics = NamedFigures.of(
                    "spike_count",
                    (long) spikes.size(),
                    "spike_threshold",
                    limit,
                    "max_allocation",
                    (long) StatUtils.max(sizes),
                    "median_allocation",
                    median(sizes));
            Severity severity = spikes.size() >= MANY_SPIKES ? Severity.CRITICAL : Severity.WARNING;
            String text = Numbers.counted(spikes.size(), "call") + " allocated more than "
                    + ByteSize.format((long) limit) + "; most allocated far less";
            found.add(FoundPattern.of(
                    Kind.MEMORY_SPIKES,
                    severity,
                    List.copyOf(functions),
                    text,
                    metrics,
                    Suggestion.SPIKES,
                    profiled.device(),
                    (long) StatUtils.max(sizes)));
        }
    }

    /** A whole number where it is one of the sizes, as Python has it. */
    private static Object median(double[] sorted) {
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? (Object) (long) sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    private static void repetition(Profiled profiled, List<FoundPattern> found) {
        List<RatedFunction> totals = new ArrayList<>();
        profiled.calledAtLeast(OFTEN).forEach((function, calls) -> {
            long total = calls.stream().mapToLong(ProfiledCall::allocated).sum();
            if ((double) total / calls.size() < SMALL) {
                totals.add(new RatedFunction(function, total));
            }
        });
        if (!totals.isEmpty()) {
            List<String> first = RatedFunction.names(totals.stream()
                    .sorted(RatedFunction.HIGHEST_FIRST)
                    .limit(NAMED)
                    .toList());
            Map<String, Object> metrics = NamedFigures.of(
                    "function_count", (long) totals.size(),
                    "total_impact_functions", first,
                    "total_memory_from_repeated", (long) StatUtils.sum(RatedFunction.values(totals)));
            String text = Numbers.counted(totals.size(), "function") + " allocated less than " + ByteSize.format(SMALL)
                    + " per call in " + OFTEN + " calls or more";
            found.add(FoundPattern.of(
                    Kind.REPEATED_ALLOCATIONS,
                    Severity.INFO,
                    first,
                    text,
                    metrics,
                    Suggestion.REPETITION,
                    profiled.device(),
                    0));
        }
    }
}
