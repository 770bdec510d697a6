package dev.leakline.cli.mcp;

import dev.leakline.Analysis;
import dev.leakline.cli.common.Commands;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;

/** {@code leakline mcp}: serves an agent on standard input and output. */
public final class McpCommand implements Callable<Integer> {
    /** The command as the command line sees it. */
    public CommandSpec spec() {
        return Commands.spec(
                this,
                "mcp",
                "Serves an agent over stdin and stdout, by the Model Context Protocol.",
                "Tools: report, explain, detail, lint, ps, attach. They read below the folders that the client names as"
                        + " roots, else below the working folder; only attach enters a process, and asks first.");
    }

    @Override
    public Integer call() {
        System.setOut(System.err); // stdout is the protocol's alone
        new McpServer(new FileOutputStream(FileDescriptor.out), new McpTools(), Analysis.version()).serve(System.in);
        return 0;
    }
}
