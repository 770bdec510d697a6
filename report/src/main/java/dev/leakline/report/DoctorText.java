package dev.leakline.report;

import dev.leakline.report.terminal.Page;
import dev.leakline.report.terminal.Style;
import dev.leakline.result.DoctorReport;
import dev.leakline.result.DoctorReport.Check;
import java.util.function.UnaryOperator;

/** Prints what a machine can do, a line each, with the remedy below. */
public final class DoctorText {
    /** Room for a state, and for a name. */
    private static final String LEAD = "%-8s %-9s ";

    private DoctorText() {}

    /** The report, with a line feed after each line. */
    public static String of(DoctorReport report, Style style) {
        Page page = new Page(style);
        for (Check check : report.checks()) {
            UnaryOperator<String> look = switch (check.state()) {
                case OK -> UnaryOperator.identity();
                case LIMITED -> style::warning;
                case MISSING -> style::alarm;
            };
            page.wrap(LEAD.formatted(check.word(), check.name()), check.says(), look);
            if (!check.remedy().isEmpty()) {
                page.wrap(LEAD.formatted("", ""), "-> " + check.remedy(), UnaryOperator.identity());
            }
        }
        return String.join("\n", page.lines()) + "\n";
    }
}
