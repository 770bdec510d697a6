package dev.leakline.report;

import dev.leakline.report.terminal.Chart;
import dev.leakline.report.terminal.Labels;
import dev.leakline.report.terminal.Page;
import dev.leakline.report.terminal.Style;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Explanation;
import dev.leakline.result.Finding.Severity;
import dev.leakline.result.FindingHolder;
import dev.leakline.result.Growth;
import dev.leakline.result.Line;
import dev.leakline.text.Numbers;
import dev.leakline.text.Printable;
import java.util.List;
import java.util.function.UnaryOperator;

/** A finding in words: what is wrong, at which line, how fast, why that is believed, and what to do. */
public final class FindingText {
    /** Room for the labels of figures. */
    private static final int LABEL = 9;

    private static final int ROWS = 5;

    private final AnalysisResult result;
    private final Finding finding;
    private final Style style;
    private final Page page;

    private FindingText(AnalysisResult result, Finding finding, Style style) {
        this.result = result;
        this.finding = finding;
        this.style = style;
        this.page = new Page(style);
    }

    /** Everything about a finding of the result; its stack only where that is wanted. */
    static List<String> lines(AnalysisResult result, Finding finding, boolean hasStack, Style style) {
        FindingText text = new FindingText(result, finding, style);
        text.title();
        text.site(hasStack);
        text.figures();
        text.holders();
        text.evidence();
        text.advice();
        text.confidence();
        return text.page.lines();
    }

    /** A finding in one line. */
    static String line(Finding finding, Style style) {
        String line = severity(finding) + Printable.of(located(finding));
        return Labels.end(line, style.columns(), style);
    }

    /** A finding's title with its line. */
    public static String located(Finding finding) {
        return finding.site().locate(title(finding));
    }

    private static String severity(Finding finding) {
        return String.format("%-10s", Labels.words(finding.severity()));
    }

    private void title() {
        String summary = finding.summary();
        page.wrap(severity(finding), title(finding), look());
        if (!summary.isBlank() && !summary.equals(result.reason()) && !summary.equals(finding.title())) {
            page.text(explanation(summary));
        }
    }

    private String explanation(String summary) {
        Explanation explanation = finding.explanation();
        return explanation == null ? summary : summary + " " + explanation.text();
    }

    private static String title(Finding finding) {
        return finding.title().isBlank() ? Labels.words(finding.kind()) : finding.title();
    }

    private UnaryOperator<String> look() {
        return finding.severity() == Severity.CRITICAL
                ? text -> style.bold(style.alarm(text))
                : text -> style.bold(style.warning(text));
    }

    private void site(boolean hasStack) {
        page.blank();
        page.line("  " + Labels.site(finding.site(), style.columns() - 2, style));
        if (finding.source() != null) {
            page.lines(SourceText.lines(finding.source(), finding.site().frame().line(), style));
        }
        if (hasStack) {
            finding.stack().forEach(frame -> page.line("      " + style.faint(Labels.frame(frame))));
        }
    }

    private void figures() {
        page.blank();
        if (result.devices().size() > 1 || Devices.recordings(result) > 1) {
            page.labelled("where", LABEL, Devices.name(result, finding));
        }
        finding.lines().forEach(line -> page.labelled(line.label(), LABEL, line.text()));
        if (finding.growth() != null) {
            chart(finding.growth());
        }
    }

    /** The floor over the steps, where there are enough to draw. */
    private void chart(Growth growth) {
        List<Chart.Point> points = growth.floor().stream()
                .map(point -> new Chart.Point(point.step(), point.bytes(), 0))
                .toList();
        int last = points.isEmpty() ? 0 : growth.floor().getLast().step();
        String mark = "grows from step " + Numbers.grouped(growth.firstStep());
        Chart.Foot foot = new Chart.Foot(growth.firstStep(), mark, "step " + Numbers.grouped(last));
        List<String> lines = Chart.of(points, ROWS, foot, style);
        if (!lines.isEmpty()) {
            page.blank();
            page.lines(lines);
        }
    }

    /** The holders of the finding: the first in full, the others in a line each. */
    private void holders() {
        List<FindingHolder> holders = finding.holders();
        for (int i = 0; i < holders.size(); i++) {
            List<Line> lines = holders.get(i).lines();
            if (i == 0) {
                page.blank();
                lines.forEach(line -> page.labelled(line.label(), LABEL, line.text()));
            } else {
                page.labelled("and by", LABEL, lines.getFirst().text());
            }
        }
    }

    private void evidence() {
        if (!finding.evidence().isEmpty()) {
            page.blank();
            page.text("because");
            finding.evidence().forEach(piece -> page.wrap("  - ", piece.text(), UnaryOperator.identity()));
        }
    }

    private void advice() {
        if (!finding.advice().isEmpty()) {
            page.blank();
            page.lines(AdviceText.lines(finding.advice(), style));
        }
    }

    private void confidence() {
        page.blank();
        if (finding.cause() != null) {
            page.labelled("cause", LABEL, finding.cause());
        }
        page.labelled("sure", LABEL, Numbers.percent(finding.confidence()) + reasons());
        page.labelled("id", LABEL, finding.id());
    }

    private String reasons() {
        return finding.confidenceReasons().isEmpty() ? "" : ": " + String.join("; ", finding.confidenceReasons());
    }
}
