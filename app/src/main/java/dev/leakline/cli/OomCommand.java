package dev.leakline.cli;

import dev.leakline.Analysis;
import dev.leakline.Input;
import dev.leakline.Input.Demand;
import dev.leakline.cli.common.Commands;
import dev.leakline.cli.common.Failures;
import dev.leakline.cli.common.InputFiles;
import dev.leakline.cli.common.NextStep;
import dev.leakline.cli.common.OutputFormat;
import dev.leakline.cli.common.Terminal;
import dev.leakline.report.OutOfMemoryText;
import dev.leakline.result.AnalysisResult;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** {@code leakline oom}: explains out-of-memory errors in logs and snapshots. */
final class OomCommand implements Callable<Integer> {
    private final PositionalParamSpec files =
            Commands.files("Logs of one or more processes, and snapshots of the same job; - is standard input.");
    private final OptionSpec format = OutputFormat.option();
    private final OptionSpec isFailing = Commands.flag(
            "--fail-on-oom", "Exit with 1 if an out-of-memory error was found; allocator warnings do not count.");

    /** The command as the command line sees it. */
    CommandSpec spec() {
        CommandSpec spec = Commands.spec(
                this,
                "oom",
                "Explains GPU out-of-memory messages in logs.",
                "Finds the messages in any text and names the cause"
                        + " of each: a real shortage, fragmentation, a limit, other processes, a library, the host's"
                        + " memory; and the next step.",
                "Understands the messages of all PyTorch versions (CUDA, HIP, XPU, NPU, MPS) and of many other programs, also"
                        + " wrapped, coloured, inside JSON, or from several ranks; plain, gzip or zstd. With a snapshot of the same job"
                        + " it names the line whose request failed.");
        spec.addPositional(files);
        List.of(format, isFailing).forEach(spec::addOption);
        return spec;
    }

    @Override
    public Integer call() {
        InputFiles<Input> read = InputFiles.open(files.<List<String>>getValue(), Demand.ANYTHING);
        if (read.inputs().isEmpty()) {
            return read.exit();
        }
        AnalysisResult result = Analysis.run(read.inputs(), Analysis.Options.ALL);
        OutputFormat.print(format, () -> result, () -> OutOfMemoryText.of(result, Terminal.style()));
        if (!result.hasFailedRequests()) {
            NextStep.suggestFor(files.getValue(), "explain");
        }
        boolean isFound = isFailing.<Boolean>getValue() && result.hasFailedRequests();
        return read.exit() == 0 && isFound ? Failures.FOUND : read.exit();
    }
}
