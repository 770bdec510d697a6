package dev.leakline.cli;

import dev.leakline.Analysis;
import dev.leakline.Input;
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
            Main.files("Logs, of one process or of many, and snapshots of the same job; - is standard input.");
    private final OptionSpec format = OutputFormat.option();
    private final OptionSpec isFailing = Main.flag(
            "--fail-on-oom", "Exit with 1 where an out-of-memory error was found; warnings of the allocator are none.");

    /** The command as the command line sees it. */
    CommandSpec spec() {
        CommandSpec spec = Main.spec(
                this,
                "oom",
                "Finds the messages about GPU memory that ran out in any text, and says of each why the request failed: a real"
                        + " shortage, fragmentation, a limit, other processes, or an error that is not PyTorch's allocator's.",
                "Reads every version's wording (CUDA, HIP, XPU, NPU, MPS), wrapped, coloured, in JSON, of several ranks; plain, gzip"
                        + " or zstd. A snapshot of the same job names the line that asked.");
        spec.addPositional(files);
        List.of(format, isFailing).forEach(spec::addOption);
        return spec;
    }

    @Override
    public Integer call() {
        InputFiles<Input> read =
                InputFiles.open(files.<List<String>>getValue(), Input::openMessages, Input::readMessages);
        if (read.inputs().isEmpty()) {
            return read.exit();
        }
        AnalysisResult result = Analysis.run(read.inputs(), Analysis.Options.ALL);
        OutputFormat.print(format, () -> result, () -> OutOfMemoryText.of(result, Terminal.style()));
        boolean isFound = isFailing.<Boolean>getValue() && result.hasFailedRequests();
        return read.exit() == 0 && isFound ? Failures.FOUND : read.exit();
    }
}
