package dev.leakline.report;

import dev.leakline.result.Acquittal;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.Check;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Advice;
import dev.leakline.result.Finding.Proof;
import dev.leakline.result.Finding.SourceLines;
import dev.leakline.result.FindingHolder;
import dev.leakline.result.Growth;
import dev.leakline.result.Growth.FloorPoint;
import dev.leakline.result.StepSummary;
import dev.leakline.result.StepSummary.Phase;
import java.util.List;

/** What was judged, as JSON: findings, acquittals, checks, and the steps they count in. */
final class FindingJson {
    /** Stands for the growth of what does not grow by steps. */
    private static final Growth NO_GROWTH = new Growth(
            Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN, 0, 0, 0, List.of());

    private final Json json;

    FindingJson(Json json) {
        this.json = json;
    }

    void findings(AnalysisResult result) {
        findings(result.findings());
    }

    void findings(List<Finding> findings) {
        json.objects("findings", findings, this::finding);
    }

    void acquittals(AnalysisResult result) {
        json.objects("acquittals", result.acquittals(), this::acquittal);
    }

    void checks(AnalysisResult result) {
        json.objects("checks", result.checks(), this::check);
    }

    /** The properties of steps. */
    void steps(StepSummary steps) {
        json.number("count", steps.count());
        json.constant("kind", steps.kind());
        json.string("meaning", steps.meaning());
        json.number("warm_up", steps.warmUp());
        json.objects("phases", steps.phases(), this::phase);
    }

    private void phase(Phase phase) {
        json.string("name", phase.name());
        json.number("first_step", phase.firstStep());
        json.number("last_step", phase.lastStep());
    }

    private void finding(Finding finding) {
        json.string("id", finding.id());
        json.constant("kind", finding.kind());
        json.constant("severity", finding.severity());
        json.number("confidence", finding.confidence());
        json.strings("confidence_reasons", finding.confidenceReasons());
        json.string("title", finding.title());
        json.string("summary", finding.summary());
        json.string("cause", finding.cause());
        json.number("input", finding.input());
        json.number("device", finding.device());
        json.object("site", finding.site(), json::site);
        json.objects("stack", finding.stack(), json::frame);
        json.object("source", finding.source(), this::source);
        json.number("bytes", finding.bytes());
        json.number("blocks", finding.blocks());
        rates(finding.growth() == null ? NO_GROWTH : finding.growth());
        json.object("growth", finding.growth(), this::growth);
        json.objects("evidence", finding.evidence(), this::evidence);
        json.objects("holders", finding.holders(), this::holder);
        json.objects("advice", finding.advice(), this::advice);
    }

    private void rates(Growth growth) {
        json.number("bytes_per_step", growth.bytesPerStep());
        json.number("bytes_per_second", growth.bytesPerSecond());
        json.number("steps_to_oom", growth.stepsToOom());
        json.number("seconds_to_oom", growth.secondsToOom());
    }

    private void growth(Growth growth) {
        json.number("low", growth.lowBytesPerStep());
        json.number("high", growth.highBytesPerStep());
        json.number("share", growth.share());
        json.number("first_step", growth.firstStep());
        json.number("last_step", growth.lastStep());
        json.number("bytes_at_failure", growth.bytesAtFailure());
        json.objects("floor", growth.floor(), this::floor);
    }

    private void floor(FloorPoint point) {
        json.number("step", point.step());
        json.number("bytes", point.bytes());
    }

    private void evidence(Proof piece) {
        json.string("text", piece.text());
        json.object("site", piece.site(), json::site);
        json.number("bytes", piece.bytes());
        json.number("blocks", piece.blocks());
    }

    private void holder(FindingHolder holder) {
        GroupJson groups = new GroupJson(json);
        json.number("input", holder.dump());
        json.number("finding_bytes", holder.bytes());
        json.number("finding_blocks", holder.blocks());
        groups.group(holder.group());
        json.object("cycle", holder.cycle(), groups::cycle);
    }

    /** The properties of a piece of advice. */
    void advice(Advice advice) {
        json.string("action", advice.action());
        json.string("why", advice.why());
        json.number("expected_bytes", advice.expectedBytes());
        json.string("before", advice.before());
        json.string("after", advice.after());
        json.string("link", advice.link());
    }

    private void source(SourceLines source) {
        json.string("path", source.path());
        json.number("first_line", source.firstLine());
        json.strings("lines", source.lines());
    }

    private void acquittal(Acquittal acquittal) {
        json.constant("reason", acquittal.reason());
        json.string("text", acquittal.text());
        json.object("site", acquittal.site(), json::site);
        json.number("bytes", acquittal.bytes());
    }

    private void check(Check check) {
        json.string("detector", check.detector());
        json.generator.writeBooleanProperty("applicable", check.isApplicable());
        json.string("note", check.note());
    }
}
