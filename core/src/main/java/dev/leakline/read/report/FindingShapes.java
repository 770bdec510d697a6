package dev.leakline.read.report;

import static dev.leakline.read.report.SiteShapes.FRAME;
import static dev.leakline.read.report.SiteShapes.SITE;

import dev.leakline.result.Acquittal;
import dev.leakline.result.Check;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Advice;
import dev.leakline.result.Finding.Proof;
import dev.leakline.result.Finding.SourceLines;
import dev.leakline.result.FindingHolder;
import dev.leakline.result.Frame;
import dev.leakline.result.Growth;
import dev.leakline.result.Growth.FloorPoint;
import dev.leakline.result.Site;
import dev.leakline.result.StepSummary;
import dev.leakline.result.StepSummary.Phase;
import dev.leakline.source.JsonObject;
import dev.leakline.source.ReadException;
import org.jspecify.annotations.Nullable;

/** How findings, acquittals, checks and steps are read. */
final class FindingShapes {
    private static final Shape<FloorPoint> FLOOR =
            new Shape<>(json -> new FloorPoint(json.count("step"), json.number("bytes")));

    /** What a finding's {@code growth} says; the rates stand beside it, and are added by {@link #growth}. */
    private static final Shape<Growth> GROWTH = new Shape<>(json -> new Growth(
                    Double.NaN,
                    json.real("low"),
                    json.real("high"),
                    Double.NaN,
                    Double.NaN,
                    Double.NaN,
                    json.real("share"),
                    json.count("first_step"),
                    json.count("last_step"),
                    json.number("bytes_at_failure"),
                    json.list("floor", FloorPoint.class)))
            .withList("floor", FLOOR);

    private static final Shape<Proof> EVIDENCE = new Shape<>(json -> new Proof(
                    json.text("text"), json.partOrNull("site", Site.class), json.number("bytes"), json.count("blocks")))
            .with("site", SITE);

    private static final Shape<SourceLines> SOURCE = new Shape<>(json ->
                    new SourceLines(json.text("path"), json.count("first_line"), json.list("lines", String.class)))
            .withTexts("lines");

    static final Shape<Finding> FINDING = new Shape<>(FindingShapes::finding)
            .withTexts("confidence_reasons")
            .with("site", SITE)
            .withList("stack", FRAME)
            .with("source", SOURCE)
            .with("growth", GROWTH)
            .withList("evidence", EVIDENCE)
            .withList("holders", HolderShapes.HOLDER)
            .withList("advice", HolderShapes.ADVICE);

    static final Shape<Acquittal> ACQUITTAL = new Shape<>(json -> new Acquittal(
                    json.constant("reason", Acquittal.Reason.class),
                    json.text("text"),
                    json.part("site", Site.class),
                    json.number("bytes")))
            .with("site", SITE);

    static final Shape<Check> CHECK =
            new Shape<>(json -> new Check(json.text("detector"), json.truth("applicable"), json.text("note")));

    private static final Shape<Phase> PHASE =
            new Shape<>(json -> new Phase(json.text("name"), json.count("first_step"), json.count("last_step")));

    static final Shape<StepSummary> STEPS = new Shape<>(json -> new StepSummary(
                    json.constant("kind", StepSummary.Kind.class),
                    json.text("meaning"),
                    json.count("count"),
                    json.count("warm_up"),
                    json.list("phases", Phase.class)))
            .withList("phases", PHASE);

    private FindingShapes() {}

    private static Finding finding(JsonObject json) throws ReadException {
        return new Finding(
                json.text("id"),
                json.constant("kind", Finding.Kind.class),
                json.constant("severity", Finding.Severity.class),
                json.real("confidence"),
                json.list("confidence_reasons", String.class),
                json.text("title"),
                json.text("summary"),
                json.count("input"),
                json.count("device"),
                json.part("site", Site.class),
                json.list("stack", Frame.class),
                json.number("bytes"),
                json.count("blocks"),
                growth(json),
                json.textOrNull("cause"),
                json.list("evidence", Proof.class),
                json.listOrNone("holders", FindingHolder.class),
                json.list("advice", Advice.class),
                json.partOrNull("source", SourceLines.class));
    }

    private static @Nullable Growth growth(JsonObject finding) throws ReadException {
        Growth growth = finding.partOrNull("growth", Growth.class);
        return growth == null
                ? null
                : growth.withRates(
                        finding.real("bytes_per_step"),
                        finding.real("bytes_per_second"),
                        finding.real("steps_to_oom"),
                        finding.real("seconds_to_oom"));
    }
}
