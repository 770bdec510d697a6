package dev.leakline.cli;

import static dev.leakline.testkit.snapshot.SnapshotBuilder.snapshot;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.cli.Program.Outcome;
import dev.leakline.testkit.pickle.Dialect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command {@code leakline explain} as users call it. */
class ExplainCommandTest {
    private static final String THREAD =
            "My server leaks, each request takes about 12 MB of VRAM more.\nWhat can I do?\n";

    @TempDir
    private Path folder;

    @Test
    void aPastedTextIsExplainedFromAFileOrFromStandardInput() throws Exception {
        Path thread = Files.writeString(folder.resolve("thread.md"), THREAD);
        Outcome file = run("explain", "thread.md");
        Outcome stdin = new Program(folder).run(thread, Map.of(), "explain", "-");
        assertThat(file.exit()).as(file.err()).isZero();
        assertThat(file.out())
                .startsWith("thread.md\n")
                .contains("grows, GPU memory")
                .contains("line 1: My server leaks")
                .contains("not in this text: which line allocates it")
                .contains("leakline run");
        assertThat(stdin.out()).contains("grows, GPU memory");
    }

    @Test
    void jsonHasTheConclusionAndTheNextStep() throws Exception {
        Files.writeString(folder.resolve("thread.md"), THREAD);
        assertThat(run("explain", "--format", "json", "thread.md").out())
                .contains("\"verdict\" : \"grows\"", "\"growth_per_step\"", "\"advice\" : [ {");
        assertThat(run("report", "--format", "json", "thread.md").out())
                .as("a report says the same")
                .contains("\"verdict\" : \"grows\"", "\"growth_per_step\"");
    }

    @Test
    void aReportOfSentencesAloneIsTheSameConclusion() throws Exception {
        Path text = folder.resolve("thread.md");
        Files.writeString(text, "After every epoch the VRAM is higher than before and never comes back.\n");
        Outcome report = run("report", "thread.md");
        Outcome stdin = new Program(folder).run(text, Map.of(), "report", "-");
        String said = run("explain", "thread.md").out().strip();
        assertThat(report.exit()).as(report.err()).isZero();
        assertThat(report.out()).startsWith(said).contains("\ninput\n  text,");
        assertThat(stdin.out()).contains(said.substring(said.indexOf('\n')));
    }

    @Test
    void aReportSaysWhatTheTextSaysOfItsMessage() throws Exception {
        Files.writeString(
                folder.resolve("solved.md"),
                "[SOLVED] VRAM grows\nRuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB\nDetaching the loss did it.\n");
        assertThat(run("explain", "solved.md").out()).contains("the problem is solved");
        assertThat(run("report", "solved.md").out()).contains("the problem is solved");
    }

    @Test
    void aReportAdvisesWhatTheCodeInTheTextCallsFor() throws Exception {
        StringBuilder log = new StringBuilder("losses.append(model(x))\n");
        for (int i = 0; i < 20; i++) {
            log.append("step ")
                    .append(i)
                    .append(" allocated_mb=")
                    .append(2000 + 150 * i)
                    .append('\n');
        }
        Files.writeString(folder.resolve("log.txt"), log);
        assertThat(run("explain", "log.txt").out()).contains("Keep results without their graphs");
        assertThat(run("report", "log.txt").out()).contains("Keep results without their graphs", "critical");
    }

    @Test
    void aReportOfATextThatSaysNothingIsAnError() throws Exception {
        Files.writeString(folder.resolve("empty.txt"), "hello\n");
        assertThat(run("report", "empty.txt").exit()).isEqualTo(3);
    }

    @Test
    void aFolderIsACase() throws Exception {
        Files.writeString(folder.resolve("thread.md"), THREAD);
        Files.write(
                folder.resolve("rank0.pickle"),
                snapshot().alloc("a", 30 << 20, "train.py:41 train").write(Dialect.PROTOCOL_4));
        Outcome outcome = run("explain", ".");
        assertThat(outcome.exit()).as(outcome.err()).isZero();
        assertThat(outcome.out()).contains("thread.md", "rank0.pickle", "grows, GPU memory", "train.py:41 train");
    }

    @Test
    void whatARecordingBesideTheTextTellsIsNotOpen() throws Exception {
        Files.writeString(folder.resolve("thread.md"), THREAD);
        Path examples = Path.of("../examples").toAbsolutePath();
        Files.copy(examples.resolve("train_with_a_leak.pickle.gz"), folder.resolve("job.pickle.gz"));
        String text = run("explain", "thread.md", "job.pickle.gz").out().replaceAll("\\s+", " ");
        assertThat(text)
                .contains("grows, GPU memory", "; in the recording beside it, ", "at train_with_a_leak.py:42")
                .contains("not in this text: what keeps it alive")
                .doesNotContain("which line allocates it")
                .doesNotContain("Or start the job with leakline run");
    }

    @Test
    void aTextThatSaysNothingIsNoError() throws Exception {
        Files.writeString(folder.resolve("empty.txt"), "hello\n");
        Outcome outcome = run("explain", "empty.txt");
        assertThat(outcome.exit()).isZero();
        assertThat(outcome.out().replaceAll("\\s+", " "))
                .contains("undetermined", "no figures of memory", "leakline run");
    }

    private Outcome run(String... arguments) throws Exception {
        return new Program(folder).run(arguments);
    }
}
