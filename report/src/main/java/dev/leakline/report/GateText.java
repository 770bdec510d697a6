package dev.leakline.report;

import dev.leakline.report.terminal.Labels;
import dev.leakline.report.terminal.Page;
import dev.leakline.report.terminal.Style;
import dev.leakline.result.GateReport;
import dev.leakline.result.GateReport.Check;
import dev.leakline.result.GateReport.Outcome;
import dev.leakline.result.GateReport.Subject;
import java.util.function.UnaryOperator;

/** Prints what a gate lets through and what not, a paragraph each check. */
public final class GateText {
    /** Room for an outcome. */
    private static final String LEAD = "%-10s";

    private GateText() {}

    /** The report, with a line feed after each line. */
    public static String of(GateReport report, Style style) {
        Page page = new Page(style);
        page.wrap(LEAD.formatted("gate"), report.summary(), report.isPassed() ? style::good : style::alarm);
        if (report.change() != null) {
            page.wrap(LEAD.formatted("change"), report.change(), UnaryOperator.identity());
        }
        page.blank();
        for (Check check : report.checks()) {
            String id = check.subject() == Subject.FINDING ? " (id " + check.id() + ")" : "";
            page.wrap(
                    LEAD.formatted(Labels.words(check.outcome())),
                    check.sentence() + id,
                    check.outcome() == Outcome.FAILED ? style::alarm : UnaryOperator.identity());
        }
        report.caveats().forEach(caveat -> page.wrap(LEAD.formatted("note"), caveat, style::faint));
        return String.join("\n", page.lines()) + "\n";
    }
}
