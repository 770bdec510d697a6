package dev.leakline.functions;

import dev.leakline.result.Finding.Severity;
import dev.leakline.result.FunctionReport.Impact;
import dev.leakline.result.FunctionReport.Insight;
import dev.leakline.result.FunctionReport.MemoryPattern;
import dev.leakline.result.FunctionReport.Recommendation;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What to do about all that was found, the most urgent first. */
final class Recommendations {
    /** Nobody does more at once. */
    private static final int MOST = 10;

    private Recommendations() {}

    static List<Recommendation> of(List<MemoryPattern> patterns, List<Insight> insights) {
        List<Recommendation> all = new ArrayList<>();
        patterns(patterns, Severity.CRITICAL, Impact.HIGH, all);
        insights.stream()
                .filter(insight -> insight.impact() == Impact.HIGH)
                .forEach(insight -> all.add(new Recommendation(
                        Impact.HIGH, name(insight.category()), insight.description(), insight.recommendations())));
        patterns(patterns, Severity.WARNING, Impact.MEDIUM, all);
        return List.copyOf(all.subList(0, Math.min(all.size(), MOST)));
    }

    private static void patterns(
            List<MemoryPattern> patterns, Severity severity, Impact priority, List<Recommendation> all) {
        patterns.stream()
                .filter(pattern -> pattern.severity() == severity)
                .forEach(pattern -> all.add(new Recommendation(
                        priority, name(pattern.kind()), pattern.description(), pattern.suggestions())));
    }

    private static String name(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
