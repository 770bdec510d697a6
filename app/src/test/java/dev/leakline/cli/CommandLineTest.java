package dev.leakline.cli;

import static dev.leakline.testkit.snapshot.SnapshotBuilder.snapshot;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.leakline.cli.Program.Outcome;
import dev.leakline.testkit.pickle.Dialect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What people expect of any command line. */
class CommandLineTest {
    @TempDir
    private Path folder;

    @Test
    void aFileAloneIsReported() throws Exception {
        byte[] recording = snapshot().alloc("block", 3 << 20, "train.py:7 main").write(Dialect.PROTOCOL_4);
        Files.write(folder.resolve("job.pickle"), recording);
        Outcome alone = run("job.pickle", "--top", "1");
        assertThat(alone.exit()).as(alone.err()).isZero();
        assertThat(alone.out())
                .isEqualTo(run("report", "job.pickle", "--top", "1").out())
                .contains("train.py:7");
    }

    @Test
    void helpOfACommandIsItsHelp() throws Exception {
        assertThat(run("help", "fit").out())
                .isEqualTo(run("fit", "--help").out())
                .startsWith("Usage: leakline fit");
    }

    @Test
    void whatIsMeantIsOfferedInTwoLines() throws Exception {
        assertThat(run("reprot", "job.pickle").err()).isEqualTo("""
                leakline: no command or file 'reprot'
                leakline: did you mean report? see leakline --help
                """);
        assertThat(run("report", "--formt", "json", "job.pickle").err()).isEqualTo("""
                leakline: Unknown option: '--formt'
                leakline: did you mean --format? see leakline report --help
                """);
    }

    @Test
    void aShellCompletesCommandsAndOptions() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "no bash");
        Path script = folder.resolve("try.sh");
        Files.writeString(script, run("completion", "bash").out() + """

                COMP_WORDS=(leakline who); COMP_CWORD=1; _complete_leakline; echo "${COMPREPLY[@]}"
                COMP_WORDS=(leakline report --for); COMP_CWORD=2; _complete_leakline; echo "${COMPREPLY[@]}"
                COMP_WORDS=(leakline wha); COMP_CWORD=1; _complete_leakline; echo "${COMPREPLY[@]}"
                """);
        Process bash = new ProcessBuilder("/bin/bash", script.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo("\n--format\nwhatif\n");
    }

    @Test
    void fishCompletesCommandsOptionsAndValues() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/fish")), "no fish");
        Path script = folder.resolve("try.fish");
        Files.writeString(script, run("completion", "fish").out() + """

                complete -C 'leakline wha' | string split -f1 \\t
                complete -C 'leakline report --form' | string split -f1 \\t
                complete -C 'leakline report --format ' | string split -f1 \\t
                """);
        Process fish = new ProcessBuilder("/usr/bin/fish", "--no-config", script.toString()).start();
        assertThat(new String(fish.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .as(new String(fish.getErrorStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo("whatif\n--format\nbrief\ncsv\njson\njunit\nmarkdown\nsarif\ntext\n");
    }

    @Test
    void coloursAreAskedForOrRefused() throws Exception {
        Files.write(
                folder.resolve("job.pickle"),
                snapshot().alloc("block", 3 << 20, "train.py:7 main").write(Dialect.PROTOCOL_4));
        Map<String, String> terminal = Map.of("leakline.stdout", "tty");
        Path none = Path.of("/dev/null");
        Program program = new Program(folder);
        assertThat(run("report", "job.pickle").out()).doesNotContain("\u001b[");
        assertThat(run("report", "--color", "always", "job.pickle").out()).contains("\u001b[");
        assertThat(program.run(none, terminal, "report", "job.pickle").out()).contains("\u001b[");
        assertThat(program.run(none, terminal, "report", "--color=never", "job.pickle")
                        .out())
                .doesNotContain("\u001b[");
    }

    @Test
    void momentsInTheWrongOrderAreRefused() throws Exception {
        assertThat(run("report", "--from", "20", "--to", "20", "job.pickle").err())
                .startsWith("leakline: --from is not before --to");
        assertThat(run("report", "--from", "2s", "--to", "20", "job.pickle").err())
                .as("times and events are not compared")
                .startsWith("leakline: job.pickle: no such file");
    }

    private Outcome run(String... arguments) throws Exception {
        return new Program(folder).run(arguments);
    }
}
