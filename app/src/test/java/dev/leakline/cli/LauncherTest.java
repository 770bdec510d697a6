package dev.leakline.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.leakline.testkit.Thoroughness;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The launcher, with a program of one class in place of Leakline, on machines that tests seldom run on. */
class LauncherTest {
    private static final Path SCRIPT = Path.of("../leakline");
    private static final FileTime LONG_AGO = FileTime.fromMillis(1_700_000_000_000L);

    @TempDir
    private Path home;

    @BeforeEach
    void install() throws IOException {
        assumeTrue(Files.isExecutable(Path.of("/bin/sh")), "needs a shell");
        Files.createDirectories(home.resolve("app/target/lib"));
        Files.copy(SCRIPT, home.resolve("leakline"));
        installProgram("ONE");
    }

    /** Installs a program that prints a word; jars for words of equal length have the same size and time. */
    private void installProgram(String says) throws IOException {
        install(says, '"' + says + '"');
    }

    private void install(String says, String value) throws IOException {
        Path source = Files.writeString(
                home.resolve("Hello.java"),
                "public class Hello { public static void main(String[] a) { System.out.println(" + value + "); } }");
        tool("javac", "-d", home.resolve(says).toString(), source.toString());
        tool(
                "jar",
                "--create",
                "--no-compress",
                "--date=2026-01-01T00:00:00Z",
                "--file=" + jar(),
                "--main-class=Hello",
                "-C",
                home.resolve(says).toString(),
                ".");
        Files.setLastModifiedTime(jar(), LONG_AGO);
    }

    private static void tool(String name, String... arguments) {
        assertThat(ToolProvider.findFirst(name).orElseThrow().run(System.err, System.err, arguments))
                .isZero();
    }

    private Path jar() {
        return home.resolve("app/target/leakline.jar");
    }

    private Path cache() {
        return home.resolve("app/target/leakline.aot");
    }

    /** In a checkout, what was typed; where it is on the PATH, its name. */
    @Test
    void theProgramKnowsHowItWasCalled() throws Exception {
        install("COMMAND", "System.getProperty(\"leakline.command\")");
        String script = home.resolve("leakline").toString();
        assertThat(shell("./leakline")).isEqualTo("./leakline\n");
        assertThat(shell(script)).isEqualTo(script + "\n");
        assertThat(shell("PATH=" + home + ":$PATH; leakline")).isEqualTo("null\n");
    }

    /** Java reads names that are not ASCII; whoever starts a job is told what was there before. */
    @ParameterizedTest
    @CsvSource({
        "unset LC_ALL LC_CTYPE LANG, ''",
        "export LC_ALL=C, C",
        "unset LC_ALL LC_CTYPE; export LANG=POSIX, ''",
        "export LC_ALL=C.UTF-8, null"
    })
    void whereThereIsNoLocaleJavaGetsOne(String before, String told) throws Exception {
        install("LOCALE", "System.getProperty(\"sun.jnu.encoding\") + ' ' + System.getProperty(\"leakline.locale\")");
        assertThat(shell(before + "; ./leakline")).isEqualTo("UTF-8 " + told + "\n");
    }

    /** Its sources are newer, and no Maven could build what is here. */
    @Test
    void helpBuildsNothing() throws Exception {
        Files.createFile(home.resolve("pom.xml"));
        assertThat(shell("./leakline fleet --help")).isEqualTo("ONE\n");
        assertThat(shell("./leakline help fleet")).isEqualTo("ONE\n");
        assertThat(shell("./leakline report")).isEmpty();
    }

    @Test
    void whatAKilledTrainingLeftIsRemoved() throws Exception {
        Path left = Files.createFile(home.resolve("app/target/leakline.aot.999999999.config"));
        assertThat(run("")).isEqualTo("ONE\n");
        assertThat(left).doesNotExist();
    }

