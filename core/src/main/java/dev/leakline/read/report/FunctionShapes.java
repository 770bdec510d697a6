package dev.leakline.read.report;

import dev.leakline.result.Finding.Severity;
import dev.leakline.result.FunctionReport;
import dev.leakline.result.FunctionReport.FunctionUse;
import dev.leakline.result.FunctionReport.Gap;
import dev.leakline.result.FunctionReport.Impact;
import dev.leakline.result.FunctionReport.Insight;
import dev.leakline.result.FunctionReport.MemoryPattern;
import dev.leakline.result.FunctionReport.Profile;
import dev.leakline.result.FunctionReport.Recommendation;
import dev.leakline.result.FunctionReport.RuleSet;
import dev.leakline.result.FunctionReport.Score;
import dev.leakline.result.FunctionReport.Summary;
import dev.leakline.source.JsonInput;
import dev.leakline.source.JsonObject;
import dev.leakline.source.ReadException;
import java.util.LinkedHashMap;
import java.util.Map;

/** How what profiles say of functions is read. Lists that only repeat a part of others are passed over. */
final class FunctionShapes {
    private static final Shape<Summary> SUMMARY = new Shape<>(json -> new Summary(
            json.count("total_functions_analyzed"),
            json.count("total_function_calls"),
            json.number("total_memory_allocated"),
            json.real("total_execution_time"),
            json.real("analysis_timestamp")));

    private static final Shape<FunctionUse> USE = new Shape<>(json -> new FunctionUse(
            json.text("function_name"),
            json.count("call_count"),
            json.real("total_time"),
            json.number("memory_allocated"),
            json.number("memory_freed"),
            json.number("peak_memory"),
            json.number("transient_memory")));

    private static final Shape<MemoryPattern> PATTERN = new Shape<>(json -> new MemoryPattern(
                    json.constant("pattern_type", MemoryPattern.Kind.class),
                    json.constant("severity", Severity.class),
                    json.list("affected_functions", String.class),
                    json.text("description"),
                    figures(json, "metrics"),
                    json.list("suggestions", String.class)))
            .withTexts("affected_functions", "suggestions")
            .with("metrics", JsonInput::any);

    private static final Shape<Insight> INSIGHT = new Shape<>(json -> new Insight(
                    json.constant("category", Insight.Category.class),
                    json.text("title"),
                    json.text("description"),
                    json.constant("impact", Impact.class),
                    json.real("confidence"),
                    figures(json, "data"),
                    json.list("recommendations", String.class)))
            .withTexts("recommendations")
            .with("data", JsonInput::any);

    private static final Shape<Recommendation> RECOMMENDATION = new Shape<>(json -> new Recommendation(
                    json.constant("priority", Impact.class),
                    json.text("category"),
                    json.text("description"),
                    json.list("suggestions", String.class)))
            .withTexts("suggestions");

    private static final Shape<Score> SCORE = new Shape<>(json -> new Score(
            json.isKnown("score") ? json.count("score") : null,
            json.text("grade"),
            json.text("description"),
            json.count("issues_found")));

    private static final Shape<Gap> GAP = new Shape<>(json -> new Gap(
                    json.constant("classification", Gap.Classification.class),
                    json.constant("severity", Severity.class),
                    json.real("confidence"),
                    figures(json, "evidence"),
                    json.text("description"),
                    json.list("remediation", String.class)))
            .withTexts("remediation")
            .with("evidence", JsonInput::any);

    private static final Shape<Profile> PROFILE = new Shape<>(json -> new Profile(
                    json.count("input"),
                    json.part("summary", Summary.class),
                    json.list("by_function", FunctionUse.class),
                    json.list("all_patterns", MemoryPattern.class),
                    json.list("all_insights", Insight.class),
                    json.list("recommendations", Recommendation.class),
                    json.part("optimization_score", Score.class),
                    json.list("gap_analysis", Gap.class)))
            .with("summary", SUMMARY)
            .withList("by_function", USE)
            .withList("all_patterns", PATTERN)
            .withList("all_insights", INSIGHT)
            .withList("recommendations", RECOMMENDATION)
            .with("optimization_score", SCORE)
            .withList("gap_analysis", GAP);

    static final Shape<FunctionReport> REPORT = new Shape<>(json -> new FunctionReport(
                    json.constant("rules", RuleSet.class), thresholds(json), json.list("profiles", Profile.class)))
            .with("thresholds", JsonInput::any)
            .withList("profiles", PROFILE);

    private FunctionShapes() {}

    private static Map<String, Object> figures(JsonObject json, String name) throws ReadException {
        Map<String, Object> figures = new LinkedHashMap<>();
        json.map(name).forEach((key, value) -> figures.put(String.valueOf(key), value));
        return figures;
    }

    private static Map<String, Double> thresholds(JsonObject json) throws ReadException {
        Map<String, Double> thresholds = new LinkedHashMap<>();
        for (Map.Entry<String, Object> threshold : figures(json, "thresholds").entrySet()) {
            if (!(threshold.getValue() instanceof Number number)) {
                throw json.wrong("thresholds", "numbers", threshold.getValue());
            }
            thresholds.put(threshold.getKey(), number.doubleValue());
        }
        return thresholds;
    }
}
