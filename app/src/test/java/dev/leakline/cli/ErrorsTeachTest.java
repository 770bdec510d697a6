package dev.leakline.cli;

import static dev.leakline.testkit.snapshot.SnapshotBuilder.snapshot;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.leakline.cli.Program.Outcome;
import dev.leakline.testkit.fault.Faults;
import dev.leakline.testkit.pickle.Dialect;
import dev.leakline.testkit.snapshot.Wrapping;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Walks into all errors and empty answers that can be provoked, and does what the last line says: it must work as it stands. */
class ErrorsTeachTest {
    private static final Pattern NEXT = Pattern.compile("(?:try: |see )leakline (.*)$");
    private static final Pattern WORD = Pattern.compile("'((?:[^']|'\\\\'')*)'|(\\S+)");

    @TempDir
    private Path folder;

    /** What is wrong, and what is to be tried then. */
    @TestFactory
    Stream<DynamicTest> theLastLineIsACommandThatWorks() {
        return Stream.of(
                teaches("--help"),
                teaches("--help", "reprot", "good.pickle"),
                teaches("--help", "help", "nothing"),
                teaches("report --help", "report"),
                teaches("report --help", "report", "--formt", "json", "good.pickle"),
                teaches("report --help", "report", "--top", "x", "good.pickle"),
                teaches("report --help", "report", "--format", "xml", "good.pickle"),
                teaches("report --help", "report", "--from", "5s", "--to", "2s", "good.pickle"),
                teaches("report --help", "report", "--html", "nowhere/x.html", "good.pickle"),
                teaches("report --help", "report", "--source", "missing", "good.pickle"),
                teaches("report --help", "report", "--device", "7", "good.pickle"),
                teaches("report good.pickle", "report", "god.pickle"),
                teaches("report --help", "report", "something-else-entirely.bin"),
                teaches("report --help", "report", "nope.pickle"),
                teaches("ranks --help", "ranks", "missing"),
                teaches("run --help", "ranks", "empty.pickle"),
                teaches("report --help", "report", "*.nothing"),
                teaches("explain notes.txt", "report", "notes.txt"),
                teaches("explain 'my notes.txt'", "report", "my notes.txt"),
                teaches("run --help", "report", "empty.pickle"),
                teaches("run --help", "report", "torn.pickle.gz"),
                teaches("run --help", "report", "list.pickle"),
                teaches("run --help", "report", "plot.png"),
                teaches("run --help", "report", "cpu.pickle"),
                teaches("report --help", "report", "-"),
                teaches("run --help", "report", "nothing"),
                teaches("explain texts", "ranks", "texts"),
                teaches("run --help", "ranks", "nothing"),
                teaches("explain notes.txt", "oom", "notes.txt"),
                teaches("run --help", "explain", "nothing"),
                teaches("fit --help", "fit", "good.pickle"),
                teaches("run --help", "fit", "--device-memory", "24GiB", "cpu.pickle"),
                teaches("report cpu.pickle", "whatif", "cpu.pickle"),
                teaches("diff --help", "diff", "good.pickle"),
                teaches("run --help", "holders", "good.pickle"),
                teaches("watch --help", "watch", "--replay", "missing.jsonl"),
                teaches("watch --help", "watch", "--replay", "notes.txt"),
                teaches("watch --help", "watch", "--once", "99999999"),
                teaches("attach --help", "attach", "99999999"),
                teaches("lint --help", "lint", "missing.py"),
                teaches("gate --help", "gate", "good.pickle", "--budget", "peak"),
                teaches("gate --help", "gate", "good.pickle", "--config", "missing.toml"),
                teaches("gate --help", "gate", "something-else-entirely.bin"),
                teaches("gate --help", "gate", "good.pickle", "--config", "one"),
                teaches("export good.pickle --to csv -o -", "export", "god.pickle", "--to", "csv", "-o", "-"),
                teaches("export --help", "export", "something-else-entirely.bin", "--to", "csv"),
                teaches("export --help", "export", "good.pickle", "--to", "csv", "-o", "one"),
                teaches("export --help", "export", "good.pickle", "--to", "csv", "-o", "good.pickle"),
                teaches("run --help", "export", "empty.pickle", "--to", "parquet"),
                teaches("run --help", "export", "nothing", "--to", "parquet"),
                teaches("export --help", "export", "good.pickle", "--to", "chrome"),
                teaches("run --help", "run"),
                teaches("run --help", "run", "--", "no-such-program"),
                teaches("completion --help", "completion", "tcsh"));
    }

    private DynamicTest teaches(String next, String... arguments) {
        return dynamicTest("leakline " + String.join(" ", arguments), () -> {
            prepare();
            Outcome outcome = new Program(folder).run(arguments);
            assertThat(outcome.err()).doesNotContain("Exception", "\tat ").isNotEmpty();
            Matcher command = NEXT.matcher(outcome.errLines().getLast());
            assertThat(command.find()).as(outcome.err()).isTrue();
            assertThat(command.group(1)).as(outcome.err()).isEqualTo(next);
            Outcome tried = new Program(folder).run(words(command.group(1)));
            assertThat(tried.exit()).as(tried.err()).isZero();
            assertThat(tried.out()).isNotBlank();
        });
    }

    /** The words of a command, as a shell takes them. */
    private static String[] words(String command) {
        return WORD.matcher(command)
                .results()
                .map(word ->
                        word.group(2) != null ? word.group(2) : word.group(1).replace("'\\''", "'"))
                .toArray(String[]::new);
    }

    private void prepare() throws Exception {
        byte[] good = snapshot()
                .repeat(
                        40,
                        (s, i) -> s.alloc("loss" + i, 2 << 20, "train.py:41 train")
                                .step())
                .write(Dialect.PROTOCOL_4);
        byte[] cpu = "\u0080\2}(X\10\0\0\0segments]X\15\0\0\0device_traces]u.".getBytes(StandardCharsets.ISO_8859_1);
        Files.write(folder.resolve("good.pickle"), good);
        Files.write(folder.resolve("cpu.pickle"), cpu);
        Files.write(folder.resolve("empty.pickle"), new byte[0]);
        Files.write(folder.resolve("torn.pickle.gz"), Faults.truncated(Wrapping.gzip(good), 0.02));
        Files.write(folder.resolve("list.pickle"), "\u0080\2]K\1a.".getBytes(StandardCharsets.ISO_8859_1));
        Files.write(folder.resolve("plot.png"), "\u0089PNG\r\n\u001a\n".getBytes(StandardCharsets.ISO_8859_1));
        for (String name : List.of("notes.txt", "my notes.txt", "texts/log.txt")) {
            Files.createDirectories(folder.resolve(name).getParent());
            Files.writeString(folder.resolve(name), "it was slow today\n");
        }
        for (String name : List.of("one/rank0.pickle", "ranks/rank0.pickle", "ranks/rank1.pickle")) {
            Files.createDirectories(folder.resolve(name).getParent());
            Files.write(folder.resolve(name), good);
        }
        Files.createDirectories(folder.resolve("nothing"));
    }
}
