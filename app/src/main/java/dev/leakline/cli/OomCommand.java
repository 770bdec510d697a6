package dev.leakline.cli;

import dev.leakline.OutOfMemory;
import dev.leakline.OutOfMemory.Source;
import dev.leakline.primitive.Printable;
import dev.leakline.report.OutOfMemoryJson;
import dev.leakline.report.OutOfMemoryText;
import dev.leakline.result.OutOfMemoryResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** {@code leakline oom}: explains out-of-memory errors in logs and snapshots. */
final class OomCommand implements Callable<Integer> {
    private final PositionalParamSpec files =
            Main.files("Logs, of one process or of many, and snapshots of the same job; - is standard input.");
    private final OptionSpec format = Format.option();
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
        List<Source> sources = new ArrayList<>();
        int exit = 0;
        for (String file : files.<List<String>>getValue()) {
            try {
                Source source = open(file);
                sources.add(source);
                exit = Math.max(exit, source.incomplete() == null ? 0 : Failures.UNREADABLE);
            } catch (IOException e) {
                exit = Failures.report(file, e);
            }
        }
        if (sources.isEmpty()) {
            return exit;
        }
        OutOfMemoryResult result = OutOfMemory.explain(sources);
        print(result);
        return exit == 0 && isFailing.<Boolean>getValue() && result.hasErrors() ? Failures.FOUND : exit;
    }

    private static Source open(String file) throws IOException {
        try (Progress progress = new Progress(Printable.of(file, 60))) {
            return file.equals("-")
                    ? OutOfMemory.read("standard input", System.in, progress)
                    : OutOfMemory.open(InputFiles.path(file), progress);
        }
    }

    private void print(OutOfMemoryResult result) {
        if (Format.isJson(format)) {
            OutOfMemoryJson.write(result, Terminal.out());
        } else {
            Terminal.out().print(OutOfMemoryText.of(result, Terminal.style()));
        }
        Terminal.out().flush();
    }
}
