package dev.leakline.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Programs that leak, run as users run them, with the real probe inside: by the command that LEAKLINE_PYTHON names, which must have torch and a
 * GPU or something that stands in for one.
 */
class RunScenariosTest {
    private static final int MINUTES = 4;
    private static final Path SCENARIOS =
            Path.of("../testkit/scenarios").toAbsolutePath().normalize();

    @TempDir
    private Path folder;

    @Test
    void theFindingNamesTheListThatKeepsAGraphPerStep() throws Exception {
        assertThat(run("graphs_retained"))
                .contains(
                        "graphs_retained.py:11",
                        "  held by  main.losses of module graphs_retained",
                        "to blame .losses, .losses[*]: its autograd graph lives on",
                        "  > 11      loss = critic(sample).mean()",
                        "1. Put into main.losses x.detach()");
    }

    @Test
    void theFindingNamesTheReferenceThatClosesACycle() throws Exception {
        assertThat(run("request_backlink"))
                .contains(
                        "reference_cycle",
                        "  held by  a cycle of request_backlink.Host that nothing refers to",
                        "  cut at   .host",
                        "1. Break the cycle at .host");
    }

    /** What is printed at the end of a scenario that runs with the probe. */
    private String run(String scenario) throws IOException, InterruptedException {
        Path said = folder.resolve("said");
        Process process = command(scenario)
                .directory(folder.toFile())
                .redirectOutput(said.toFile())
                .redirectError(folder.resolve("err").toFile())
                .start();
        try {
            assertThat(process.waitFor(MINUTES, TimeUnit.MINUTES)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(process.exitValue())
                .as(Files.readString(folder.resolve("err")))
                .isZero();
        return Files.readString(said);
    }

    private static ProcessBuilder command(String scenario) {
        String python = System.getenv("LEAKLINE_PYTHON");
        assumeTrue(python != null, "LEAKLINE_PYTHON is not set, and this test needs a Python with torch and a GPU");
        String job =
                "import torch; torch.backends.cudnn.enabled = False; import " + scenario + "; " + scenario + ".main()";
        List<String> command =
                new ArrayList<>(Program.command(Map.of("leakline.columns", "120"), "run", "--keep", "out", "--"));
        command.addAll(List.of(python.split(" ", -1)));
        command.addAll(List.of("-c", job));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("PYTHONPATH", SCENARIOS.toString());
        return builder;
    }
}
