package dev.leakline.report;

import dev.leakline.result.Finding.Severity;
import dev.leakline.result.FunctionReport;
import dev.leakline.result.FunctionReport.FunctionUse;
import dev.leakline.result.FunctionReport.Gap;
import dev.leakline.result.FunctionReport.Impact;
import dev.leakline.result.FunctionReport.Insight;
import dev.leakline.result.FunctionReport.MemoryPattern;
import dev.leakline.result.FunctionReport.Profile;
import dev.leakline.result.FunctionReport.Recommendation;
import dev.leakline.result.FunctionReport.Score;
import dev.leakline.result.FunctionReport.Summary;
import java.util.List;

/** What profiles say of functions, as JSON; what gpumemprof's optimization report has goes by its names. */
final class FunctionJson {
    private final Json json;

    FunctionJson(Json json) {
        this.json = json;
    }

    /** The properties of a report on functions. */
    void report(FunctionReport report) {
        json.constant("rules", report.rules());
        json.object("thresholds", report.thresholds(), thresholds -> thresholds.forEach(json::number));
        json.objects("profiles", report.profiles(), this::profile);
    }

    private void profile(Profile profile) {
        json.number("input", profile.input());
        json.object("summary", profile.summary(), this::summary);
        json.objects("by_function", profile.functions(), this::use);
        json.objects("critical_issues", critical(profile), this::pattern);
        json.objects("high_impact_insights", important(profile), this::insight);
        json.objects("all_patterns", profile.patterns(), this::pattern);
        json.objects("all_insights", profile.insights(), this::insight);
        json.objects("recommendations", profile.recommendations(), this::recommendation);
        json.object("optimization_score", profile.score(), this::score);
        json.objects("gap_analysis", profile.gaps(), this::gap);
    }

    private static List<MemoryPattern> critical(Profile profile) {
        return profile.patterns().stream()
                .filter(pattern -> pattern.severity() == Severity.CRITICAL)
                .toList();
    }

    private static List<Insight> important(Profile profile) {
        return profile.insights().stream()
                .filter(insight -> insight.impact() == Impact.HIGH)
                .toList();
    }

    private void summary(Summary summary) {
        json.number("total_functions_analyzed", summary.functions());
        json.number("total_function_calls", summary.calls());
        json.number("total_memory_allocated", summary.allocated());
        if (summary.calls() == 0) {
            json.number("total_execution_time", 0);
        } else {
            json.number("total_execution_time", summary.seconds());
        }
        json.number("analysis_timestamp", summary.time());
    }

    private void use(FunctionUse use) {
        json.string("function_name", use.name());
        json.number("call_count", use.calls());
        json.number("total_time", use.seconds());
        json.number("memory_allocated", use.allocated());
        json.number("memory_freed", use.freed());
        json.number("peak_memory", use.peak());
        json.number("transient_memory", use.transientBytes());
    }

    private void pattern(MemoryPattern pattern) {
        json.constant("pattern_type", pattern.kind());
        json.string("description", pattern.description());
        json.constant("severity", pattern.severity());
        json.strings("affected_functions", pattern.functions());
        json.values("metrics", pattern.metrics());
        json.strings("suggestions", pattern.suggestions());
    }

    private void insight(Insight insight) {
        json.constant("category", insight.category());
        json.string("title", insight.title());
        json.string("description", insight.description());
        json.constant("impact", insight.impact());
        json.number("confidence", insight.confidence());
        json.values("data", insight.data());
        json.strings("recommendations", insight.recommendations());
    }

    private void recommendation(Recommendation recommendation) {
        json.constant("priority", recommendation.priority());
        json.string("category", recommendation.category());
        json.string("description", recommendation.description());
        json.strings("suggestions", recommendation.suggestions());
    }

    private void score(Score score) {
        if (score.points() == null) {
            json.generator.writeNullProperty("score");
        } else {
            json.number("score", score.points());
        }
        json.string("grade", score.grade());
        json.string("description", score.description());
        json.number("issues_found", score.issues());
    }

    private void gap(Gap gap) {
        json.constant("classification", gap.classification());
        json.constant("severity", gap.severity());
        json.number("confidence", gap.confidence());
        json.values("evidence", gap.evidence());
        json.string("description", gap.description());
        json.strings("remediation", gap.remediation());
    }
}
