package dev.leakline.cli;

import static dev.leakline.testkit.snapshot.SnapshotBuilder.snapshot;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.cli.Program.Outcome;
import dev.leakline.cli.common.Failures;
import dev.leakline.profile.GpuMemoryProfiler;
import dev.leakline.profile.MemoryCounters;
import dev.leakline.profile.ProfileFile;
import dev.leakline.testkit.pickle.Dialect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How {@code leakline report} is told by which rules to judge profiles of functions. */
class FunctionRulesTest {
    private static final int USAGE = 2;
    private static final long MB = 1 << 20;

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

    /** A program that profiles itself, writes down what it saw, and is told: forward keeps 90 MiB until backward, log 2 MiB for good. */
    @Test
    void aProfileIsJudgedByTheRulesThatAreAskedFor() throws Exception {
        long[] live = {500 * MB};
        GpuMemoryProfiler profiler = GpuMemoryProfiler.of(() -> MemoryCounters.allocated(live[0]));
        for (int step = 0; step < 30; step++) {
            profiler.profile("forward", () -> live[0] += 90 * MB);
            profiler.profile("backward", () -> live[0] -= 90 * MB);
            profiler.profile("log", () -> live[0] += 2 * MB);
        }
        ProfileFile.write(folder.resolve("profile.json"), profiler.results(), List.of());
        assertThat(run("report", "--fail-on", "leak", "profile.json").exit()).isEqualTo(Failures.FOUND);
        assertThat(run("report", "--full", "profile.json").out())
                .contains("leak   memory grows by 2.00 MiB per round of calls: 'log'", "score   75 of 100")
                .doesNotContain("'forward' keeps memory from call to call");
        assertThat(run("report", "--full", "--rules", "gpumemprof", "profile.json")
                        .out())
                .contains("'forward' keeps memory from call to call", "judged by gpumemprof's rules")
                .doesNotContain("'log' keeps memory from call to call");
    }

    @Test
    void aNameThatIsNoThresholdIsNamedWithThoseThatThereAre() throws Exception {
        Outcome outcome = run("report", "--threshold", "memory_leek_ratio=0.7", "job.pickle");
        assertThat(outcome.exit()).isEqualTo(USAGE);
        assertThat(outcome.out()).isEmpty();
        assertThat(outcome.err())
                .contains("'memory_leek_ratio' is not a threshold", "memory_leak_ratio, fragmentation_ratio");
    }

    @Test
    void whatMakesNoSenseIsRefused() throws Exception {
        assertThat(run("report", "--threshold", "memory_leak_ratio=70", "job.pickle")
                        .err())
                .contains("memory_leak_ratio is 70.0; expected a number from 0 to 1");
        assertThat(run("report", "--threshold", "memory_leak_ratio=much", "job.pickle")
                        .exit())
                .isEqualTo(USAGE);
        assertThat(run("report", "--threshold", "memory_leak_ratio", "job.pickle")
                        .exit())
                .isEqualTo(USAGE);
        assertThat(run("report", "--full", "--rules", "mine", "job.pickle").exit())
                .isEqualTo(USAGE);
    }

    @Test
    void anEarlierReportIsNotJudgedAgain() throws Exception {
        Files.writeString(
                folder.resolve("job.json"),
                run("report", "--format", "json", "job.pickle").out());
        Outcome outcome = run("report", "--full", "--rules", "gpumemprof", "job.json");
        assertThat(outcome.exit()).isEqualTo(USAGE);
        assertThat(outcome.err()).contains("--rules needs the snapshot itself");
    }

    private Outcome run(String... arguments) throws Exception {
        return new Program(folder).run(arguments);
    }
}
