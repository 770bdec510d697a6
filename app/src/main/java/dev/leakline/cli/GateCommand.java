package dev.leakline.cli;

import dev.leakline.Input;
import dev.leakline.Sources;
import dev.leakline.cli.common.Commands;
import dev.leakline.cli.common.FailOn;
import dev.leakline.cli.common.Failures;
import dev.leakline.cli.common.InputFiles;
import dev.leakline.cli.common.JobFiles;
import dev.leakline.cli.common.JobRecord;
import dev.leakline.cli.common.NextStep;
import dev.leakline.cli.common.OutputFormat;
import dev.leakline.cli.common.ReportOptions;
import dev.leakline.cli.common.Terminal;
import dev.leakline.gate.Budget;
import dev.leakline.gate.Gate;
import dev.leakline.gate.GateRules;
import dev.leakline.lint.Pyproject;
import dev.leakline.lint.output.ReportSarif;
import dev.leakline.report.GateText;
import dev.leakline.report.document.GateDocuments;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.Comparison.Side;
import dev.leakline.result.GateReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.TypeConversionException;

/** {@code leakline gate}: says whether a recording may pass, for continuous integration. */
final class GateCommand implements Callable<Integer> {
    private static final String TABLE = "gate";

    private final PositionalParamSpec files = Commands.files(
            "Recordings of one job, a folder of leakline run, or one report of it in JSON or as a page.");
    private final OptionSpec baseline = OptionSpec.builder("--baseline")
            .type(String.class)
            .paramLabel("FILE")
            .description(
                    "A report in JSON, a recording, or a folder of leakline run: findings that are no worse than there pass.")
            .build();
    private final OptionSpec budgets = OptionSpec.builder("--budget")
            .type(List.class)
            .auxiliaryTypes(Budget.class)
            .converters(GateCommand::budget)
            .initialValue(List.of())
            .paramLabel("BUDGET")
            .description(
                    "A limit: peak=20GiB, growth=1MiB (per step), peak-increase=5%% (over the baseline); for a line or"
                            + " file: growth@train.py:42=512KiB, peak@encoder.py=2GiB; may be given several times.")
            .build();
    private final OptionSpec failOn = OptionSpec.builder("--fail-on")
            .type(FailOn.class)
            .paramLabel("leak|warning|critical")
            .description("Findings that fail if no budget covers them (default: warning).")
            .build();
    private final OptionSpec config = OptionSpec.builder("--config")
            .type(String.class)
            .paramLabel("FILE")
            .description("Settings: a file in TOML with [tool.leakline.gate] (default: the nearest pyproject.toml).")
            .build();
    private final OptionSpec format = OutputFormat.option(
            OutputFormat.TEXT, OutputFormat.JSON, OutputFormat.MARKDOWN, OutputFormat.SARIF, OutputFormat.JUNIT);
    private final OptionSpec sources = ReportOptions.sources();

    /** The command as the command line sees it. */
    CommandSpec spec() {
        CommandSpec spec = Commands.spec(
                this,
                "gate",
                "Passes or fails a recording: nothing new leaks, and budgets hold.",
                "Settings of [tool.leakline.gate] in pyproject.toml: budgets = [\"peak=20GiB\"], accept = [{id = \"...\","
                        + " until = 2026-12-31, why = \"...\"}] and fail-on. Exits with 1 if something fails.");
        spec.addPositional(files);
        List.of(baseline, budgets, failOn, config, format, sources).forEach(spec::addOption);
        return spec;
    }

    @Override
    public Integer call() throws IOException {
        List<String> given = files.getValue();
        given.forEach(GateCommand::refuseRanks);
        GateRules rules = rules();
        Sources lines = JobRecord.sources(ReportOptions.folders(sources), given);
        InputFiles<Input> read = InputFiles.openCase(given, null);
        if (read.inputs().isEmpty()) {
            return read.exit();
        }
        AnalysisResult result = InputFiles.result(read.inputs(), lines);
        JobRecord.tellChanged(lines);
        String before = baseline.getValue();
        InputFiles<Input> old =
                before == null ? new InputFiles<>(List.of(), 0) : InputFiles.openCase(List.of(before), null);
        if (before != null && old.inputs().isEmpty()) {
            return old.exit();
        }
        GateReport gate = Gate.judge(result, side(before, old.inputs()), rules, LocalDate.now(ZoneOffset.UTC));
        print(result, gate);
        int exit = Math.max(read.exit(), old.exit());
        return exit == 0 && !gate.isPassed() ? Failures.FOUND : exit;
    }

    private static void refuseRanks(String name) {
        if (JobFiles.areRanks(InputFiles.path(name))) {
            throw new Failures.Advised(
                    "'" + name
                            + "' is a folder with several recordings; leakline gate takes the files of one job or rank",
                    () -> NextStep.suggest("ranks", name));
        }
    }

    private static @Nullable Side side(@Nullable String name, List<Input> inputs) {
        if (name == null) {
            return null;
        }
        InputFiles.refuseDumps(inputs);
        return new Side(name, InputFiles.result(inputs, Sources.NONE));
    }

    private void print(AnalysisResult result, GateReport gate) {
        OutputFormat.print(format, () -> gate, () -> switch (OutputFormat.of(format)) {
            case MARKDOWN -> GateDocuments.markdown(result, gate);
            case SARIF -> ReportSarif.of(result, gate);
            case JUNIT -> GateDocuments.junit(result, gate).xml();
            default -> GateText.of(gate, Terminal.style());
        });
    }

    private GateRules rules() throws IOException {
        String file = config.getValue();
        if (file != null && !Files.isRegularFile(InputFiles.path(file))) {
            String why = Files.exists(InputFiles.path(file)) ? "it is no file" : "no such file";
            throw new IllegalArgumentException("--config " + file + ": " + why);
        }
        Pyproject table =
                file == null ? Pyproject.near(Path.of(""), TABLE) : Pyproject.read(InputFiles.path(file), TABLE);
        return GateRules.of(failOn(table)::matches, table.entries(), table.file())
                .with(budgets.getValue());
    }

    private FailOn failOn(Pyproject table) {
        FailOn given = failOn.getValue();
        Object written = table.entries().get("fail-on");
        if (given != null || written == null) {
            return given == null ? FailOn.WARNING : given;
        }
        try {
            return FailOn.valueOf(written.toString().toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    table.file() + ": fail-on is " + written + "; expected leak, warning or critical", e);
        }
    }

    private static Budget budget(String text) {
        try {
            return Budget.parse(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }
}
