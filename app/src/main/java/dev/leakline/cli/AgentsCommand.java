package dev.leakline.cli;

import dev.leakline.cli.common.Commands;
import dev.leakline.cli.common.Terminal;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;

/** {@code leakline agents}: prints what an agent has to know, to be read or put into an AGENTS.md. */
final class AgentsCommand implements Callable<Integer> {
    /** The command as the command line sees it. */
    CommandSpec spec() {
        return Commands.spec(
                this, "agents", "Prints instructions for coding agents, for an AGENTS.md or to read directly.");
    }

    @Override
    public Integer call() throws IOException {
        try (InputStream page = Objects.requireNonNull(AgentsCommand.class.getResourceAsStream("agents.md"))) {
            Terminal.out().print(new String(page.readAllBytes(), StandardCharsets.UTF_8));
            Terminal.out().flush();
        }
        return 0;
    }
}
