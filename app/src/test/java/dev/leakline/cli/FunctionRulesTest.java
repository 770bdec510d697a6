package dev.leakline.cli;

import static dev.leakline.testkit.snapshot.SnapshotBuilder.snapshot;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.cli.Program.Outcome;
import dev.leakline.testkit.pickle.Dialect;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How {@code leakline report} is told by which rules to judge profiles of functions. */
class FunctionRulesTest {
    private static final int USAGE = 2;

    @TempDir
    private Path folder;

    @BeforeEach
    void writeRecording() throws Exception {
        Files.write(
                folder.resolve("job.pickle"),
                snapshot().alloc("a", 1 << 20, "train.py:20 train").write(Dialect.PROTOCOL_4));
    }

    @Test
    void rulesAndThresholdsOfProfilesChangeNothingForRecordings() throws Exception {
        Outcome plain = run("report", "job.pickle");
        Outcome ruled = run(
                "report",
                "--rules",
                "gpumemprof",
                "--threshold",
                "memory_leak_ratio=0.7",
                "--threshold",
                "min_calls_for_analysis=5",
                "job.pickle");
        assertThat(ruled.exit()).isZero();
        assertThat(ruled.out()).isEqualTo(plain.out());
    }

    @Test
    void aNameThatIsNoThresholdIsNamedWithThoseThatThereAre() throws Exception {
        Outcome outcome = run("report", "--threshold", "memory_leek_ratio=0.7", "job.pickle");
        assertThat(outcome.exit()).isEqualTo(USAGE);
        assertThat(outcome.out()).isEmpty();
        assertThat(outcome.err())
                .contains("'memory_leek_ratio' is no threshold", "memory_leak_ratio, fragmentation_ratio");
    }

    @Test
    void whatMakesNoSenseIsRefused() throws Exception {
        assertThat(run("report", "--threshold", "memory_leak_ratio=70", "job.pickle")
                        .err())
                .contains("memory_leak_ratio is 70.0, where a number from 0 to 1 is expected");
        assertThat(run("report", "--threshold", "memory_leak_ratio=much", "job.pickle")
                        .exit())
                .isEqualTo(USAGE);
        assertThat(run("report", "--threshold", "memory_leak_ratio", "job.pickle")
                        .exit())
                .isEqualTo(USAGE);
        assertThat(run("report", "--rules", "mine", "job.pickle").exit()).isEqualTo(USAGE);
    }

    @Test
    void anEarlierReportIsNotJudgedAgain() throws Exception {
        Files.writeString(
                folder.resolve("job.json"),
                run("report", "--format", "json", "job.pickle").out());
        Outcome outcome = run("report", "--rules", "gpumemprof", "job.json");
        assertThat(outcome.exit()).isEqualTo(USAGE);
        assertThat(outcome.err()).contains("--rules needs the snapshot itself");
    }

    private Outcome run(String... arguments) throws Exception {
        return new Program(folder).run(arguments);
    }
}
