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
            "My server leaks on its card of 24 GB. What can I do?\nstep 100 allocated 3.0 GiB\nstep 200 allocated 4.0 GiB\nstep 300 allocated 5.0 GiB\n";

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
                .contains("leak, GPU memory")
                .contains("the size in line 1 was not read")
                .contains("not in this text: which line allocates it")
                .contains("leakline run");
        assertThat(stdin.out()).contains("leak, GPU memory");
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
        assertThat(outcome.out())
                .contains(
                        "thread.md", "rank0.pickle", "the texts: each of 3 readings is higher", "train.py:41 (train)");
    }

    @Test
    void whatARecordingBesideTheTextTellsIsNotOpen() throws Exception {
        Files.writeString(folder.resolve("thread.md"), THREAD);
        Path examples = Path.of("../examples").toAbsolutePath();
        Files.copy(examples.resolve("train_with_a_leak.pickle.gz"), folder.resolve("job.pickle.gz"));
        String text = run("explain", "thread.md", "job.pickle.gz").out().replaceAll("\\s+", " ");
        assertThat(text)
                .contains("leak GPU memory grows by 194 MiB per step", "the texts: each of 3 readings is higher")
                .contains("at train_with_a_leak.py:42", "who keeps it: leakline run")
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
