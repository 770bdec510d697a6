package dev.leakline.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.util.Native;
import dev.leakline.cli.Program.Outcome;
import dev.leakline.cli.common.Failures;
import java.io.File;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that zstd compressed are read wherever its library can be loaded from somewhere; where it cannot, the error says what to do. */
class ZstdLibraryTest {
    private static final String MISSING = "/no/such/folder";

    @TempDir
    private Path folder;

    @BeforeEach
    void compress() throws Exception {
        try (InputStream example =
                new GZIPInputStream(Files.newInputStream(Path.of("../examples/train_with_a_leak.pickle.gz")))) {
            Files.write(folder.resolve("job.zst"), Zstd.compress(example.readAllBytes()));
        }
    }

    @Test
    void withoutATemporaryFolderAnotherIsTaken() throws Exception {
        Outcome outcome = report(Map.of("java.io.tmpdir", MISSING, "user.home", folder.toString()));
        assertThat(outcome.exit()).as(outcome.err()).isZero();
        assertThat(outcome.out()).contains("train_with_a_leak.py:42");
    }

    @Test
    void nothingStaysWhereItIsUnpacked() throws Exception {
        Path place = Files.createDirectory(folder.resolve("place"));
        assertThat(report(Map.of("ZstdTempFolder", place.toString())).exit()).isZero();
        assertThat(place).isEmptyDirectory();
    }

    @Test
    void whereItCannotBeLoadedTheErrorSaysWhatToDo() throws Exception {
        Outcome outcome = report(Map.of("ZstdTempFolder", MISSING));
        assertThat(outcome.exit()).isEqualTo(Failures.UNREADABLE);
        assertThat(outcome.errors())
                .filteredOn(line -> !line.startsWith("reading "))
                .singleElement()
                .asString()
                .contains("job.zst: it is compressed with zstd, whose library could not be loaded from " + MISSING)
                .endsWith("decompress it first (zstd -d), or name such a folder in TMPDIR");
    }

    @Test
    void whereProgramsMayNotBeRunFromTheTemporaryFolderAnotherIsTaken() throws Exception {
        Path place = Files.createDirectory(folder.resolve("place"));
        List<String> noexec = List.of(
                "unshare", "-m", "sh", "-c", "mount -t tmpfs -o noexec tmpfs " + place + " && exec \"$@\"", "sh");
        assumeTrue(exit(noexec, List.of("true")) == 0, "needs a user who may mount");
        List<String> job = List.of("report", folder.resolve("job.zst").toString());
        String[] arguments = job.toArray(String[]::new);
        assertThat(exit(noexec, Program.command(Map.of("ZstdTempFolder", place.toString()), arguments)))
                .isEqualTo(Failures.UNREADABLE);
        assertThat(exit(noexec, Program.command(Map.of("java.io.tmpdir", place.toString()), arguments)))
                .isZero();
    }

    @Test
    void aLibraryBesideItsJarNeedsNoFolder() throws Exception {
        assumeTrue(System.getProperty("os.name").equals("Linux"), "the library is installed on Linux only");
        Path jar = Path.of(
                Native.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        Path copy = Files.copy(jar, folder.resolve("zstd.jar"));
        String name = "/linux/" + System.getProperty("os.arch") + "/libzstd-jni-" + version(jar) + ".so";
        try (InputStream library = Native.class.getResourceAsStream(name)) {
            Files.copy(library, folder.resolve("libzstd-jni.so"), StandardCopyOption.REPLACE_EXISTING);
        }
        String classPath = System.getProperty("java.class.path").replace(jar.toString(), copy.toString());
        List<String> command = List.of(
                Program.java(),
                "-cp",
                classPath,
                "-DZstdTempFolder=" + MISSING,
                Main.class.getName(),
                "report",
                folder.resolve("job.zst").toString());
        assertThat(exit(List.of(), command)).isZero();
        Files.writeString(folder.resolve("libzstd-jni.so"), "for another machine");
        assertThat(exit(List.of(), command)).isEqualTo(Failures.UNREADABLE);
    }

    /** What stands between the name and the ending of a Maven artifact's file. */
    private static String version(Path jar) {
        return jar.getFileName().toString().replaceFirst("^zstd-jni-", "").replaceFirst("\\.jar$", "");
    }

    private Outcome report(Map<String, String> properties) throws Exception {
        return new Program(folder).run(Path.of("/dev/null"), properties, "report", "job.zst");
    }

    private int exit(List<String> before, List<String> command) throws Exception {
        List<String> all = new ArrayList<>(before);
        all.addAll(command);
        File said = folder.resolve("said").toFile();
        return new ProcessBuilder(all)
                .redirectErrorStream(true)
                .redirectOutput(said)
                .start()
                .waitFor();
    }
}
