package dev.leakline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.cli.Program.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whether a change of a job has helped, of recordings that a stand-in for the probe leaves. */
class VerifyCommandTest {
    private static final Path RECORDED =
            Path.of("../testkit/scenarios/recorded").toAbsolutePath().normalize();
    private static final Path HELD =
            Path.of("../testkit/scenarios/holders").toAbsolutePath().normalize();
    private static final Path LEAKING = HELD.resolve("scaled_losses.pickle.gz");

    @TempDir
    private Path folder;

    @Test
    void whatIsGoneIsFixed() throws Exception {
        Outcome outcome = verify(LEAKING.toString(), RECORDED.resolve("clean_last_logits.pickle.gz"));
        assertThat(outcome.out()).contains("fixed: 512 B per step at scaled_losses.py:19 (step) is gone");
        assertThat(outcome.exit()).as(outcome.err()).isZero();
    }

    @Test
    void whatStaysIsTheSameAndNoSuccess() throws Exception {
        Outcome outcome = verify(LEAKING.toString(), LEAKING);
        assertThat(outcome.out()).startsWith("same: ");
        assertThat(outcome.exit()).isEqualTo(1);
    }

    @Test
    void aFolderOfARunIsASideAndJsonIsTheLastLine() throws Exception {
        Files.createDirectory(folder.resolve("before"));
        Files.copy(LEAKING, folder.resolve("before/job.pickle.gz"));
        Files.copy(HELD.resolve("scaled_losses.holders.gz"), folder.resolve("before/job.holders.gz"));
        Outcome outcome = verify("before", RECORDED.resolve("attention_maps.pickle.gz"), "--format", "json");
        assertThat(outcome.out().lines().toList().getLast()).startsWith("{").contains("\"outcome\":\"another\"");
        assertThat(outcome.exit()).isEqualTo(1);
    }

    @Test
    void aJobThatFailsTellsNothing() throws Exception {
        Outcome outcome = run("verify", LEAKING.toString(), "--", "python3", "-c", "raise SystemExit(7)");
        assertThat(outcome.exit()).isEqualTo(7);
        assertThat(outcome.err()).contains("the job failed with exit code 7");
        assertThat(outcome.out()).isEmpty();
    }

    private Outcome verify(String before, Path after, String... options) throws Exception {
        String[] job = {
            before, "--", "env", "STUB_SNAPSHOT=" + after, "python3", "-c", "",
        };
        String[] all = new String[options.length + job.length + 1];
        all[0] = "verify";
        System.arraycopy(options, 0, all, 1, options.length);
        System.arraycopy(job, 0, all, options.length + 1, job.length);
        return run(all);
    }

    private Outcome run(String... arguments) throws Exception {
        Path probe =
                Path.of("../attach/src/test/resources/probe").toAbsolutePath().normalize();
        String[] all = new String[arguments.length + 2];
        all[0] = arguments[0];
        all[1] = "--probe";
        all[2] = probe.toString();
        System.arraycopy(arguments, 1, all, 3, arguments.length - 1);
        return new Program(folder).run(all);
    }
}
