package dev.leakline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * A Python that has imported torch, and forks a job for each command that asks it to: {@code probe/tests/warm_job.py}. An import takes seconds, a
 * fork milliseconds.
 */
final class WarmPython implements AutoCloseable {
    private static final Path SCRIPT =
            Path.of("../probe/tests/warm_job.py").toAbsolutePath().normalize();

    private final List<String> python;
    private final Path socket;
    private final Process process;

    /** Starts it by a command that runs a Python; its socket goes into the folder. */
    WarmPython(String python, Path folder) throws IOException {
        this(python, folder, Map.of());
    }

    /** The same with more in its environment. */
    WarmPython(String python, Path folder, Map<String, String> environment) throws IOException {
        this.python = Arrays.asList(python.split(" ", -1));
        this.socket = folder.resolve("warm");
        ProcessBuilder builder =
                new ProcessBuilder(command("serve", List.of())).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().putAll(environment);
        this.process = builder.start();
        assertThat(process.inputReader().readLine()).isEqualTo("ready");
    }

    /** A command that is to whoever starts it what a Python that runs the script would be. Its own Python, which only waits, is not probed. */
    List<String> run(Path script, String argument) {
        return command("run", List.of(script.toString(), argument));
    }

    private List<String> command(String what, List<String> more) {
        List<String> command = new ArrayList<>(python);
        command.addAll(List.of("-E", SCRIPT.toString(), what, socket.toString()));
        command.addAll(more);
        return command;
    }

    @Override
    public void close() {
        process.destroy();
    }
}
