package dev.leakline.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.leakline.testkit.pickle.Dialect;
import dev.leakline.testkit.snapshot.SnapshotBuilder;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** All that the program prints and writes goes through one place each, which checks it. */
class OneDoorTest {
    private static final long MB = 1 << 20;
    private static final String HOSTILE = "/app/\u001b]0;x\u0007\n::error::x\u0000/train.py:7 train";

    @TempDir
    private Path folder;

    @BeforeEach
    void record() throws IOException {
        SnapshotBuilder leak = SnapshotBuilder.snapshot()
                .repeat(
                        40,
                        (s, i) -> s.alloc("kept" + i, 3 * MB, HOSTILE)
                                .alloc("x", MB, "/app/train.py:9 train")
                                .free("x", "/app/train.py:9 train"));
        Files.write(folder.resolve("leak.pickle"), leak.write(Dialect.PROTOCOL_4));
    }

    private int exit(Redirect out, Path err, String... arguments) throws Exception {
        return new ProcessBuilder(Program.command(Map.of(), arguments))
                .directory(folder.toFile())
                .redirectOutput(out)
                .redirectError(err.toFile())
                .start()
                .waitFor();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "report leak.pickle",
                "report --format json leak.pickle",
                "export --to perfetto -o - leak.pickle",
                "--help"
            })
    void outputThatCannotBeWrittenIsAnError(String command) throws Exception {
        Path full = Path.of("/dev/full");
        assumeTrue(Files.exists(full), "needs /dev/full");
        Path err = folder.resolve("err");
        assertThat(exit(Redirect.to(full.toFile()), err, command.split(" ", -1)))
                .isEqualTo(3);
        assertThat(err).content().contains("No space left on device");
    }

    @Test
    void whoeverClosedThePipeHasSeenEnough() throws Exception {
        Path err = folder.resolve("err");
        Process process = new ProcessBuilder(
                        Program.command(Map.of(), "export", "--to", "perfetto", "-o", "-", "leak.pickle"))
                .directory(folder.toFile())
                .redirectError(err.toFile())
                .start();
        process.getInputStream().close();
        assertThat(process.waitFor()).isZero();
        assertThat(err).isEmptyFile();
    }

    @Test
    void aNameWithControlCharactersIsNotSuggested() throws Exception {
        Path job = Files.createDirectory(folder.resolve("job"));
        Files.copy(folder.resolve("leak.pickle"), job.resolve("r\u001b]0;x\u0007\n::error::x_rank0.pickle"));
        Program.Outcome outcome = new Program(folder).run("fit", "job");
        assertThat(outcome.err()).contains("leakline: see leakline ").doesNotContain("\u001b", "\u0007", "\n::");
    }

    /** A recording decides neither whether there is SARIF nor what a runner does. */
    @ParameterizedTest
    @ValueSource(strings = {"text", "markdown", "sarif", "junit", "csv", "json"})
    void aHostileRecordingIsShownAsItIs(String format) throws Exception {
        Program.Outcome outcome = new Program(folder).run("report", "--format", format, "leak.pickle");
        assertThat(outcome.exit()).as(outcome.err()).isZero();
        assertThat(outcome.out()).contains("train.py").doesNotContain("\u001b", "\u0007", "\u0000", "\n::");
    }

    @Test
    void samplesOfAnyTimeAreJudged() throws Exception {
        Files.writeString(
                folder.resolve("s.jsonl"),
                "{\"t\":1e308,\"pid\":7,\"name\":\"x\",\"device\":0,\"used\":1,\"limit\":2}\n");
        assertThat(new Program(folder).run("watch", "--replay", "s.jsonl").exit())
                .isNotEqualTo(70);
    }

    @Test
    void anArchiveOfALogHasItsLetters() throws Exception {
        Files.writeString(
                folder.resolve("utf8.log"), "/home/j\u00fcrgen/projekt_\u00e4 uses memory\n", StandardCharsets.UTF_8);
        Program program = new Program(folder);
        assertThat(program.run("bundle", "-o", "case.zip", "--python", "none", "utf8.log")
                        .exit())
                .isZero();
        try (var zip = new java.util.zip.ZipFile(folder.resolve("case.zip").toFile())) {
            String text = new String(
                    zip.getInputStream(zip.getEntry("inputs/1-utf8.log.txt")).readAllBytes(), StandardCharsets.UTF_8);
            assertThat(text).contains("/home/j\u00fcrgen/projekt_\u00e4");
        }
    }

    @Test
    void anArchiveThatEndsEarlyIsSaidToBeDamaged() throws Exception {
        byte[] head = new byte[49];
        System.arraycopy(new byte[] {'P', 'K', 3, 4, 20, 0, 0, 0, 8, 0}, 0, head, 0, 10);
        head[26] = 19;
        System.arraycopy("leakline-bundle.txt".getBytes(StandardCharsets.US_ASCII), 0, head, 30, 19);
        Files.write(folder.resolve("bad.zip"), head);
        assertThat(new Program(folder).run("explain", "bad.zip").err())
                .contains("ends early")
                .doesNotContain("null");
    }

    /** Files are opened for writing by those that follow no link of others and leave nothing behind. */
    @Test
    void nobodyElseWritesFiles() throws IOException {
        List<String> mayWrite = List.of(
                "PrivateFiles.java",
                "Fixer.java",
                "ProfileFile.java",
                "SharedFolder.java",
                "ProbeFiles.java",
                "Launch.java",
                "ZstdLibrary.java",
                "RemoteMemory.java",
                "EstimateCommand.java");
        for (String module : List.of(
                "app", "attach", "base", "core", "growth", "holders", "jvm", "lint", "recordings", "report", "texts")) {
            try (Stream<Path> files = Files.walk(Path.of("..", module, "src/main/java"))) {
                for (Path file :
                        files.filter(path -> path.toString().endsWith(".java")).toList()) {
                    if (!mayWrite.contains(file.getFileName().toString())) {
                        assertThat(Files.readString(file))
                                .as(file.toString())
                                .doesNotContainPattern(
                                        "\\bFiles\\.(?:write|writeString|newOutputStream|newBufferedWriter|copy|move|create\\w+)\\(|new FileWriter|StandardOpenOption\\.(?:WRITE|APPEND)");
                    }
                }
            }
        }
    }

    @Test
    void nobodyElsePrints() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".java")).toList()) {
                String name = file.getFileName().toString();
                if (!List.of("Terminal.java", "LintCommand.java", "ExportCommand.java", "McpCommand.java")
                        .contains(name)) { // an editor, viewers and an agent read bytes
                    assertThat(Files.readString(file))
                            .as(file.toString())
                            .doesNotContain("System.out", "System.err", "FileDescriptor");
                }
            }
        }
    }
}
