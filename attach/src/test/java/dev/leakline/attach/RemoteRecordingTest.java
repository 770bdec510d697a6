package dev.leakline.attach;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.leakline.Analysis;
import dev.leakline.Snapshot;
import dev.leakline.attach.Attach.Visit;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.AnalysisResult.Verdict;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A training that knows nothing of Leakline is recorded, by the real probe, in the Python that LEAKLINE_PYTHON names. */
class RemoteRecordingTest {
    private static final long ENTRIES = 50_000;

    @TempDir
    private Path folder;

    @BeforeAll
    static void isPossible() throws Exception {
        assumeTrue(System.getenv("LEAKLINE_PYTHON") != null, "needs a Python with torch, named by LEAKLINE_PYTHON");
        AttachTest.assumeTracing();
    }

    @Test
    void aTrainingIsRecordedAndGoesOnWithoutRecording() throws Exception {
        Path stop = folder.resolve("stop");
        Job job = train(stop);

        Visit visit = record(job);

        assertThat(visit.files())
                .extracting(file -> file.getFileName().toString())
                .containsExactlyInAnyOrder("attach-" + job.pid + ".holders", "attach-" + job.pid + ".pickle");
        Path snapshot = visit.files().stream()
                .filter(file -> file.toString().endsWith(".pickle"))
                .findFirst()
                .orElseThrow();
        AnalysisResult result = Analysis.run(List.of(Snapshot.open(snapshot)), Analysis.Options.ALL);
        assertThat(result.verdict()).isEqualTo(Verdict.LEAK);
        assertThat(result.findings().getFirst().site().frame().fileName()).isEqualTo("job.py");
        Files.createFile(stop);
        assertThat(job.result()).isEqualTo("not recording");
    }

    @Test
    void aJobWithoutTorchIsSaidToHaveNone() throws Exception {
        Path stop = folder.resolve("stop");
        Job job = Job.start(folder, List.of(), Job.pythons().getFirst(), "until", stop.toString());

        assertThatThrownBy(() -> record(job)).hasMessageContaining("has not used a GPU through PyTorch");
        Files.createFile(stop);
        assertThat(job.result()).isNotEmpty();
    }

    private Visit record(Job job) throws Exception {
        Attach.Options options = new Attach.Options(
                null, null, folder.resolve("kept"), Duration.ofSeconds(60), Duration.ofSeconds(5), Duration.ZERO);
        return RemoteRecording.of(job.pid, Duration.ofSeconds(3), ENTRIES, options, _ -> {});
    }

    private Job train(Path stop) throws Exception {
        List<String> command = List.of(System.getenv("LEAKLINE_PYTHON").split(" ", -1));
        int last = command.size() - 1;
        return Job.start(folder, command.subList(0, last), Path.of(command.get(last)), "train", stop.toString());
    }
}
