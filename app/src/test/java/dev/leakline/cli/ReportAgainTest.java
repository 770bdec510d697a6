package dev.leakline.cli;

import static dev.leakline.testkit.snapshot.SnapshotBuilder.snapshot;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.leakline.cli.Program.Outcome;
import dev.leakline.testkit.pickle.Dialect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** {@code leakline report} of a report that was written before. */
class ReportAgainTest {
    private static final long MB = 1 << 20;

    @TempDir
    private Path folder;

    private Outcome first;

    @BeforeEach
    void writeReports() throws Exception {
        Files.write(
                folder.resolve("job.pickle"),
                snapshot()
                        .repeat(
                                40,
                                (s, i) -> s.alloc("batch", 20 * MB, "train.py:20 train", "main.py:5 main")
                                        .alloc("loss" + i, 3 * MB, "train.py:25 train", "main.py:5 main")
                                        .free("batch", "train.py:30 train", "main.py:5 main")
                                        .step())
                        .write(Dialect.PROTOCOL_4));
        first = run("report", "--full", "--html", "out.html", "job.pickle");
        Files.writeString(
                folder.resolve("out.json"),
                run("report", "--full", "--format", "json", "job.pickle").out());
    }

    @Test
    void thePageSaysInTextWhatTheSnapshotSaid() throws Exception {
        Outcome again = run("report", "--full", "out.html");
        assertThat(again.exit()).isZero();
        assertThat(again.err()).isEmpty();
        assertThat(again.out()).isEqualTo(first.out()).contains("train.py:25");
    }

    @Test
    void jsonSaysTheSameToo() throws Exception {
        assertThat(run("report", "--full", "out.json").out()).isEqualTo(first.out());
        assertThat(run("report", "--full", "--format", "json", "out.html").out())
                .isEqualTo(Files.readString(folder.resolve("out.json")));
    }

    /** Lists that were added to the schema since: who wrote before had none of it. */
    @Test
    void aReportOfAnEarlierVersionHasEmptyListsForWhatCameLater() throws Exception {
        String now = Files.readString(folder.resolve("out.json"));
        String earlier = now.replaceAll("(?s)\"(inputs|ranks|levers|logs)\" : \\[(?! \\{)[^\\[\\]{}]*\\],\\s*", "");
        assertThat(earlier).hasSizeLessThan(now.length()).doesNotContain("\"levers\"", "\"logs\"");
        Files.writeString(folder.resolve("earlier.json"), earlier);

        Outcome again = run("report", "--full", "earlier.json");
        assertThat(again.exit()).isZero();
        assertThat(again.err()).isEmpty();
        assertThat(again.out()).contains("train.py:25");
        assertThat(run("report", "--full", "--format", "json", "earlier.json").out())
                .contains("\"levers\"", "\"logs\"");
    }

    @Test
    void standardInputMayBeAReport() throws Exception {
        Outcome outcome = new Program(folder).run(folder.resolve("out.html"), Map.of(), "report", "--full", "-");
        assertThat(outcome.out()).isEqualTo(first.out());
    }

    @Test
    void failOnWorksAsWithTheSnapshot() throws Exception {
        assertThat(run("report", "--full", "--fail-on", "leak", "job.pickle").exit())
                .isEqualTo(1);
        assertThat(run("report", "--full", "--fail-on", "leak", "out.html").exit())
                .isEqualTo(1);
    }

    @TestFactory
    Stream<DynamicTest> whatNeedsTheSnapshotSaysSo() {
        return Stream.of(
                        List.of("--html", "other.html"),
                        List.of("--device", "0"),
                        List.of("--device-memory", "24G"),
                        List.of("--from", "10"),
                        List.of("--to", "10"))
                .map(option -> dynamicTest(option.getFirst(), () -> {
                    Outcome outcome = run("report", "--full", option.getFirst(), option.getLast(), "out.html");
                    assertThat(outcome.exit()).isEqualTo(2);
                    assertThat(outcome.out()).isEmpty();
                    assertThat(outcome.errors())
                            .containsExactly("leakline: " + option.getFirst()
                                    + " needs the snapshot itself, but this is a report of job.pickle");
                    assertThat(folder.resolve("other.html")).doesNotExist();
                }));
    }

    @Test
    void aReportStandsAlone() throws Exception {
        Outcome outcome = run("report", "--full", "job.pickle", "out.html");
        assertThat(outcome.exit()).isEqualTo(2);
        assertThat(outcome.errors()).singleElement().asString().contains("leakline diff compares two");
    }

    @Test
    void aCutPageIsRefusedInALine() throws Exception {
        String page = Files.readString(folder.resolve("out.html"));
        Files.writeString(folder.resolve("cut.html"), page.substring(0, page.indexOf("leakline-data") + 500));
        Outcome outcome = run("report", "--full", "cut.html");
        assertThat(outcome.exit()).isEqualTo(3);
        assertThat(outcome.out()).isEmpty();
        assertThat(outcome.errors())
                .singleElement()
                .asString()
                .startsWith("leakline: cut.html: its compressed data is truncated");
    }

    private Outcome run(String... arguments) throws Exception {
        return new Program(folder).run(arguments);
    }
}
