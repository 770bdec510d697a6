package dev.leakline.attach.linux;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Reads what Linux tells in {@code /proc}; what a process writes there about itself is bounded. */
public final class ProcFile {
    /** A process with every mapping that Linux allows (65,530) has a list of 10 MB. */
    private static final int MOST_BYTES = 32 << 20;

    private static final Path PROC = Path.of("/proc");

    private ProcFile() {}

    /** Returns whether this system has a {@code /proc} of Linux's kind. */
    public static boolean isThere() {
        return Files.isReadable(PROC.resolve("self/status"));
    }

    public static Path of(int pid, String name) {
        return PROC.resolve(pid + "/" + name);
    }

    static String text(int pid, String name) throws IOException {
        try (InputStream stream = Files.newInputStream(of(pid, name))) {
            return new String(stream.readNBytes(MOST_BYTES), StandardCharsets.UTF_8);
        }
    }

    /** The lines {@code Name: value} of {@code /proc/PID/status} or of a file like it. */
    public static Map<String, String> fields(int pid, String name) throws IOException {
        Map<String, String> fields = new HashMap<>();
        text(pid, name).lines().forEach(line -> {
            int colon = line.indexOf(':');
            if (colon > 0) {
                fields.put(line.substring(0, colon), line.substring(colon + 1).strip());
            }
        });
        return fields;
    }

    /** The numbers of all processes, in ascending order. */
    static List<Integer> pids() throws IOException {
        return numbers(PROC);
    }

    /** The numbers of a process's threads. */
    static List<Integer> threads(int pid) throws IOException {
        return numbers(of(pid, "task"));
    }

    /** Names in a folder that are numbers, in ascending order. */
    public static List<Integer> numbers(Path folder) throws IOException {
        List<Integer> numbers = new ArrayList<>();
        try (Stream<Path> entries = Files.list(folder)) {
            entries.map(entry -> entry.getFileName().toString())
                    .filter(name -> name.matches("\\d{1,9}"))
                    .map(Integer::valueOf)
                    .sorted()
                    .forEach(numbers::add);
        } catch (java.io.UncheckedIOException e) {
            throw e.getCause();
        }
        return numbers;
    }
}
