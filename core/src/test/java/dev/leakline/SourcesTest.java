package dev.leakline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.result.Finding.SourceLines;
import dev.leakline.result.Frame;
import dev.leakline.result.Results;
import dev.leakline.testkit.Thoroughness;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whose lines are shown, and whose are not, whatever a snapshot asks for. */
class SourcesTest {
    private static final String CODE = "one\ntwo\n\nfour\r\nfive\nsix";

    @TempDir
    private Path folder;

    private Path project;

    @BeforeEach
    void writeSources() throws IOException {
        project = Files.createDirectories(folder.resolve("project"));
        Files.createDirectories(project.resolve("pkg/inner"));
        Files.writeString(project.resolve("train.py"), CODE);
        Files.writeString(project.resolve("pkg/train.py"), "in pkg\n");
        Files.writeString(project.resolve("pkg/inner/train.py"), "in inner\n");
        Files.writeString(folder.resolve("secret.py"), "secret\n");
    }

    @ParameterizedTest
    @CsvSource({"1,1,one|two|", "2,1,one|two||four", "4,2,two||four|five|six", "6,4,four|five|six"})
    void twoLinesOnEitherSideAreShown(int line, int first, String lines) {
        SourceLines source = find(project.resolve("train.py").toString(), line, project);
        assertThat(source).isNotNull();
        assertThat(source.firstLine()).isEqualTo(first);
        assertThat(source.lines()).containsExactly(lines.split("\\|", -1));
        assertThat(source.path()).isEqualTo(project.resolve("train.py").toString());
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 3, 7, Integer.MAX_VALUE})
    void aLineThatIsNotThereOrBlankHasNoSource(int line) {
        assertThat(find(project.resolve("train.py").toString(), line, project)).isNull();
    }

    @Test
    void theLongestEndOfAPathCounts() {
        assertThat(first("/build/pkg/inner/train.py", project)).isEqualTo("in inner");
        assertThat(first("C:\\build\\pkg\\train.py", project)).isEqualTo("in pkg");
        assertThat(first("/elsewhere/train.py", project)).isEqualTo("one");
        assertThat(first("./train.py", project)).isEqualTo("one");
        assertThat(first("/x/pkg/train.py", project.resolve("pkg/inner"), project))
                .isEqualTo("in pkg");
        assertThat(first("/x/train.py", project.resolve("pkg"), project)).isEqualTo("in pkg");
        assertThat(find("/x/other.py", 1, project)).isNull();
    }

    @Test
    void thePathOfTheRecordingComesFirst() {
        assertThat(first(project.resolve("pkg/train.py").toString(), project)).isEqualTo("in pkg");
        assertThat(first(project.resolve("train.py").toString(), project.resolve("pkg"), project))
                .isEqualTo("one");
    }

    @Test
    void withoutAFolderNothingIsRead() {
        Path here = Path.of("").toAbsolutePath();
        String relative = here.relativize(project.resolve("train.py")).toString();
        for (String name : List.of(project.resolve("train.py").toString(), relative)) {
            assertThat(find(name, 1)).as(name).isNull();
        }
    }

    @Test
    void aPathOutsideTheFolderIsNotRead() {
        Path secret = folder.resolve("secret.py");
        Path here = Path.of("").toAbsolutePath();
        List<String> names = List.of(
                secret.toString(),
                project + "/../secret.py",
                project + "/pkg/../../secret.py",
                "../secret.py",
                here.relativize(secret).toString());
        for (String name : names) {
            assertThat(find(name, 1, project)).as(name).isNull();
            assertThat(findOfJob(name, project)).as(name).isNull();
        }
    }

    @Test
    void aFolderMayBeNamedThroughLinksAndFromElsewhere() throws IOException {
        Path alias = Files.createSymbolicLink(folder.resolve("alias"), project);
        Path winding = project.resolve("pkg/..");
        for (Path named : List.of(alias, winding)) {
            assertThat(first(project.resolve("pkg/train.py").toString(), named)).isEqualTo("in pkg");
        }
        assertThat(first(alias.resolve("pkg/train.py").toString(), alias)).isEqualTo("in pkg");
    }

    @Test
    void ofAJobOnlyFilesOfItsWorkingFolderAreRead() throws IOException {
        SourceLines own = findOfJob(project.resolve("pkg/train.py").toString(), project);
        assertThat(own).isNotNull();
        assertThat(own.lines()).startsWith("in pkg");
        assertThat(findOfJob("train.py", project)).isNotNull();
        assertThat(findOfJob("/usr/lib/python3/pkg/train.py", project)).isNull();
        Files.createSymbolicLink(project.resolve("link.py"), folder.resolve("secret.py"));
        assertThat(findOfJob(project.resolve("link.py").toString(), project)).isNull();
    }

    @Test
    void nothingOutsideAFolderIsShown() throws IOException {
        assertThat(find("/gone/../secret.py", 1, project)).isNull();
        assertThat(find("gone\\..\\..\\secret.py", 1, project)).isNull();
        Files.createSymbolicLink(project.resolve("link.py"), folder.resolve("secret.py"));
        Files.createSymbolicLink(project.resolve("up"), folder);
        assertThat(find("/gone/link.py", 1, project)).isNull();
        assertThat(find("/gone/up/secret.py", 1, project)).isNull();
        assertThat(first("/gone/secret.py", project, folder)).isEqualTo("secret");
    }

    @Test
    void aLinkWithinTheFolderIsFollowed() throws IOException {
        Files.createSymbolicLink(project.resolve("alias.py"), project.resolve("pkg/train.py"));
        assertThat(first("/gone/alias.py", project)).isEqualTo("in pkg");
    }

    @Test
    void onlyPythonIsShown() throws IOException {
        Path key = Files.writeString(folder.resolve("id_rsa"), "private\n");
        Files.writeString(project.resolve("run.ipynb"), "{}\n");
        Path disguise = Files.createSymbolicLink(project.resolve("disguise.py"), key);
        for (String name : List.of(key.toString(), project.resolve("run.ipynb").toString(), disguise.toString())) {
            assertThat(find(name, 1, folder, project)).as(name).isNull();
        }
    }

    @Test
    @Timeout(Thoroughness.HANGS)
    void onlyRegularFilesAreOpened() throws Exception {
        Path pipe = project.resolve("pipe.py");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        Files.createDirectory(project.resolve("folder.py"));
        Path zero = Files.createSymbolicLink(project.resolve("zero.py"), Path.of("/dev/zero"));
        assertThat(find(pipe.toString(), 1, project)).isNull();
        assertThat(find("/gone/pipe.py", 1, project)).isNull();
        assertThat(find(project.resolve("folder.py").toString(), 1, project)).isNull();
        assertThat(find(zero.toString(), 1, project)).isNull();
        Files.delete(zero);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".py", "/", "\0.py", "a\0/b.py", "\\\\host\\share\\x.py", "\ud800.py"})
    void oddPathsHaveNoSource(String name) {
        assertThat(find(name, 1, project)).isNull();
    }

    @Test
    void ofAShareOfAnotherMachineOnlyTheEndCounts() {
        assertThat(first("//host/share/train.py", project)).isEqualTo("one");
        assertThat(first("\\\\host\\share\\train.py", project)).isEqualTo("one");
        assertThat(findOfJob("//host/share/train.py", project)).isNull();
    }

    @Test
    void aPathOfAnyLengthIsBounded() {
        assertThat(first("/a".repeat(100_000) + "/train.py", project)).isEqualTo("one");
    }

    @Test
    void longLinesAreCutAndOddBytesReplaced() throws IOException {
        Path file = project.resolve("odd.py");
        Files.write(
                file,
                ("\u00e9" + "x".repeat(500) + "\n" + "y".repeat(199) + "\ud83d\ude80\n")
                        .getBytes(StandardCharsets.UTF_8));
        SourceLines source = find(file.toString(), 1, project);
        assertThat(source).isNotNull();
        assertThat(source.lines().get(0)).isEqualTo("\u00e9" + "x".repeat(199));
        assertThat(source.lines().get(1)).isEqualTo("y".repeat(199));
        Files.write(file, new byte[] {'a', (byte) 0xff, 'b'});
        assertThat(first(file.toString(), project)).isEqualTo("a\ufffdb");
    }

    @Test
    void ofALargeFileOnlyTheBeginningIsRead() throws IOException {
        Path file = project.resolve("large.py");
        Files.writeString(file, "x".repeat(100) + "\n" + "y".repeat(5 << 20) + "\nlast\n");
        assertThat(find(file.toString(), 1, project)).isNotNull();
        assertThat(find(file.toString(), 3, project)).isNull();
    }

    @Test
    void aWholeFileHasItsPathBeneathTheFolder() throws IOException {
        Files.write(project.resolve("latin.py"), new byte[] {'#', (byte) 0xfc, '\n'});
        Files.writeString(project.resolve("large.py"), "x".repeat((4 << 20) + 1));
        Files.createSymbolicLink(project.resolve("link.py"), folder.resolve("secret.py"));
        Files.createSymbolicLink(project.resolve("alias.py"), project.resolve("pkg/train.py"));
        Sources sources = Sources.of(List.of(project));
        assertThat(sources.whole(new Frame("/build/pkg/inner/train.py", 1, "f")))
                .contains(new Sources.SourceFile("pkg/inner/train.py", "in inner\n"));
        assertThat(sources.whole(new Frame("/gone/alias.py", 1, "f")))
                .contains(new Sources.SourceFile("pkg/train.py", "in pkg\n"));
        for (String name : List.of("latin.py", "large.py", "link.py", "../secret.py", "none.py")) {
            assertThat(sources.whole(new Frame(name, 1, "f"))).as(name).isEmpty();
        }
    }

    @Test
    void aFileThatChangedAfterTheJobWasStartedIsNotTheOneThatRan() throws IOException {
        Path file = Files.writeString(folder.resolve("changed.py"), "x = 1\n");
        Instant saved = Files.getLastModifiedTime(file).toInstant();
        Frame frame = new Frame("changed.py", 1, "f");
        assertThat(Sources.ofJob(folder, saved.plusSeconds(1)).whole(frame)).isPresent();
        Sources later = Sources.ofJob(folder, saved.minusSeconds(1));
        assertThat(later.whole(frame)).isEmpty();
        assertThat(later.changed()).containsExactly("changed.py");
    }

    private static String first(String name, Path... folders) {
        SourceLines source = find(name, 1, folders);
        return source == null ? "none" : source.lines().getFirst();
    }

    private static @Nullable SourceLines findOfJob(String name, Path folder) {
        return Sources.ofJob(folder, Instant.MAX)
                .attach(Results.leakAt(new Frame(name, 1, "f")))
                .findings()
                .getFirst()
                .source();
    }

    private static @Nullable SourceLines find(String name, int line, Path... folders) {
        return Sources.of(List.of(folders))
                .attach(Results.leakAt(new Frame(name, line, "f")))
                .findings()
                .getFirst()
                .source();
    }
}
