package dev.leakline.attach;

import dev.leakline.attach.linux.ThreadActivity;
import dev.leakline.testkit.Thoroughness;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A Python that runs a job. It is no child of this JVM: a JVM waits for its children, and would be told of their stops, which are for
 * who traces them.
 */
final class Job {
    private static final long SECOND = 1_000_000_000L;
    private static final long TO_BEGIN = Thoroughness.HANGS * SECOND;
    private static final long TO_END = Thoroughness.HANGS * SECOND;

    final int pid;
    private final Path out;

    private Job(int pid, Path out) {
        this.pid = pid;
        this.out = out;
    }

    /** Pythons that are installed here and that the probe is written for, one of each minor version. */
    static List<Path> pythons() throws Exception {
        List<Path> places = new ArrayList<>(List.of(Path.of("/usr/bin/python3")));
        Path versions = Path.of(System.getProperty("user.home"), ".pyenv", "versions");
        if (Files.isDirectory(versions)) {
            try (Stream<Path> folders = Files.list(versions)) {
                folders.map(folder -> folder.resolve("bin/python3")).sorted().forEach(places::add);
            }
        }
        for (String folder : System.getenv("PATH").split(":", -1)) {
            places.add(Path.of(folder, "python3"));
        }
        Map<String, Path> byVersion = new LinkedHashMap<>();
        for (Path place : places) {
            if (Files.isExecutable(place)) {
                byVersion.putIfAbsent(version(place), place);
            }
        }
        byVersion.remove("");
        return List.copyOf(byVersion.values());
    }

    private static String version(Path python) throws Exception {
        Process process = new ProcessBuilder(
                        python.toString(),
                        "-c",
                        "import sys; print(sys.version_info[:2] if sys.version_info >= (3, 9) else '')")
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    }

    /** Starts a job; a prefix is a command that starts it, such as one that takes another user's name. */
    static Job start(Path folder, List<String> prefix, Path python, String mode, String argument) throws Exception {
        Path out = Files.createTempFile(folder, "job", ".out");
        Files.setPosixFilePermissions(out, java.nio.file.attribute.PosixFilePermissions.fromString("rw-rw-rw-"));
        List<String> command = new ArrayList<>(List.of("sh", "-c", "\"$@\" > " + out + " 2>&1 &", "sh"));
        command.addAll(prefix);
        command.addAll(List.of(python.toString(), resource("job.py").toString(), mode, argument));
        new ProcessBuilder(command).start().waitFor();
        String ready = awaitLine(out, "ready ");
        return new Job(Integer.parseInt(ready.substring("ready ".length())), out);
    }

    static Path resource(String name) throws Exception {
        return Path.of(Job.class.getResource("/" + name).toURI());
    }

    /** Waits until the job says something. */
    void awaitSaid(String beginning) throws Exception {
        awaitLine(out, beginning);
    }

    /** All that the job has said. */
    List<String> said() throws IOException {
        return Files.readAllLines(out);
    }

    /** The last line, once the job has ended. */
    String result() throws Exception {
        long end = System.nanoTime() + TO_END;
        while (isAlive()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("the job does not end: " + Files.readString(out));
            }
            TimeUnit.MILLISECONDS.sleep(10);
        }
        return Files.readString(out).lines().reduce("", (_, last) -> last);
    }

    boolean isAlive() throws IOException {
        try {
            return "ZX".indexOf(ThreadActivity.state(pid)) < 0;
        } catch (IOException e) {
            return false;
        }
    }

    void kill() {
        ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
    }

    void signal(String name) throws Exception {
        new ProcessBuilder("kill", "-" + name, String.valueOf(pid)).start().waitFor();
    }

    private static String awaitLine(Path file, String beginning) throws Exception {
        long end = System.nanoTime() + TO_BEGIN;
        while (System.nanoTime() < end) {
            for (String line : Files.readAllLines(file)) {
                if (line.startsWith(beginning)) {
                    return line;
                }
            }
            TimeUnit.MILLISECONDS.sleep(5);
        }
        throw new AssertionError("the job does not begin: " + Files.readString(file));
    }
}
