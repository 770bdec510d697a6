package dev.leakline.cli.serve;

import dev.leakline.cli.common.Commands;
import dev.leakline.cli.common.InputFiles;
import dev.leakline.cli.common.Terminal;
import dev.leakline.cli.common.WebPage;
import dev.leakline.watch.LiveSamples;
import dev.leakline.watch.SampleSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** {@code leakline serve}: the saved results of a folder in a browser of this machine. */
public final class ServeCommand implements Callable<Integer> {
    private static final int MOST_PORTS = 65_535;

    private final PositionalParamSpec folder = PositionalParamSpec.builder()
            .type(String.class)
            .paramLabel("FOLDER")
            .arity("0..1")
            .description(
                    "Folder with results of leakline report --format json, in folders or not (default: the working folder).")
            .build();
    private final OptionSpec port = OptionSpec.builder("--port")
            .type(int.class)
            .paramLabel("PORT")
            .initialValue(0)
            .description("Port to listen on, on this machine alone (default: one that is free).")
            .build();

    private final OptionSpec pids = OptionSpec.builder("--pid")
            .type(List.class)
            .auxiliaryTypes(Long.class)
            .paramLabel("PID")
            .arity("1")
            .description("Show this process among those that run, and no other (default: all that hold GPU memory).")
            .build();

    /** The command as the command line sees it. */
    public CommandSpec spec() {
        CommandSpec spec = Commands.spec(
                this,
                "serve",
                "Shows the saved results of a folder in a browser: all runs, each finding over runs, and processes while they run.",
                "Prints an address with a token in it, which this machine alone can open, and serves it until it is ended (Ctrl+C). Files that are"
                        + " uploaded are judged and their results saved in the folder; an index of it ("
                        + RunStore.INDEX
                        + ") is made again where it is missing.");
        spec.addPositional(folder);
        spec.addOption(port);
        spec.addOption(pids);
        return spec;
    }

    @Override
    public Integer call() throws IOException {
        String name = folder.getValue();
        Path path = name == null ? Path.of("").toAbsolutePath() : InputFiles.path(name);
        if (!Files.isDirectory(path)) {
            throw new IllegalArgumentException(path + ": no such folder");
        }
        int chosen = port.getValue();
        if (chosen < 0 || chosen > MOST_PORTS) {
            throw new IllegalArgumentException("--port " + chosen + ": expected a number from 0 to " + MOST_PORTS);
        }
        try (RunServer server = RunServer.start(path, chosen, WebPage.file(), this::samples)) {
            Terminal.out().println(server.address());
            Terminal.out().flush();
            Thread.currentThread().join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return 0;
    }

    private SampleSource samples() {
        List<Long> named = pids.getValue();
        return new LiveSamples(named == null ? Set.of() : Set.copyOf(named), Duration.ofSeconds(1));
    }
}
