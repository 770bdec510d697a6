package dev.leakline.cli;

import static dev.leakline.testkit.snapshot.SnapshotBuilder.snapshot;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.cli.Program.Outcome;
import dev.leakline.testkit.pickle.Dialect;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command {@code leakline bundle} as users call it, and {@code explain} on what it wrote. */
class BundleCommandTest {
    private static final String LOG = """
            starting
            host=gpu-node7.lab.example
              File "/home/linnea/proj/train.py", line 31, in main
            HF_TOKEN=hf_abcdefghijklmnopqrstuvwx
            linnea@gpu-node7 connected from 10.1.2.3
            torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 23.64 GiB of which 1.11 GiB is free.
            """;

    @TempDir
    private Path folder;

    @Test
    void anArchiveHasTheReportAndTheLinesAboutMemoryAndIsReadBack() throws Exception {
        Files.writeString(folder.resolve("train.log"), "nothing to see here\n".repeat(50) + LOG);
        Files.write(
                folder.resolve("rank0.pickle"),
                snapshot().alloc("a", 30 << 20, "train.py:41 train").write(Dialect.PROTOCOL_4));
        Outcome outcome = run("bundle", "train.log", "rank0.pickle", "-o", "case.zip", "--python", "none");
        assertThat(outcome.exit()).as(outcome.err()).isZero();
        assertThat(outcome.out()).contains("report.html", "inputs/1-train.log.txt", "wrote case.zip", "--scrub");
        Map<String, String> entries = entries();
        assertThat(entries.keySet()).startsWith("leakline-bundle.txt").noneMatch(name -> name.contains("rank0"));
        assertThat(entries.get("inputs/1-train.log.txt"))
                .contains("lines left out", "/home/linnea/proj/train.py", "Tried to allocate 2.00 GiB")
                .doesNotContain("hf_abc");
        Outcome explained = run("explain", "case.zip");
        assertThat(explained.exit()).as(explained.err()).isZero();
        assertThat(explained.out()).contains("oom", "2.00 GiB", "train.py:41 (train)");
    }

    @Test
    void scrubbedNamesAreTheSameEverywhereAndNowhereTheOldOnes() throws Exception {
        Files.writeString(folder.resolve("train.log"), LOG);
        Files.writeString(folder.resolve("more.log"), "linnea says /home/linnea/proj/data.py uses memory\n");
        Outcome outcome = run("bundle", "--scrub", "train.log", "more.log", "-o", "case.zip", "--python", "none");
        assertThat(outcome.exit()).as(outcome.err()).isZero();
        Map<String, String> entries = entries();
        entries.forEach(
                (name, text) -> assertThat(text).as(name).doesNotContain("linnea", "gpu-node7", "10.1.2.3", "hf_abc"));
        String first = entries.get("inputs/1-train.log.txt");
        String second = entries.get("inputs/2-more.log.txt");
        String path = first.replaceAll("(?s).*File \"(.*?)train\\.py.*", "$1");
        assertThat(path).matches("/path\\d+/");
        assertThat(second).contains(path + "data.py");
        assertThat(run("explain", "case.zip").out()).contains("oom", "2.00 GiB");
    }

    @Test
    void aProcessIsTakenWithTheSettingsOfMemoryAlone() throws Exception {
        Process process = new ProcessBuilder("sleep", "60").start();
        try {
            Outcome outcome = run("bundle", Long.toString(process.pid()), "-o", "case.zip", "--python", "none");
            assertThat(outcome.exit()).as(outcome.err()).isZero();
            assertThat(entries().get("process-" + process.pid() + ".txt"))
                    .contains("command: sleep 60", "VmRSS:")
                    .doesNotContain("PATH=", "HOME=");
        } finally {
            process.destroyForcibly();
        }
        assertThat(run("explain", "case.zip").exit()).isZero();
    }

    @Test
    void nothingButAnEarlierArchiveIsOverwritten() throws Exception {
        Files.writeString(folder.resolve("case.zip"), "my thesis");
        Outcome outcome = run("bundle", "-o", "case.zip", "--python", "none");
        assertThat(outcome.exit()).isEqualTo(2);
        assertThat(folder.resolve("case.zip")).hasContent("my thesis");
    }

    @Test
    void namesInAHostileArchiveAreNoPaths() throws Exception {
        archive(Map.of(
                "../../escaped.txt",
                "CUDA out of memory. Tried to allocate 2.00 GiB.".getBytes(StandardCharsets.UTF_8)));
        Outcome outcome = run("explain", "case.zip");
        assertThat(outcome.exit()).as(outcome.err()).isZero();
        assertThat(outcome.out()).contains("2.00 GiB");
        assertThat(folder.resolve("../../escaped.txt")).doesNotExist();
    }

    @Test
    void aHostileArchiveThatUnfoldsWithoutEndIsRefused() throws Exception {
        try (OutputStream out = Files.newOutputStream(folder.resolve("case.zip"));
                ZipOutputStream zip = new ZipOutputStream(out)) {
            zip.putNextEntry(new ZipEntry("leakline-bundle.txt"));
            zip.putNextEntry(new ZipEntry("zeros.bin"));
            for (int i = 0; i < 300; i++) {
                zip.write(new byte[1 << 20]);
            }
        }
        Outcome outcome = run("explain", "case.zip");
        assertThat(outcome.exit()).isEqualTo(3);
        assertThat(outcome.err()).contains("more than 268435456 bytes");
    }

    @Test
    void anArchiveThatIsCutIsRefused() throws Exception {
        archive(Map.of(
                "report.json", "{\"schema\" : \"leakline.report/1\"".repeat(50).getBytes(StandardCharsets.UTF_8)));
        Path file = folder.resolve("case.zip");
        byte[] whole = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(whole, whole.length / 2));
        assertThat(run("explain", "case.zip").exit()).isEqualTo(3);
    }

    private void archive(Map<String, byte[]> entries) throws IOException {
        try (OutputStream out = Files.newOutputStream(folder.resolve("case.zip"));
                ZipOutputStream zip = new ZipOutputStream(out)) {
            zip.putNextEntry(new ZipEntry("leakline-bundle.txt"));
            for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
                zip.putNextEntry(new ZipEntry(entry.getKey()));
                zip.write(entry.getValue());
            }
        }
    }

    private Map<String, String> entries() throws IOException {
        Map<String, String> entries = new LinkedHashMap<>();
        try (InputStream in = Files.newInputStream(folder.resolve("case.zip"));
                ZipInputStream zip = new ZipInputStream(in)) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                entries.put(entry.getName(), new String(zip.readAllBytes(), StandardCharsets.UTF_8));
            }
        }
        return entries;
    }

    private Outcome run(String... arguments) throws Exception {
        return new Program(folder).run(arguments);
    }
}