    /** The one that came later waits, and has nothing to build then. */
    @Test
    void twoFirstStartsBuildOnce() throws Exception {
        Path built = Files.move(jar(), home.resolve("built.jar"));
        Path tools = Files.createDirectory(home.resolve("tools"));
        Path maven = Files.writeString(
                tools.resolve("mvn"),
                "#!/bin/sh\necho x >>" + home + "/builds; sleep 2; cp " + built + " " + jar() + "\n");
        assertThat(maven.toFile().setExecutable(true)).isTrue();
        Files.writeString(home.resolve("pom.xml"), "");
        assertThat(shell("PATH=" + tools + ":$PATH; ./leakline & ./leakline & wait"))
                .isEqualTo("ONE\nONE\n");
        assertThat(home.resolve("builds")).hasContent("x");
    }

    @Test
    void aMissingPathIsNamed() throws Exception {
        Path link = Files.createSymbolicLink(home.resolve("link"), Path.of("leakline"));
        ProcessBuilder start = new ProcessBuilder("/bin/sh", link.toString()).redirectErrorStream(true);
        start.environment().put("PATH", "/nonexistent");
        assertThat(new String(start.start().getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .contains("needs readlink and other tools of the system");
    }

    private String shell(String command) throws Exception {
        Process process = new ProcessBuilder("sh", "-c", command)
                .directory(home.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    @Test
    void aCacheIsMadeOnceAndUsed() throws Exception {
        assertThat(run("")).isEqualTo("ONE\n");
        FileTime made = Files.getLastModifiedTime(cache());
        assertThat(run("")).isEqualTo("ONE\n");
        assertThat(Files.getLastModifiedTime(cache())).isEqualTo(made);
        assertThat(sharedClasses("")).isPositive();
    }

    @Test
    void aJarOfTheSameSizeAndTimeIsAnotherJar() throws Exception {
        assertThat(run("")).isEqualTo("ONE\n");
        long size = Files.size(jar());
        installProgram("TWO");
        assertThat(Files.size(jar())).isEqualTo(size);
        assertThat(run("")).isEqualTo("TWO\n");
        assertThat(sharedClasses("")).isPositive();
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.01, 0.3, 0.6, 0.9, 1})
    void aDamagedCacheIsMadeAnew(double where) throws Exception {
        run("");
        FileTime made = Files.getLastModifiedTime(cache());
        try (RandomAccessFile file = new RandomAccessFile(cache().toFile(), "rw")) {
            byte[] noise = new byte[20_000];
            new java.util.Random(1).nextBytes(noise);
            file.seek((long) (where * (file.length() - noise.length)));
            file.write(noise);
        }
        Files.setLastModifiedTime(cache(), made);
        byte[] damaged = Files.readAllBytes(cache());
        assertThat(run("")).isEqualTo("ONE\n");
        assertThat(Files.readAllBytes(cache())).isNotEqualTo(damaged);
        assertThat(sharedClasses("")).isPositive();
    }

    @Test
    void aTruncatedCacheIsMadeAnew() throws Exception {
        run("");
        try (RandomAccessFile file = new RandomAccessFile(cache().toFile(), "rw")) {
            file.setLength(file.length() / 2);
        }
        assertThat(run("")).isEqualTo("ONE\n");
        assertThat(sharedClasses("")).isPositive();
    }

    @Test
    void aFolderThatWasCopiedKeepsItsCache() throws Exception {
        run("");
        Path copy = home.resolve("copy");
        try (Stream<Path> paths = Files.walk(home.resolve("app"))) {
            for (Path path : paths.toList()) {
                Path to = copy.resolve(home.relativize(path));
                Files.createDirectories(to.getParent());
                Files.copy(path, to);
            }
        }
        Files.copy(home.resolve("leakline"), copy.resolve("leakline"));
        byte[] made = Files.readAllBytes(cache());
        home = copy;
        assertThat(run("")).isEqualTo("ONE\n");
        assertThat(cache()).hasBinaryContent(made);
        assertThat(sharedClasses("")).isPositive();
    }

    @Test
    void aPackageRunsOnItsOwnJavaWithTheArchiveThatItBrings() throws Exception {
        Files.createSymbolicLink(home.resolve("runtime"), Path.of(System.getProperty("java.home")));
        Files.move(jar(), home.resolve("app/leakline.jar"));
        Files.writeString(home.resolve("classes"), "Hello\n");
        Process dump = new ProcessBuilder(
                        Program.java(),
                        "-Xshare:dump",
                        "-XX:+UseSerialGC",
                        "-XX:CompressedClassSpaceSize=64m",
                        "-XX:SharedClassListFile=classes",
                        "-XX:SharedArchiveFile=leakline.jsa",
                        "-jar",
                        home.resolve("app/leakline.jar").toString())
                .directory(home.toFile())
                .redirectErrorStream(true)
                .redirectOutput(home.resolve("dumped").toFile())
                .start();
        assertThat(dump.waitFor(Thoroughness.HANGS, TimeUnit.SECONDS)).isTrue();
        assertThat(run("")).isEqualTo("ONE\n");
        assertThat(sharedClasses("")).isPositive();
        assertThat(cache()).as("no cache of its own").doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"64g", "120g", "256g", "1t", "4t"})
    void theMoreMemoryTheMachineHasTheSameStart(String memory) throws Exception {
        run("");
        assertThat(run("-XX:MaxRAM=" + memory)).isEqualTo("ONE\n");
        assertThat(sharedClasses("-XX:MaxRAM=" + memory)).isPositive();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"-Xmx64m", "-Xms8m -Xmx2g", "-XX:MaxRAMPercentage=5", "-Xmx40g", "-XX:+UseZGC", "-XX:+UseG1GC"})
    void aHeapThatTheUserNamesIsTheUsers(String options) throws Exception {
        assertThat(run(options)).isEqualTo("ONE\n");
    }

    @Test
    void whereLittleAddressSpaceMayBeReservedItStarts() throws Exception {
        run("");
        assertThat(start(List.of("sh", "-c", "ulimit -v 2621440; exec \"$@\"", "sh"), ""))
                .isEqualTo("ONE\n");
    }

    /** Machine code in the cache ended in SIGILL or SIGSEGV there. */
    @ParameterizedTest
    @ValueSource(strings = {"Nehalem", "qemu64"})
    void theCacheServesOlderProcessorsToo(String processor) throws Exception {
        Path qemu = Path.of("/usr/bin/qemu-x86_64-static");
        assumeTrue(Files.isExecutable(qemu), "needs qemu-user-static, to be an older processor");
        assumeTrue(System.getProperty("os.arch").equals("amd64"), "needs x86-64");
        run("");
        // The launcher starts what it takes for a java: the emulated one.
        Path java = home.resolve("jdk/bin/java");
        Files.createDirectories(java.getParent());
        Files.copy(Path.of(System.getProperty("java.home"), "release"), home.resolve("jdk/release"));
        Files.writeString(java, "#!/bin/sh\nexec " + qemu + " -cpu " + processor + " " + Program.java() + " \"$@\"\n");
        assertThat(java.toFile().setExecutable(true)).isTrue();
        byte[] made = Files.readAllBytes(cache());
        assertThat(start(List.of("env", "LEAKLINE_JAVA=" + home.resolve("jdk")), "-Xlog:class+load"))
                .contains("ONE\n", "shared objects file");
        assertThat(cache()).as("the same cache").hasBinaryContent(made);
    }

    private long sharedClasses(String options) throws Exception {
        return run(options + " -Xlog:class+load")
                .lines()
                .filter(line -> line.contains("Hello") && line.contains("shared objects file"))
                .count();
    }

    private String run(String options) throws Exception {
        return start(List.of(), options);
    }

    /** What it prints, which it does within the time for programs that hang, with exit code 0. */
    private String start(List<String> before, String options) throws Exception {
        List<String> command = new ArrayList<>(before);
        command.addAll(List.of("sh", home.resolve("leakline").toString()));
        Path said = Files.createTempFile(home, "said", "");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(home.toFile())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile());
        builder.environment()
                .putAll(Map.of("JAVA_HOME", System.getProperty("java.home"), "LEAKLINE_JAVA_OPTS", options));
        Process process = builder.start();
        assertThat(process.waitFor(Thoroughness.HANGS, TimeUnit.SECONDS)).isTrue();
        String text = Files.readString(said, StandardCharsets.UTF_8);
        assertThat(process.exitValue()).as(text).isZero();
        return text;
    }
}
