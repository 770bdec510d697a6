package dev.leakline.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.leakline.cli.Program.Outcome;
import dev.leakline.cli.common.Failures;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What users are told who cannot enter a process; how processes are entered is tested with {@code Attach}. */
class AttachCommandTest {
    private static final List<String> AS_NOBODY =
            List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups");

    @TempDir
    private Path folder;

    @BeforeAll
    static void isLinux() {
        assumeTrue(Files.isReadable(Path.of("/proc/self/status")), "needs Linux");
    }

    @Test
    void aProcessThatIsNotThereIsSaidToBeMissing() throws Exception {
        Outcome outcome = new Program(folder).run("attach", "4194303");

        assertThat(outcome.exit()).isEqualTo(Failures.UNREADABLE);
        assertThat(outcome.errLines()).singleElement().asString().contains("no such process: 4194303");
    }

    @Test
    void aNumberOfNoProcessIsWrongUsage() throws Exception {
        assertThat(new Program(folder).run("attach", "0").exit()).isEqualTo(2);
    }

    @Test
    void anotherUsersProcessIsRefusedWithTheRemedy() throws Exception {
        assumeTrue(mayNobodyRunLeakline(), "needs root, setpriv, and class files that other users may read");
        Process job = new ProcessBuilder("sleep", "30").start();
        try {
            Process leakline = nobody(Program.command(Map.of(), "attach", String.valueOf(job.pid())));
            String said = new String(leakline.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

            assertThat(leakline.waitFor()).isEqualTo(Failures.UNREADABLE);
            assertThat(said).contains("belongs to user 0").contains("with sudo");
        } finally {
            job.destroyForcibly();
        }
    }

    private static boolean mayNobodyRunLeakline() throws Exception {
        return Files.isExecutable(Path.of("/usr/bin/setpriv"))
                && nobody(Program.command(Map.of(), "--version")).waitFor() == 0;
    }

    private static Process nobody(List<String> command) throws Exception {
        List<String> all = new ArrayList<>(AS_NOBODY);
        all.addAll(command);
        return new ProcessBuilder(all)
                .directory(Path.of("/").toFile())
                .redirectErrorStream(true)
                .start();
    }
}
