package dev.leakline.cli;

import dev.leakline.attach.Launch;
import dev.leakline.attach.Launch.Ended;
import dev.leakline.cli.common.Commands;
import dev.leakline.cli.common.Failures;
import dev.leakline.cli.common.InputFiles;
import dev.leakline.cli.common.JobOptions;
import dev.leakline.cli.common.JobRecord;
import dev.leakline.cli.common.OutputFormat;
import dev.leakline.cli.common.ReportOptions;
import dev.leakline.cli.common.Terminal;
import dev.leakline.codec.Codec;
import dev.leakline.compare.Comparer;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.Comparison;
import dev.leakline.result.Comparison.Outcome;
import dev.leakline.result.DiffDocument;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** {@code leakline verify}: runs a job again that was changed, and says whether that has helped. */
final class VerifyCommand implements Callable<Integer> {
    /** Lines of code that explain the change of a peak. */
    private static final int LINES = 3;

    private final PositionalParamSpec before = PositionalParamSpec.builder()
            .type(String.class)
            .index("0")
            .paramLabel("BEFORE")
            .required(true)
            .description("The job before the change: a folder of leakline run, a snapshot or a report.")
            .build();
    private final PositionalParamSpec command =
            JobOptions.command("The job to run again, such as: -- python train.py --epochs 3").toBuilder()
                    .index("1..*")
                    .build();
    private final OptionSpec keep = JobOptions.keep(
            "Folder for the files that the job's processes write (default: a new folder leakline-run-TIME).");
    private final OptionSpec history = JobOptions.history()
            .description(
                    "Keep the last N allocations and frees, as many as the run before did; 0 records none (default: "
                            + JobReport.EVENTS + ").")
            .build();
    private final OptionSpec target = JobOptions.target();
    private final OptionSpec format = OutputFormat.option(OutputFormat.TEXT, OutputFormat.JSON, OutputFormat.BRIEF);
    private final OptionSpec probe = JobOptions.probe("DIR");

    /** The command as the command line sees it. */
    CommandSpec spec() {
        CommandSpec spec = Commands.spec(
                this,
                "verify",
                "Runs a job again after a change, and reports whether it helped.",
                "Prints fixed, reduced, same, worse, another (it is gone, and something else is wrong) or undetermined."
                        + " Exits with 0 if it is fixed, or if nothing was wrong before and after, else with 1;"
                        + " if the job fails, with the job's exit code.",
                "The answer follows the job's output; with --format json or brief it is the last line.");
        spec.addPositional(before).addPositional(command);
        List.of(keep, history, target, format, probe).forEach(spec::addOption);
        return spec;
    }

    @Override
    public Integer call() throws IOException {
        CaseSide was = CaseSide.read(before.getValue());
        if (was.side() == null) {
            return was.exit();
        }
        Path folder = RunCommand.folder(keep);
        try (Launch launch = Launch.of(settings(folder))) {
            Instant started = Instant.now();
            Ended ended = launch.run(command.getValue(), _ -> {}, _ -> {});
            if (ended.exit() != 0) {
                return Failures.say(
                        "the job failed with exit code " + ended.exit()
                                + ": whether the change has helped is not known",
                        ended.exit());
            }
            Path left = ended.outputs().isEmpty()
                    ? folder
                    : Objects.requireNonNull(ended.outputs().getFirst().getParent());
            JobRecord.write(left, command.getValue(), started);
            CaseSide is = CaseSide.read(left.toString());
            return is.side() == null ? is.exit() : answer(Comparer.compare(was.side(), is.side()), left.toString());
        }
    }

    private int answer(Comparison comparison, String left) {
        if (OutputFormat.isJson(format)) {
            Terminal.out().println(Codec.line(DiffDocument.of(comparison, ReportOptions.LINES)));
            Terminal.out().flush();
        } else {
            DiffCommand.print(comparison, format, LINES, left);
        }
        AnalysisResult was = comparison.before().result();
        boolean wasFine = was.findings().isEmpty() && !was.leaksOnHost();
        boolean isGood = comparison.outcome() == Outcome.FIXED || (comparison.outcome() == Outcome.SAME && wasFine);
        return isGood ? 0 : Failures.FOUND;
    }

    private long events() {
        Long given = history.getValue();
        return given == null ? JobReport.EVENTS : given;
    }

    private Launch.Settings settings(Path folder) {
        String other = probe.getValue();
        return new Launch.Settings(
                folder,
                RunCommand.MOMENTS_BY_DEFAULT,
                RunCommand.PAUSE_BY_DEFAULT,
                history.getValue() == null ? -1 : events(),
                JobOptions.target(target),
                other == null ? null : InputFiles.path(other),
                false,
                0);
    }
}
