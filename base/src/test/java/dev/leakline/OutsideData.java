package dev.leakline;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Recordings that are not ours to ship: found through LEAKLINE_DATA; tests that need them are skipped without. */
public final class OutsideData {
    private OutsideData() {}

    /** A file or folder of the data. */
    public static Path path(String name) {
        String root = System.getenv("LEAKLINE_DATA");
        assumeTrue(root != null, "LEAKLINE_DATA is not set, and this test needs the recordings that it names");
        Path path = Path.of(root).resolve(name);
        assumeTrue(Files.exists(path), path + " is missing, and this test needs it");
        return path;
    }

    /** The files of a folder whose names end in {@code suffix}, sorted; at least one. */
    public static List<Path> files(String folder, String suffix) throws IOException {
        try (Stream<Path> files = Files.list(path(folder))) {
            List<Path> found = files.filter(file -> file.toString().endsWith(suffix))
                    .sorted()
                    .toList();
            assumeTrue(!found.isEmpty(), "no " + suffix + " in " + folder);
            return found;
        }
    }
}
