package dev.leakline.cli;

import static dev.leakline.testkit.snapshot.SnapshotBuilder.snapshot;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.cli.Program.Outcome;
import dev.leakline.testkit.pickle.Dialect;
import dev.leakline.testkit.snapshot.SnapshotBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command {@code leakline whatif} as users call it. */
class WhatIfCommandTest {
    private static final long MB = 1 << 20;

    @TempDir
    private Path folder;

    /** Five segments of 100 MiB, each with a block of 3 MiB in it that stays; then 400 MiB are requested. */
    @BeforeEach
    void writeRecording() throws Exception {
        SnapshotBuilder recording = snapshot();
        recording.repeat(5, (s, i) -> s.alloc("wide" + i, 100 * MB, "load.py:2 load"));
        recording.repeat(5, (s, i) -> s.free("wide" + i));
        recording.repeat(
                5,
                (s, i) -> s.alloc("kept" + i, 3 * MB, "stats.py:8 note").alloc("fill" + i, 97 * MB, "load.py:4 load"));
        recording.repeat(5, (s, i) -> s.free("fill" + i)).oom(400 * MB, 30 * MB, "train.py:40 step");
        Files.write(folder.resolve("job.pickle"), recording.write(Dialect.PROTOCOL_4));
    }

    @Test
    void theSettingUnderWhichTheJobRunsThroughIsRecommended() throws Exception {
        Outcome outcome = run("whatif", "job.pickle");
        assertThat(outcome.exit()).as(outcome.err()).isZero();
        assertThat(outcome.out().replaceAll("\\s+", " "))
                .contains("memory limit: 530 MiB, inferred from the failed request")
                .contains("Recommended: PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True")
                .contains("matches the recording in 5 of 5 driver events (100%)");
        assertThat(outcome.err()).isEmpty();
    }

    /** Run for real (benchmarks/short_of_memory.py), the job ends with 64 or 128 MiB; with expandable segments it runs out again later. */
    @Test
    void ofSettingsThatMeetTheRequestTheOneThatNeedsLeastMemoryIsRecommended() throws Exception {
        Path recording = Path.of(WhatIfCommandTest.class
                .getResource("/whatif/large_and_small.pickle.gz")
                .toURI());
        Outcome outcome = run("whatif", "--format", "json", recording.toString());
        assertThat(outcome.out())
                .containsPattern("\"recommendation\" : \\{\\s+\"settings\" : \"max_split_size_mb:(64|128)\"")
                .contains(
                        "is met, even with 69.4 MiB less memory. The recording ends 2 events later without another failure;");
    }

    @Test
    void onlyTheSettingsThatAreGivenAreTried() throws Exception {
        Outcome outcome = run("whatif", "--format", "json", "--conf", "max_split_size_mb:200", "job.pickle");
        assertThat(outcome.out())
                .startsWith("{\n  \"schema\" : \"leakline.whatif/1\"")
                .contains("\"settings\" : \"max_split_size_mb:200\"")
                .contains("\"recommendation\" : null")
                .doesNotContain("expandable_segments");
    }

    @Test
    void anotherCardIsTried() throws Exception {
        Outcome outcome = run("whatif", "--memory", "1GiB", "job.pickle");
        assertThat(outcome.out())
                .contains("memory limit: 1.00 GiB, from --memory")
                .containsPattern("\\(defaults\\), as recorded +900 MiB +6 +-");
    }

    @Test
    void moreThanTheCardHasBeforeTheRecordingBeginsIsSaid() throws Exception {
        SnapshotBuilder later = snapshot().preexisting("model", 300 * MB).alloc("x", 50 * MB, "train.py:9 step");
        Files.write(folder.resolve("later.pickle"), later.write(Dialect.PROTOCOL_4));
        Outcome outcome = run("whatif", "--memory", "200MiB", "later.pickle");
        assertThat(outcome.out().replaceAll("\\s+", " "))
                .contains(
                        "Blocks that are live where the recording begins take 300 MiB, more than 200 MiB; no setting makes"
                                + " them smaller.");
    }

    @Test
    void settingsThatPyTorchWouldRefuseAreRefusedBeforeAnythingIsRead() throws Exception {
        Outcome outcome = run("whatif", "--conf", "expandable_segments:yes", "missing.pickle");
        assertThat(outcome.exit()).isEqualTo(2);
        assertThat(outcome.errors())
                .containsExactly("leakline: allocator setting expandable_segments: expected True or False, exactly,"
                        + " found 'yes'");
    }

    @Test
    void aLeakIsNamedAgainstWhichNoSettingHelps() throws Exception {
        Path recording = Path.of("../testkit/scenarios/recorded/attention_maps.pickle.gz")
                .toAbsolutePath();
        assertThat(run("whatif", recording.toString()).out())
                .containsPattern("It leaks, which no setting ends: .* at \\S+:\\d+");
    }

    @Test
    void narrowTerminalsAreKept() throws Exception {
        Outcome outcome =
                new Program(folder).run(folder.resolve("job.pickle"), Map.of("leakline.columns", "44"), "whatif", "-");
        assertThat(outcome.out()).startsWith("standard input\n");
        assertThat(outcome.out().lines()).allMatch(line -> line.length() <= 44);
    }

    private Outcome run(String... arguments) throws Exception {
        return new Program(folder).run(arguments);
    }
}
