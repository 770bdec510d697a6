package dev.leakline.profile;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** PyTorch in a process of its own, which allocates on request and whose counters are a source; LEAKLINE_PYTHON names its Python. */
final class TorchProcess implements MemorySource, AutoCloseable {
    private final Process process;
    private final Path gpu;
    private final BufferedReader answers;

    private TorchProcess(Process process, Path gpu) {
        this.process = process;
        this.gpu = gpu;
        this.answers = process.inputReader(StandardCharsets.UTF_8);
    }

    /** The command that runs Python with torch and a GPU, or a stand-in for one. */
    static List<String> python() {
        String named = System.getenv("LEAKLINE_PYTHON");
        assumeTrue(named != null, "LEAKLINE_PYTHON is not set, and this test needs a Python with torch and a GPU");
        return new ArrayList<>(Arrays.asList(named.split(" ", -1)));
    }

    /** Starts it; the test is skipped where it has no torch, or torch no GPU. */
    static TorchProcess start() throws Exception {
        List<String> command = python();
        command.add(
                Path.of(TorchProcess.class.getResource("/allocate.py").toURI()).toString());
        Path gpu = Files.createTempFile("leakline-gpu", "");
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
        TorchProcess torch = new TorchProcess(onStandIn(builder, gpu).start(), gpu);
        String first = torch.answers.readLine();
        assumeTrue("ready".equals(first), () -> command + " says: " + first);
        return torch;
    }

    /** Has what stands in for a GPU be one of its own, on which no other test's processes are. */
    private static ProcessBuilder onStandIn(ProcessBuilder builder, Path gpu) {
        builder.environment().put("NULLGPU_STATE", gpu.toString());
        return builder;
    }

    /** A process on the same GPU. */
    ProcessBuilder beside(List<String> command) {
        return onStandIn(new ProcessBuilder(command), gpu);
    }

    long pid() {
        return process.pid();
    }

    void allocate(String name, long bytes) {
        ask("allocate " + name + " " + bytes);
    }

    void free(String name) {
        ask("free " + name);
    }

    @Override
    public MemoryCounters read() {
        String[] figures = ask("counters").split(" ", -1);
        return MemoryCounters.allocator(
                Long.parseLong(figures[0]),
                Long.parseLong(figures[1]),
                Long.parseLong(figures[2]),
                Long.parseLong(figures[3]));
    }

    @Override
    public boolean resetPeaks() {
        ask("reset");
        return true;
    }

    private String ask(String command) {
        try {
            process.getOutputStream().write((command + "\n").getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
            @Nullable String answer = answers.readLine();
            if (answer == null) {
                throw new IllegalStateException("the process ended at: " + command);
            }
            return answer;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
        process.destroy();
        Files.delete(gpu);
    }
}
