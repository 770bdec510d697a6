package dev.leakline.functions.gpumemprof;

import dev.leakline.functions.FoundPattern;
import dev.leakline.functions.Profiled;
import dev.leakline.functions.Rules;
import dev.leakline.functions.Rules.GapSample;
import dev.leakline.functions.Rules.Grades;
import dev.leakline.functions.ThresholdSet;
import dev.leakline.result.Finding.Severity;
import dev.leakline.result.FunctionReport.Gap;
import dev.leakline.result.FunctionReport.Insight;
import dev.leakline.result.FunctionReport.Score;
import java.util.List;

/**
 * The rules of gpumemprof's {@code MemoryAnalyzer} 0.2.2, and of Stormlog's until 0.3.7: the same patterns, insights, gaps, figures and score
 * of the same calls.
 *
 * <p>They are here for those who compare with earlier reports. They call healthy training a leak, since what {@code forward} keeps until
 * {@code backward} counts as lost; {@code LeaklineRules} are better. Where the original stops with an error, since times are equal or 0,
 * these see no trend.
 */
public final class GpumemprofRules implements Rules {
    private static final int BEST = 100;

    private final ThresholdSet thresholds;
    private final GpumemprofPatterns patterns;
    private final GpumemprofInsights insights;
    private final GpumemprofGaps gaps;

    public GpumemprofRules(ThresholdSet thresholds) {
        this.thresholds = thresholds;
        patterns = new GpumemprofPatterns(thresholds);
        insights = new GpumemprofInsights(thresholds);
        gaps = new GpumemprofGaps(thresholds);
    }

    @Override
    public Judged judge(Profiled profiled) {
        List<FoundPattern> found = patterns.find(profiled);
        List<Insight> seen = insights.find(profiled);
        int calls = profiled.functions().values().stream()
                .mapToInt(List::size)
                .filter(count -> count >= thresholds.fewestCalls())
                .max()
                .orElse(0);
        return new Judged(found, seen, score(found, seen), List.of(), calls, false);
    }

    @Override
    public List<Gap> gaps(List<GapSample> samples) {
        return gaps.find(samples);
    }

    private static Score score(List<FoundPattern> found, List<Insight> seen) {
        int lost =
                found.stream().mapToInt(one -> cost(one.pattern().severity())).sum()
                        + seen.stream().mapToInt(GpumemprofRules::cost).sum();
        return Grades.score(Math.max(BEST - lost, 0), found.size() + seen.size());
    }

    private static int cost(Severity severity) {
        return switch (severity) {
            case CRITICAL -> 20;
            case WARNING -> 10;
            case INFO -> 5;
        };
    }

    private static int cost(Insight insight) {
        return switch (insight.impact()) {
            case HIGH -> 15;
            case MEDIUM -> 8;
            case LOW -> 3;
        };
    }
}
