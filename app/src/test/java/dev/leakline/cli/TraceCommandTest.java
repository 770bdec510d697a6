package dev.leakline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.cli.Program.Outcome;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Profiler traces as users hand them to the commands. */
class TraceCommandTest {
    private static final Path RECORDED =
            Path.of("../core/src/test/resources/traces").toAbsolutePath();

    @TempDir
    private Path folder;

    @Test
    void aTraceIsReportedLikeASnapshot() throws Exception {
        Outcome outcome = run("report", "--full", recorded("kept_tensors.json.gz"));
        assertThat(outcome.exit()).as(outcome.err()).isZero();
        assertThat(flat(outcome.out()))
                .contains("leak GPU memory grows by 1.17 MiB per step, at record_traces.py:75 (remember)")
                .contains("torch profiler trace, JSON, gzip")
                .contains("live at the peak, by use (an estimate)")
                .contains("live at the peak, by operator")
                .contains("live at the peak, by module")
                .contains("A line is where its function begins")
                .doesNotContain("requested");
    }

    @Test
    void aPageIsWrittenAndReadAgain() throws Exception {
        Outcome first = run("report", "--full", "--html", "out.html", recorded("kept_graphs.json.gz"));
        assertThat(first.exit()).as(first.err()).isZero();
        assertThat(run("report", "--full", "out.html").out()).isEqualTo(first.out());
    }

    @Test
    void aTraceIsComparedWithAnother() throws Exception {
        Outcome outcome = run("diff", recorded("healthy.json.gz"), recorded("kept_tensors.json.gz"));
        assertThat(outcome.exit()).as(outcome.err()).isZero();
        assertThat(flat(outcome.out())).contains("is new").contains("record_traces.py:75 (remember)");
    }

    @Test
    void aTraceCannotBeReplayedAndIsRefusedWithTheReason() throws Exception {
        Outcome outcome = run("whatif", recorded("healthy.json.gz"));
        assertThat(outcome.exit()).isEqualTo(3);
        assertThat(outcome.out()).isEmpty();
        assertThat(flat(outcome.err()))
                .contains("it is a torch.profiler trace, which has neither requested sizes nor segments")
                .contains("_dump_snapshot()");
    }

    @Test
    void aTraceWithoutMemoryIsRefusedWithWhatToDo() throws Exception {
        Outcome outcome = run("report", "--full", recorded("no_memory.json.gz"));
        assertThat(outcome.exit()).isEqualTo(3);
        assertThat(flat(outcome.err())).contains("profile_memory=True, with_stack=True");
    }

    @Test
    void aTraceThatIsCutOffIsReportedAsFarAsItGoes() throws Exception {
        byte[] whole = unpacked("kept_tensors.json.gz");
        Files.write(folder.resolve("cut.json"), Arrays.copyOf(whole, whole.length - 300_000));
        Outcome outcome = run("report", "--full", "cut.json");
        assertThat(outcome.exit()).isEqualTo(3);
        assertThat(flat(outcome.err())).contains("truncated after byte");
        assertThat(flat(outcome.out())).contains("GPU memory grows by 1.17 MiB per step");
    }

    private Outcome run(String... arguments) throws Exception {
        return new Program(folder).run(arguments);
    }

    private static String recorded(String name) {
        return RECORDED.resolve(name).toString();
    }

    private static byte[] unpacked(String name) throws IOException {
        try (InputStream stream = new GZIPInputStream(Files.newInputStream(RECORDED.resolve(name)))) {
            return stream.readAllBytes();
        }
    }

    private static String flat(String text) {
        return text.replaceAll("\\s+", " ");
    }
}
