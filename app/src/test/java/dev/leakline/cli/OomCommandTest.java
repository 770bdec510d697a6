package dev.leakline.cli;

import static dev.leakline.testkit.snapshot.SnapshotBuilder.snapshot;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.cli.Program.Outcome;
import dev.leakline.testkit.pickle.Dialect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command {@code leakline oom} as users call it. */
class OomCommandTest {
    private static final String LOG =
            "[rank3]: Traceback\n[rank3]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 346.00 MiB."
                    + " GPU 5 has a total capacity of 47.53 GiB of which 112.44 MiB is free.\n";

    @TempDir
    private Path folder;

    private Path log;

    @BeforeEach
    void writeLog() throws Exception {
        log = Files.writeString(folder.resolve("job.log"), LOG);
    }

    @Test
    void aLogIsExplainedFromAFileOrFromStandardInput() throws Exception {
        Outcome file = run("oom", "job.log");
        Outcome stdin = new Program(folder).run(log, Map.of("leakline.columns", "60"), "oom", "-");
        assertThat(file.exit()).as(file.err()).isZero();
        assertThat(file.out()).startsWith("job.log\n").contains("346.00 MiB were requested");
        assertThat(stdin.out()).startsWith("standard input\n").contains("346.00 MiB were requested");
        assertThat(stdin.out().lines()).allMatch(line -> line.length() <= 60);
        assertThat(file.err() + stdin.err()).isEmpty();
    }

    @Test
    void jsonIsOneObject() throws Exception {
        Outcome outcome = run("oom", "--format", "json", "job.log");
        assertThat(outcome.out())
                .startsWith("{\n  \"schema\" : \"leakline.report/1\"")
                .endsWith("}\n");
    }

    @Test
    void errorsFailOnlyWhereThatIsAskedFor() throws Exception {
        Files.writeString(folder.resolve("quiet.log"), "step 1\n");
        assertThat(run("oom", "--fail-on-oom", "job.log").exit()).isEqualTo(1);
        Outcome quiet = run("oom", "--fail-on-oom", "quiet.log");
        assertThat(quiet.exit()).isZero();
        assertThat(quiet.out()).contains("No out-of-memory message in 1 line");
    }

    @Test
    void whatCannotBeReadIsToldOfAndTheRestIsReported() throws Exception {
        Files.write(folder.resolve("binary"), new byte[] {'x', 1, 2, 3, (byte) 0xfe});
        Outcome outcome = run("oom", "missing.log", "job.log", "binary");
        assertThat(outcome.exit()).isEqualTo(3);
        assertThat(outcome.out()).contains("346.00 MiB were requested");
        assertThat(outcome.errLines())
                .containsExactly(
                        "leakline: missing.log: no such file",
                        "leakline: binary: not a memory snapshot: it begins with the bytes 78 01 02 03 fe. Expected a file written"
                                + " by torch.cuda.memory._dump_snapshot(): a pickle, plain, gzip or zstd, or the same as JSON");
    }

    @Test
    void snapshotsAreToldByTheirContent() throws Exception {
        Files.write(
                folder.resolve("dump.log"),
                snapshot().alloc("a", 30 << 20, "train.py:41 train").write(Dialect.PROTOCOL_4));
        Outcome outcome = run("oom", "dump.log", "job.log");
        assertThat(outcome.exit()).as(outcome.err()).isZero();
        assertThat(outcome.out())
                .contains("torch memory snapshot, pickle protocol 4", "The recording has no failed request");
    }

    @Test
    void reportExplainsLogs() throws Exception {
        Outcome outcome = run("report", "job.log");
        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.exit()).isZero();
        assertThat(outcome.out()).contains("346.00 MiB were requested");
    }

    private Outcome run(String... arguments) throws Exception {
        return new Program(folder).run(arguments);
    }
}
