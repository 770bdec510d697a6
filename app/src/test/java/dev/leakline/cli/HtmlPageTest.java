package dev.leakline.cli;

import static dev.leakline.testkit.snapshot.SnapshotBuilder.snapshot;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.leakline.cli.Program.Outcome;
import dev.leakline.testkit.pickle.Dialect;
import dev.leakline.testkit.snapshot.SnapshotBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** {@code report --html}: one whole page at the place that was named, or nothing and a reason. */
class HtmlPageTest {
    private static final long MB = 1 << 20;
    private static final int KB = 1 << 10;

    @TempDir
    private Path folder;

    @Test
    void thePageIsWrittenBesideTheReport() throws Exception {
        Files.write(folder.resolve("job.pickle"), job());
        Outcome outcome = run("report", "--html", "out.html", "job.pickle");
        assertThat(outcome.exit()).as(outcome.err()).isZero();
        assertThat(outcome.out()).isEqualTo(run("report", "job.pickle").out());
        // where others are at work, progress is shown before
        assertThat(outcome.err()).containsPattern("(?m)^leakline: wrote out\\.html, \\d.*iB\n\\z");
        String page = Files.readString(folder.resolve("out.html"));
        assertThat(page).startsWith("<!doctype html>").endsWith("</html>\n").contains("id=\"leakline-data\"");
        assertThat(folder.toFile().list()).noneMatch(name -> name.startsWith("."));
    }

    @Test
    void jsonIsPrintedAsEver() throws Exception {
        Files.write(folder.resolve("job.pickle"), job());
        Outcome outcome = run("report", "--format", "json", "--html", "out.html", "job.pickle");
        assertThat(outcome.out())
                .isEqualTo(run("report", "--format", "json", "job.pickle").out());
        assertThat(folder.resolve("out.html")).exists();
    }

    @Test
    void theFormerPageIsReplacedThroughALink() throws Exception {
        Files.write(folder.resolve("job.pickle"), job());
        Path former = Files.writeString(folder.resolve("former.html"), "former");
        Files.createSymbolicLink(folder.resolve("latest.html"), former);
        assertThat(run("report", "--html", "latest.html", "job.pickle").exit()).isZero();
        assertThat(folder.resolve("latest.html")).isSymbolicLink();
        assertThat(Files.readString(former)).startsWith("<!doctype html>");
    }

    @Test
    void aLinkThatAnybodyMayHaveMadeIsNotFollowed() throws Exception {
        Files.write(folder.resolve("job.pickle"), job());
        Path precious = Files.writeString(folder.resolve("precious"), "precious");
        Path everybodys = Files.createDirectory(folder.resolve("everybodys"));
        Files.setPosixFilePermissions(everybodys, PosixFilePermissions.fromString("rwxrwxrwx"));
        Files.createSymbolicLink(everybodys.resolve("out.html"), precious);
        Outcome outcome = run("report", "--html", "everybodys/out.html", "job.pickle");
        assertThat(outcome.exit()).isEqualTo(2);
        assertThat(outcome.err()).contains("out.html is a symbolic link in a folder that everybody can write to");
        assertThat(precious).hasContent("precious");
    }

    @Test
    void thePageOfAnEmptySnapshotIsSmall() throws Exception {
        Files.write(folder.resolve("empty.pickle"), snapshot().write(Dialect.PROTOCOL_4));
        assertThat(run("report", "--html", "out.html", "empty.pickle").exit()).isZero();
        assertThat(Files.size(folder.resolve("out.html"))).isLessThan(150 * KB);
    }

    @TestFactory
    Stream<DynamicTest> aPageTakesNothingElsesPlace() {
        return Stream.of(
                refused("job.pickle", "the file name must end in .html"),
                refused("-", "the file name must end in .html"),
                refused("input.html", "it is also an input"),
                refused("folder.html", "it is a folder; name a file in it"),
                refused("missing/out.html", "no such folder"));
    }

    private DynamicTest refused(String place, String says) {
        return dynamicTest("--html " + place, () -> {
            Files.write(folder.resolve("job.pickle"), job());
            Files.write(folder.resolve("input.html"), job());
            Files.createDirectories(folder.resolve("folder.html"));
            Outcome outcome = run("report", "--html", place, "input.html");
            assertThat(outcome.exit()).isEqualTo(2);
            assertThat(outcome.out()).isEmpty();
            assertThat(outcome.errors()).hasSize(1);
            assertThat(outcome.err()).contains(says);
            assertThat(Files.readAllBytes(folder.resolve("job.pickle"))).isEqualTo(job());
        });
    }

    private Outcome run(String... arguments) throws Exception {
        return new Program(folder).run(arguments);
    }

    private static byte[] job() {
        SnapshotBuilder recording = snapshot().preexisting("weights", 37 * MB + 5);
        return recording
                .repeat(
                        30,
                        (s, i) -> s.alloc("loss" + i, 2 * MB + i, "train.py:41 train", "main.py:7 main")
                                .step())
                .write(Dialect.PROTOCOL_4);
    }
}
