package dev.leakline.cli;

import dev.leakline.Analysis;
import dev.leakline.Snapshot;
import dev.leakline.Window;
import dev.leakline.cli.common.Commands;
import dev.leakline.cli.common.Failures;
import dev.leakline.cli.common.InputFiles;
import dev.leakline.cli.common.NextStep;
import dev.leakline.cli.common.OutputFormat;
import dev.leakline.cli.common.ReportOptions;
import dev.leakline.cli.common.Terminal;
import dev.leakline.functions.FunctionAnalysis;
import dev.leakline.report.FitText;
import dev.leakline.result.AnalysisResult;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** {@code leakline fit}: whether a recorded job fits into a device, and what would bring it under. */
final class FitCommand implements Callable<Integer> {
    private final PositionalParamSpec files = Commands.files("Snapshots with recorded events; - is standard input.");
    private final OptionSpec format = OutputFormat.option();
    private final OptionSpec deviceMemory = ReportOptions.deviceMemory();

    /** The command as the command line sees it. */
    CommandSpec spec() {
        CommandSpec spec = Commands.spec(
                this,
                "fit",
                "Estimates whether a recorded job fits into a device, and the largest batch that does.",
                "Replays the recorded requests on a model of the allocator, scaled to other batch sizes, and shows which"
                        + " changes would lower the peak far enough.",
                "0.5 GiB of the device are set aside for the CUDA context; PyTorch may reserve the rest.",
                "Needs a snapshot of at least one step, with Python stacks.");
        spec.addPositional(files);
        List.of(format, deviceMemory).forEach(spec::addOption);
        return spec;
    }

    @Override
    public Integer call() {
        long memory = deviceMemory.<Long>getValue();
        if (memory == 0) {
            throw new IllegalArgumentException("into what? give the memory of the device: --device-memory 24GiB");
        }
        InputFiles<Snapshot> read = InputFiles.replayable(files.getValue());
        if (!read.inputs().isEmpty()) {
            AnalysisResult result = Analysis.run(
                    read.inputs(),
                    new Analysis.Options(OptionalInt.empty(), Window.ALL, memory, FunctionAnalysis.STANDARD));
            if (result.devices().isEmpty()) {
                throw new Failures.Advised(
                        "the recording has no GPU memory: it is of a job that ran on the CPU, or was made before it used"
                                + " the GPU",
                        () -> NextStep.help("leakline run"));
            }
            OutputFormat.print(format, () -> result, () -> FitText.of(result, Terminal.style()));
        }
        return read.exit();
    }
}
