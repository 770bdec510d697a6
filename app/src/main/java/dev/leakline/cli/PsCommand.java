package dev.leakline.cli;

import dev.leakline.cli.common.Commands;
import dev.leakline.cli.common.Failures;
import dev.leakline.cli.common.OutputFormat;
import dev.leakline.cli.common.Terminal;
import dev.leakline.ps.GpuProcesses;
import dev.leakline.ps.ProcessText;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** {@code leakline ps}: lists the processes that hold GPU memory, and those that keep another process's memory. */
final class PsCommand implements Callable<Integer> {
    private final OptionSpec format = OutputFormat.option();

    /** The command as the command line sees it. */
    CommandSpec spec() {
        CommandSpec spec = Commands.spec(
                this,
                "ps",
                "Lists the processes that hold memory on NVIDIA GPUs.",
                "Also lists their workers, and leftover" + " processes that keep the memory of a job that has ended.");
        List.of(format).forEach(spec::addOption);
        return spec;
    }

    @Override
    public Integer call() throws IOException {
        GpuProcesses found = GpuProcesses.now();
        if (OutputFormat.isJson(format)) {
            ProcessJson.write(found, Terminal.out());
        } else {
            ProcessText.of(found, Terminal.columns()).forEach(Terminal.out()::println);
        }
        Terminal.out().flush();
        return found.isComplete() ? 0 : Failures.UNREADABLE;
    }
}
