package dev.leakline.report.document;

import dev.leakline.report.document.Junit.Case;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.Finding;
import dev.leakline.result.GateReport;
import dev.leakline.result.GateReport.Check;
import dev.leakline.result.GateReport.Outcome;
import dev.leakline.result.GateReport.Subject;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Writes what a gate says of a report, as a comment of a pull request and as a report of tests. */
public final class GateDocuments {
    private GateDocuments() {}

    /** A comment: what failed and what is to be done about it, then all checks. */
    public static String markdown(AnalysisResult result, GateReport gate) {
        List<Finding> failed = result.findings().stream()
                .filter(finding -> gate.checks().stream()
                        .anyMatch(check ->
                                check.outcome() == Outcome.FAILED && check.id().equals(finding.id())))
                .toList();
        String checks = gate.checks().stream()
                .map(check -> "| " + MarkdownReport.word(check.outcome()) + " | " + Markdown.text(check.sentence())
                        + " | " + Markdown.code(check.id()) + " |\n")
                .collect(Collectors.joining("", "| | check | id |\n|---|---|---|\n", ""));
        String caveats = gate.caveats().stream()
                .map(caveat -> "- " + Markdown.text(caveat) + "\n")
                .collect(Collectors.joining());
        return Stream.of(
                        "### Leakline " + Markdown.text(gate.summary()) + "\n",
                        checks,
                        MarkdownReport.findings(result, failed),
                        caveats.isEmpty() ? "" : Markdown.folded("Notes", caveats),
                        MarkdownReport.foot(result))
                .filter(part -> !part.isBlank())
                .collect(Collectors.joining("\n"));
    }

    /** A test case for each check; what is accepted is skipped, with the reason. */
    public static Junit junit(AnalysisResult result, GateReport gate) {
        return new Junit(
                "leakline gate",
                gate.checks().stream().map(check -> junit(result, check)).toList());
    }

    private static Case junit(AnalysisResult result, Check check) {
        Junit.Outcome outcome = switch (check.outcome()) {
            case FAILED -> Junit.Outcome.FAILED;
            case ACCEPTED, SKIPPED -> Junit.Outcome.SKIPPED;
            case PASSED -> Junit.Outcome.PASSED;
        };
        return result.findings().stream()
                .filter(finding ->
                        check.subject() == Subject.FINDING && finding.id().equals(check.id()))
                .findFirst()
                .map(finding -> Junit.of(finding, outcome, check.sentence()))
                .orElseGet(() -> new Case(
                        MarkdownReport.word(check.subject()),
                        check.id(),
                        Junit.NOWHERE,
                        outcome,
                        check.sentence(),
                        check.sentence()));
    }
}
