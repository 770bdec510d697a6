package dev.leakline.cli;

import static dev.leakline.testkit.snapshot.SnapshotBuilder.snapshot;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.cli.Program.Outcome;
import dev.leakline.testkit.pickle.Dialect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code leakline diff} from the command line. */
class DiffCommandTest {
    private static final long MB = 1 << 20;

    @TempDir
    private Path folder;

    @BeforeEach
    void writeRecordings() throws Exception {
        Files.write(folder.resolve("slow.pickle"), leak(3 * MB));
        Files.write(folder.resolve("fast.pickle"), leak(7 * MB));
    }

    @Test
    void twoSnapshotsAreCompared() throws Exception {
        Outcome outcome = run("diff", "slow.pickle", "fast.pickle");
        assertThat(outcome.exit()).isZero();
        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.out())
                .contains("before   leak: slow.pickle\n", "after    leak: fast.pickle\n", "worse: ")
                .contains("3.00 MiB -> 7.00 MiB per step, 2.33 times as much", "+160 MiB")
                .doesNotContain("\u001b");
    }

    @Test
    void aSnapshotAndItsPageDoNotDiffer() throws Exception {
        run("report", "--html", "slow.html", "slow.pickle");
        Outcome outcome = run("diff", "slow.pickle", "slow.html");
        assertThat(outcome.exit()).isZero();
        assertThat(outcome.out()).contains("slow.html, the report of slow.pickle", "same: ");
        assertThat(run("diff", "slow.html", "fast.pickle").out())
                .isEqualTo(run("diff", "slow.pickle", "fast.pickle")
                        .out()
                        .replace("before   leak: slow.pickle", "before   leak: slow.html, the report of slow.pickle"));
    }

    @Test
    void jsonOfAReportIsASide() throws Exception {
        Files.writeString(
                folder.resolve("slow.json"),
                run("report", "--format", "json", "--top", "1", "slow.pickle").out());
        Outcome outcome = run("diff", "slow.json", "slow.pickle");
        assertThat(outcome.out()).contains("lists 1 of 2 lines; the others hold 20.0 MiB");
    }

    @Test
    void exitCodesFollowFailOn() throws Exception {
        assertThat(run("diff", "--fail-on", "worse", "slow.pickle", "fast.pickle")
                        .exit())
                .isEqualTo(1);
        assertThat(run("diff", "--fail-on", "new", "slow.pickle", "fast.pickle").exit())
                .isZero();
        assertThat(run("diff", "--fail-on", "worse", "fast.pickle", "slow.pickle")
                        .exit())
                .isZero();
        Files.write(
                folder.resolve("clean.pickle"),
                snapshot().alloc("a", 3 * MB, "a.py:1 f").write(Dialect.PROTOCOL_4));
        assertThat(run("diff", "--fail-on", "new", "clean.pickle", "slow.pickle")
                        .exit())
                .isEqualTo(1);
    }

    @Test
    void jsonIsOneObject() throws Exception {
        String json =
                run("diff", "--format", "json", "slow.pickle", "fast.pickle").out();
        assertThat(json).startsWith("{\n  \"schema\" : \"leakline.diff/1\"").endsWith("}\n");
        Files.writeString(folder.resolve("diff.json"), json);
        Outcome outcome = run("report", "diff.json");
        assertThat(outcome.exit()).isEqualTo(3);
        assertThat(outcome.err()).contains("'leakline.report/1'", "found 'leakline.diff/1'");
    }

    @Test
    void thePageIsWrittenBesideTextAndJson() throws Exception {
        Outcome outcome = run("diff", "--html", "out.html", "slow.pickle", "fast.pickle");
        assertThat(outcome.exit()).as(outcome.err()).isZero();
        assertThat(outcome.out())
                .isEqualTo(run("diff", "slow.pickle", "fast.pickle").out());
        assertThat(outcome.err()).matches("leakline: wrote out\\.html, \\d.*iB\n");
        String page = Files.readString(folder.resolve("out.html"));
        assertThat(page).startsWith("<!doctype html>").contains("slow.pickle", "fast.pickle", "worse: ");
        Files.writeString(folder.resolve("out.html"), "a former page");
        assertThat(run("diff", "--format", "json", "--html", "out.html", "slow.pickle", "fast.pickle")
                        .out())
                .startsWith("{");
        assertThat(folder.resolve("out.html")).hasContent(page);
    }

    @Test
    void thePageOfTwoReportsIsThatOfTheirSnapshots() throws Exception {
        run("report", "--html", "slow.html", "slow.pickle");
        run("diff", "--html", "out.html", "slow.pickle", "fast.pickle");
        run("diff", "--html", "of_report.html", "slow.html", "fast.pickle");
        assertThat(Files.readString(folder.resolve("of_report.html"))
                        .replace("slow.html, the report of slow.pickle", "slow.pickle"))
                .isEqualTo(Files.readString(folder.resolve("out.html")));
    }

    @Test
    void aPageNeverTakesThePlaceOfAnInput() throws Exception {
        run("report", "--html", "slow.html", "slow.pickle");
        byte[] former = Files.readAllBytes(folder.resolve("slow.html"));
        Outcome outcome = run("diff", "--html", "slow.html", "slow.html", "fast.pickle");
        assertThat(outcome.exit()).isEqualTo(2);
        assertThat(outcome.out()).isEmpty();
        assertThat(outcome.err()).contains("--html slow.html: it is also an input");
        assertThat(folder.resolve("slow.html")).hasBinaryContent(former);
        assertThat(run("diff", "--html", "fast.pickle", "slow.pickle", "slow.html")
                        .err())
                .contains("--html fast.pickle: the file name must end in .html");
        assertThat(run("diff", "--html", "missing/out.html", "slow.pickle", "fast.pickle")
                        .err())
                .contains("--html missing/out.html: no such folder");
    }

    @Test
    void whatCannotBeReadEndsIt() throws Exception {
        Outcome outcome = run("diff", "missing.pickle", "fast.pickle");
        assertThat(outcome.exit()).isEqualTo(3);
        assertThat(outcome.out()).isEmpty();
        assertThat(outcome.err()).startsWith("leakline: missing.pickle: no such file\n");
    }

    @Test
    void aCutSnapshotIsComparedAndSaidToBeCut() throws Exception {
        byte[] whole = Files.readAllBytes(folder.resolve("slow.pickle"));
        Files.write(folder.resolve("cut.pickle"), Arrays.copyOf(whole, whole.length * 9 / 10));
        Outcome outcome = run("diff", "slow.pickle", "cut.pickle");
        assertThat(outcome.exit()).isEqualTo(3);
        assertThat(outcome.errLines()).hasSize(1);
        assertThat(outcome.out()).contains("after is incomplete: cut.pickle: truncated");
    }

    @Test
    void usageIsSaidInALine() throws Exception {
        assertThat(run("diff", "slow.pickle").exit()).isEqualTo(2);
        assertThat(run("diff", "slow.pickle").err()).contains("AFTER");
        assertThat(run("diff", "-", "-").err()).contains("only one of the two inputs can be standard input");
        assertThat(run("diff", "a", "b", "c").exit()).isEqualTo(2);
    }

    @Test
    void aNarrowTerminalIsKept() throws Exception {
        Outcome outcome = new Program(folder)
                .run(Path.of("/dev/null"), Map.of("leakline.columns", "60"), "diff", "slow.pickle", "fast.pickle");
        assertThat(outcome.out().lines()).allMatch(line -> line.length() <= 60);
    }

    @Test
    void aTerminalGetsColours() throws Exception {
        Outcome outcome = new Program(folder)
                .run(folder.resolve("slow.pickle"), Map.of("leakline.stdout", "tty"), "diff", "-", "fast.pickle");
        assertThat(outcome.out()).contains("\u001b[31m", "standard input");
    }

    private Outcome run(String... arguments) throws Exception {
        return new Program(folder).run(arguments);
    }

    private static byte[] leak(long bytes) {
        return snapshot()
                .repeat(
                        40,
                        (s, i) -> s.alloc("batch", 20 * MB, "train.py:20 train", "main.py:5 main")
                                .alloc("loss" + i, bytes, "train.py:25 train", "main.py:5 main")
                                .free("batch", "train.py:30 train", "main.py:5 main")
                                .step())
                .write(Dialect.PROTOCOL_4);
    }
}
