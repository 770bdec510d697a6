package dev.leakline.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The probe's own tests, which are Python's: by the command that LEAKLINE_PYTHON names, else by python3. Those that need torch are skipped by
 * themselves where it is missing.
 */
@Order(1)
class ProbeTest {
    /** The tests take one minute on an idle machine, and ten where eight others want its two cores. Something hangs if they take longer. */
    private static final int MINUTES = 60;
    /** Where the build puts the probe. */
    private static final Path BUILT = Path.of("target/classes/dev/leakline/probe");

    @TempDir
    Path folder;

    @Test
    void theProbesTestsPass() throws Exception {
        String named = System.getenv().getOrDefault("LEAKLINE_PYTHON", "python3");
        List<String> command = new ArrayList<>(Arrays.asList(named.split(" ", -1)));
        assumeTrue(isThere(command.getFirst()), command.getFirst() + " is not there, and the probe's tests need it");
        command.addAll(List.of("-m", "unittest"));
        Path log = folder.resolve("log");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(Path.of("tests").toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().put("LEAKLINE_PROBE", BUILT.toAbsolutePath().toString());
        Process python = builder.start();
        python.getOutputStream().close();
        boolean hasEnded = python.waitFor(MINUTES, TimeUnit.MINUTES);
        python.destroyForcibly();
        String said = Files.readString(log);
        assertThat(hasEnded).as(said).isTrue();
        assertThat(python.exitValue()).as(said).isZero();
        assertThat(said).containsPattern("Ran \\d+ tests");
    }

    private static boolean isThere(String program) {
        return program.contains("/")
                ? new File(program).canExecute()
                : Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
                        .anyMatch(folder -> new File(folder, program).canExecute());
    }
}
