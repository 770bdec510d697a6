package dev.leakline.report;

import dev.leakline.report.terminal.Labels;
import dev.leakline.report.terminal.Page;
import dev.leakline.report.terminal.Style;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Advice;
import dev.leakline.result.Finding.Proof;
import dev.leakline.result.Finding.Severity;
import dev.leakline.result.Growth;
import dev.leakline.result.Site;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Printable;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;

/** A finding in words: what is wrong, at which line, how fast, why that is believed, and what to do. */
final class FindingText {
    /** Room for the labels of figures. */
    static final int LABEL = 9;

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
        text.page.lines(HolderText.lines(finding.holders(), style));
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
    static String located(Finding finding) {
        return Labels.located(title(finding), finding.site());
    }

    private static String severity(Finding finding) {
        return String.format("%-10s", Labels.words(finding.severity()));
    }

    private void title() {
        String summary = finding.summary();
        page.wrap(severity(finding), title(finding), look());
        if (!summary.isBlank() && !summary.equals(result.reason()) && !summary.equals(finding.title())) {
            page.text(summary);
        }
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
        boolean isFigure = finding.site().kind() == Site.Kind.FIGURE;
        if (result.devices().size() > 1 || Devices.recordings(result) > 1) {
            page.labelled("where", LABEL, Devices.name(result, finding));
        }
        if (finding.bytes() > 0 && !isFigure) {
            page.labelled("held", LABEL, amount(finding.bytes(), finding.blocks()) + " when most was");
        }
        Growth growth = finding.growth();
        if (growth != null && !isFigure) {
            page.lines(GrowthText.figures(finding, growth, result.deviceOf(finding), style));
            chart(GrowthText.chart(growth, style));
        }
    }

    private void chart(List<String> lines) {
        if (!lines.isEmpty()) {
            page.blank();
            page.lines(lines);
        }
    }

    private static String amount(long bytes, int blocks) {
        return ByteSize.format(bytes) + (blocks > 0 ? " in " + Labels.count(blocks, "block") : "");
    }

    private void evidence() {
        if (!finding.evidence().isEmpty()) {
            page.blank();
            page.text("because");
            finding.evidence().forEach(piece -> page.wrap("  - ", text(piece), UnaryOperator.identity()));
        }
    }

    private static String text(Proof piece) {
        String text = piece.site() == null ? piece.text() : Labels.located(piece.text(), piece.site());
        String amount = amount(piece.bytes(), piece.blocks());
        return piece.bytes() <= 0 || text.contains(ByteSize.format(piece.bytes())) ? text : text + ": " + amount;
    }

    private void advice() {
        for (int i = 0; i < finding.advice().size(); i++) {
            if (i == 0) {
                page.blank();
                page.text("what to do");
            }
            advice(i + 1, finding.advice().get(i));
        }
    }

    private void advice(int number, Advice advice) {
        page.wrap("  " + number + ". ", advice.action(), style::bold);
        page.wrap("     ", advice.why() + expected(advice), UnaryOperator.identity());
        code("- ", advice.before(), style::alarm);
        code("+ ", advice.after(), style::good);
        if (!advice.link().isBlank()) {
            page.wrap("     ", advice.link(), style::faint);
        }
    }

    private static String expected(Advice advice) {
        return advice.expectedBytes() > 0 ? " (about " + ByteSize.format(advice.expectedBytes()) + ")" : "";
    }

    private void code(String sign, String code, UnaryOperator<String> look) {
        if (!code.isBlank()) {
            code.lines()
                    .map(line -> Labels.end("       " + sign + SourceText.code(line), style.columns(), style))
                    .forEach(line -> page.line(look.apply(line)));
        }
    }

    private void confidence() {
        page.blank();
        if (finding.cause() != null) {
            page.labelled("cause", LABEL, finding.cause());
        }
        String percent = String.format(Locale.ROOT, "%.0f%%", finding.confidence() * 100);
        page.labelled("sure", LABEL, percent + reasons());
        page.labelled("id", LABEL, finding.id());
    }

    private String reasons() {
        return finding.confidenceReasons().isEmpty() ? "" : ": " + String.join("; ", finding.confidenceReasons());
    }
}
