package dev.leakline.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.leakline.testkit.Thoroughness;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The server for agents as a process, as the protocol's own client sees it: NULLGPU_PYTHON names a Python that has it (pip install mcp). */
class McpCommandTest {
    private static final Path CLIENT = Path.of("src/test/python/mcp_client.py").toAbsolutePath();
    private static final Path EXAMPLES = Path.of("../examples").toAbsolutePath().normalize();

    @TempDir
    private Path folder;

    @Test
    void theOfficialClientGetsItsAnswers() throws Exception {
        String python = System.getenv().getOrDefault("NULLGPU_PYTHON", "python3");
        assumeTrue(exit(List.of(python, "-c", "import mcp.client.client")) == 0, "needs a Python with the package mcp");
        List<String> command =
                new ArrayList<>(List.of(python, CLIENT.toString(), EXAMPLES.toString(), "train_with_a_leak.pickle.gz"));
        command.addAll(Program.command(Map.of(), "mcp"));
        assertThat(exit(command)).as(Files.readString(folder.resolve("out"))).isZero();
    }

    @Test
    void nothingButTheProtocolIsOnStandardOutput() throws Exception {
        String ask = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";
        Path in = Files.writeString(folder.resolve("in"), ask);
        Program.Outcome outcome = new Program(folder).run(in, Map.of(), "mcp");
        assertThat(outcome.exit()).isZero();
        assertThat(outcome.out()).isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n");
    }

    /** To make the forms of all records was half of the time up to the first answer, which has none. */
    @Test
    void theFirstAnswerMakesNoFormsOfRecords() throws Exception {
        Path in = Files.writeString(
                folder.resolve("in"), "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{}}\n");
        Path classes = folder.resolve("classes");
        List<String> command = Program.command(Map.of(), "mcp");
        command.add(1, "-Xlog:class+load:file=" + classes);
        Process process = new ProcessBuilder(command)
                .redirectInput(in.toFile())
                .redirectOutput(folder.resolve("out").toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(process.waitFor(Thoroughness.HANGS, TimeUnit.SECONDS)).isTrue();
        assertThat(folder.resolve("out")).content().contains("\"serverInfo\"");
        assertThat(classes).content().contains("McpServer").doesNotContain("AnalysisResultJsonAdapter");
    }

    private int exit(List<String> command) throws Exception {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("out").toFile())
                .start();
        assertThat(process.waitFor(Thoroughness.HANGS, TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }
}
