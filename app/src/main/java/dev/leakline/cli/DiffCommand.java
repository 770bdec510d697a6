package dev.leakline.cli;

import dev.leakline.cli.common.Commands;
import dev.leakline.cli.common.Failures;
import dev.leakline.cli.common.HtmlFile;
import dev.leakline.cli.common.OutputFormat;
import dev.leakline.cli.common.ReportOptions;
import dev.leakline.cli.common.Terminal;
import dev.leakline.compare.Comparer;
import dev.leakline.report.Given;
import dev.leakline.report.diff.DiffPage;
import dev.leakline.report.diff.DiffReport;
import dev.leakline.report.document.BriefReport;
import dev.leakline.result.Comparison;
import dev.leakline.result.Comparison.Change;
import dev.leakline.result.Comparison.Outcome;
import dev.leakline.result.DiffDocument;
import dev.leakline.result.Finding.Severity;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** {@code leakline diff}: compares two recordings or reports. */
final class DiffCommand implements Callable<Integer> {
    /** Conditions under which a comparison fails, for scripts. */
    enum FailOn {
        /** A finding that was not there before. */
        NEW,
        /** One that is new, or that grows faster or holds more than before. */
        WORSE;

        /** Returns whether something that somebody should look at has changed in this way. */
        boolean matches(Comparison comparison) {
            return comparison.findings().stream()
                    .anyMatch(change ->
                            matches(change.change()) && change.finding().severity() != Severity.INFO);
        }

        private boolean matches(Change change) {
            return change == Change.NEW || (this == WORSE && change == Change.WORSE);
        }
    }

    private final PositionalParamSpec before = side("0", "BEFORE");
    private final PositionalParamSpec after = side("1", "AFTER");
    private final OptionSpec format = OutputFormat.option(OutputFormat.TEXT, OutputFormat.JSON, OutputFormat.BRIEF);
    private final OptionSpec top = ReportOptions.top("a device");
    private final OptionSpec html =
            HtmlFile.option("Also write the comparison as an HTML page, with a chart of each device"
                    + " before and after: one file, needs no network.");
    private final OptionSpec failOn = OptionSpec.builder("--fail-on")
            .type(FailOn.class)
            .paramLabel("new|worse")
            .description("Exit with 1 if a warning or critical finding is new (new), or is new or worse (worse).")
            .build();

    /** The command as the command line sees it. */
    CommandSpec spec() {
        CommandSpec spec = Commands.spec(
                this,
                "diff",
                "Compares two recordings or reports.",
                "Shows what changed: the verdict, each finding, and the lines"
                        + " of code that explain the difference between the peaks.",
                "Each input is a snapshot, a folder of leakline run, or a report written by leakline report (HTML page or JSON),"
                        + " which may cover many ranks.");
        spec.addPositional(before).addPositional(after);
        List.of(format, html, top, failOn).forEach(spec::addOption);
        return spec;
    }

    private static PositionalParamSpec side(String index, String label) {
        return PositionalParamSpec.builder()
                .type(String.class)
                .index(index)
                .paramLabel(label)
                .required(true)
                .description("Snapshot, report or folder of leakline run; - is standard input.")
                .build();
    }

    @Override
    public Integer call() throws IOException {
        List<String> names = List.of(before.getValue(), after.getValue());
        checkUsage(names);
        HtmlFile page = HtmlFile.of(html, names);
        CaseSide was = CaseSide.read(names.getFirst());
        CaseSide is = CaseSide.read(names.getLast());
        int exit = Math.max(was.exit(), is.exit());
        if (was.side() == null || is.side() == null) {
            return exit;
        }
        Comparison comparison = Comparer.compare(was.side(), is.side());
        int lines = ReportOptions.lines(top, format);
        print(comparison, format, lines, names.getLast());
        if (page != null) {
            write(comparison, page);
        }
        FailOn given = failOn.getValue();
        boolean isFailed = given != null && given.matches(comparison);
        return exit == 0 && isFailed ? Failures.FOUND : exit;
    }

    /** Prints a comparison with what was left after the change. */
    static void print(Comparison comparison, OptionSpec format, int lines, String after) {
        boolean isFixed = comparison.outcome() == Outcome.FIXED;
        String next = (isFixed ? "leakline gate " : "leakline report ")
                + Given.of(after).names();
        OutputFormat.print(
                format,
                () -> DiffDocument.of(comparison, lines),
                () -> OutputFormat.of(format) == OutputFormat.BRIEF
                        ? BriefReport.of(comparison, next) + "\n"
                        : DiffReport.of(comparison, lines, Terminal.style()));
    }

    private void write(Comparison comparison, HtmlFile page) {
        Integer given = top.getValue();
        int lines = given == null ? DiffPage.LINES : given;
        page.write(out -> DiffPage.write(comparison, lines, new OutputStreamWriter(out, StandardCharsets.UTF_8)));
    }

    private void checkUsage(List<String> names) {
        if (names.stream().allMatch("-"::equals)) {
            throw new IllegalArgumentException("only one of the two inputs can be standard input");
        }
        ReportOptions.checkTop(top);
    }
}
