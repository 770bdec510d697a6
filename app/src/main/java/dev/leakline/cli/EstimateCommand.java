package dev.leakline.cli;

import dev.leakline.Analysis;
import dev.leakline.Snapshot;
import dev.leakline.Window;
import dev.leakline.attach.Launch;
import dev.leakline.attach.Launch.Ended;
import dev.leakline.cli.common.Commands;
import dev.leakline.cli.common.Failures;
import dev.leakline.cli.common.InputFiles;
import dev.leakline.cli.common.JobOptions;
import dev.leakline.cli.common.NextStep;
import dev.leakline.cli.common.OutputFormat;
import dev.leakline.cli.common.ReportOptions;
import dev.leakline.cli.common.Terminal;
import dev.leakline.functions.FunctionAnalysis;
import dev.leakline.report.FitText;
import dev.leakline.result.AnalysisResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** {@code leakline estimate}: what a training script would need of a GPU, without one. */
final class EstimateCommand implements Callable<Integer> {
    /** The memory of a device that holds everything, where none is named: what is asked is how much is needed. */
    private static final long AMPLE = 1L << 44;

    private final PositionalParamSpec command = JobOptions.command("The job to estimate, such as: -- python train.py");
    private final OptionSpec steps = OptionSpec.builder("--steps")
            .type(Integer.class)
            .paramLabel("N")
            .defaultValue("2")
            .description("Steps of each optimizer to run (default: 2; the first has no optimizer state yet).")
            .build();
    private final OptionSpec keep =
            JobOptions.keep("Folder to keep the recording in, for other commands (default: not kept).");
    private final OptionSpec format = OutputFormat.option();
    private final OptionSpec deviceMemory = ReportOptions.deviceMemory();

    /** The command as the command line sees it. */
    CommandSpec spec() {
        CommandSpec spec = Commands.spec(
                this,
                "estimate",
                "Estimates the GPU memory that a training script needs, on a machine without a GPU.",
                "Runs the script until its optimizers have taken two steps, with tensors that have shapes but no data, and"
                        + " replays what it would have allocated on a model of the allocator.",
                "Needs PyTorch 2.14 or a compatible version.");
        spec.parser().stopAtPositional(true);
        spec.addPositional(command);
        List.of(steps, keep, format, deviceMemory).forEach(spec::addOption);
        return spec;
    }

    @Override
    public Integer call() throws IOException {
        int count = steps.<Integer>getValue();
        if (count < 1) {
            throw new IllegalArgumentException("--steps is " + count + "; expected a number of steps");
        }
        String kept = keep.getValue();
        Path folder = kept == null ? Files.createTempDirectory("leakline-estimate-") : InputFiles.path(kept);
        Launch.Settings settings = new Launch.Settings(folder, "exit", Duration.ZERO, 0, null, null, false, count);
        try (Launch launch = Launch.of(settings)) {
            Ended ended = launch.run(command.getValue(), _ -> {}, _ -> {});
            if (ended.outputs().isEmpty()) {
                throw new Failures.Advised(
                        "nothing was allocated on a GPU before the job ended, with exit code " + ended.exit(),
                        () -> NextStep.help("leakline estimate"));
            }
            return report(ended.outputs().stream().map(Path::toString).toList());
        } finally {
            if (kept == null) {
                remove(folder);
            }
        }
    }

    private int report(List<String> recordings) throws IOException {
        long memory = deviceMemory.<Long>getValue();
        InputFiles<Snapshot> read = InputFiles.replayable(recordings);
        AnalysisResult result = Analysis.run(
                read.inputs(),
                new Analysis.Options(
                        OptionalInt.empty(), Window.ALL, memory == 0 ? AMPLE : memory, FunctionAnalysis.STANDARD));
        OutputFormat.print(format, () -> result, () -> FitText.ofEstimate(result, memory != 0, Terminal.style()));
        return read.exit();
    }

    private static void remove(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> files = Files.list(folder)) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
            }
            Files.deleteIfExists(folder);
        }
    }
}
