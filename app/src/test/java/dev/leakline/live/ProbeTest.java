package dev.leakline.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The probe's own tests, which are Python's: by the command that LEAKLINE_PYTHON names, else by python3. Those that need torch are skipped by
 * themselves where it is missing.
 */
class ProbeTest {
    private static final int MINUTES = 8;

    @Test
    void theProbesTestsPass() throws Exception {
        String named = System.getenv().getOrDefault("LEAKLINE_PYTHON", "python3");
        List<String> command = new ArrayList<>(Arrays.asList(named.split(" ", -1)));
        assumeTrue(isThere(command.getFirst()), command.getFirst() + " is not there, and the probe's tests need it");
        command.addAll(List.of("-m", "unittest"));
        Process python = new ProcessBuilder(command)
                .directory(Path.of("../probe/tests").toFile())
                .redirectErrorStream(true)
                .start();
        python.getOutputStream().close();
        String said = new String(python.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(python.waitFor(MINUTES, TimeUnit.MINUTES)).isTrue();
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
