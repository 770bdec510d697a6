package dev.leakline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.testkit.Thoroughness;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The program as a process of its own: a small heap, a time limit, nothing of the tests inside. */
final class Program {
    private final Path folder;

    /** What is left of a run. */
    record Outcome(int exit, String out, String err) {
        List<String> errLines() {
            return err.lines().toList();
        }

        /** The lines without the last, which names the command to try next. */
        List<String> errors() {
            List<String> lines = errLines();
            assertThat(lines).as(err).isNotEmpty();
            assertThat(lines.getLast()).matches("leakline: (see|try:) leakline .+");
            return lines.subList(0, lines.size() - 1);
        }
    }

    /** A program that works in a folder, where its output is kept. */
    Program(Path folder) {
        this.folder = folder;
    }

    Outcome run(String... arguments) throws Exception {
        return run(Path.of("/dev/null"), Map.of(), arguments);
    }

    Outcome run(Path stdin, Map<String, String> properties, String... arguments) throws Exception {
        Path out = Files.createTempFile(folder, "stdout", "");
        Path err = Files.createTempFile(folder, "stderr", "");
        Process process = new ProcessBuilder(command(properties, arguments))
                .directory(folder.toFile())
                .redirectInput(stdin.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        try {
            assertThat(process.waitFor(Thoroughness.HANGS, TimeUnit.SECONDS))
                    .as("ends within %s s", Thoroughness.HANGS)
                    .isTrue();
        } finally {
            process.destroyForcibly();
        }
        return outcome(process.exitValue(), out, err);
    }

    /** Starts the program and does not wait for it; all its output goes to a file. */
    static Process start(Path folder, Path out, String... arguments) throws IOException {
        Files.createFile(out);
        return new ProcessBuilder(command(Map.of(), arguments))
                .directory(folder.toFile())
                .redirectOutput(out.toFile())
                .redirectErrorStream(true)
                .start();
    }

    private static Outcome outcome(int exit, Path out, Path err) throws IOException {
        return new Outcome(exit, Files.readString(out), Files.readString(err));
    }

    /** The command that starts the program. */
    static List<String> command(Map<String, String> properties, String... arguments) {
        List<String> command = new ArrayList<>(List.of(java()));
        command.addAll(StartUpCache.JVM);
        command.addAll(StartUpCache.OPTIONS);
        properties.forEach((name, value) -> command.add("-D" + name + "=" + value));
        command.add(Main.class.getName());
        command.addAll(List.of(arguments));
        return command;
    }

    /** The java that runs the tests. */
    static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }
}
