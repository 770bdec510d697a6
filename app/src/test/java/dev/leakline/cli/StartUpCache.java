package dev.leakline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.testkit.Thoroughness;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

/**
 * What lets the program start in half the time, and hundreds of them are started: its class path as jars, with the cache that a JVM makes of
 * classes it has loaded, as the launcher has it made. It is made once, on the example, and goes with the tests.
 */
final class StartUpCache {
    private static final Path EXAMPLE = Path.of("../examples/train_with_a_leak.pickle.gz");

    /** Options for the JVM that it shares with those that use the cache. */
    static final List<String> JVM =
            List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED");

    /** The options that name the class path and the cache. */
    static final List<String> OPTIONS = make();

    private StartUpCache() {}

    private static List<String> make() {
        try {
            Path folder = Files.createTempDirectory("start-up");
            Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(folder)));
            // Some tests start the program as another user.
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
            Path cache = folder.resolve("cache");
            String classPath = jars(folder);
            train(cache, classPath, folder.resolve("said"));
            return List.of("-XX:AOTCache=" + cache, "-cp", classPath);
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The class path, with a jar in place of each folder: no cache knows folders. */
    private static String jars(Path folder) {
        List<String> entries = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            Path jar = folder.resolve(entries.size() + ".jar");
            boolean isFolder = Files.isDirectory(Path.of(entry));
            if (isFolder) {
                int exit = ToolProvider.findFirst("jar")
                        .orElseThrow()
                        .run(System.err, System.err, "--create", "--no-compress", "--file=" + jar, "-C", entry, ".");
                assertThat(exit).as("making " + jar).isZero();
            }
            entries.add(isFolder ? jar.toString() : entry);
        }
        return String.join(File.pathSeparator, entries);
    }

    private static void train(Path cache, String classPath, Path said) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(Program.java()));
        command.addAll(JVM);
        command.addAll(List.of(
                "-XX:AOTCacheOutput=" + cache, "-cp", classPath, Main.class.getName(), "report", EXAMPLE.toString()));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        assertThat(process.waitFor(Thoroughness.HANGS, TimeUnit.SECONDS)).isTrue();
        assertThat(cache).as(Files.readString(said)).exists();
    }

    private static void delete(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
            Files.delete(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
