package dev.leakline.attach;

import dev.leakline.attach.linux.OwnedFolders;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The Python files that do the work inside a job. They travel in the jar. */
final class ProbeFiles {
    /** The probe itself. */
    static final String PROBE = "leakline_probe.py";
    /** The module that Python runs at its start if its folder is on PYTHONPATH. */
    static final String START = "inject/sitecustomize.py";

    /** The probe's replacement where a job only pretends to have a GPU. */
    static final String ESTIMATE = "inject/leakline_estimate.py";

    private static final String PLACE = "/dev/leakline/probe/";

    private ProbeFiles() {}

    static byte[] read(String name) throws IOException {
        return resource(PLACE + name);
    }

    static byte[] resource(String path) throws IOException {
        try (InputStream stream = ProbeFiles.class.getResourceAsStream(path)) {
            if (stream == null) {
                throw new FileNotFoundException("this build of leakline has no " + path);
            }
            return stream.readAllBytes();
        }
    }

    /** Writes the files for a job that is to be started into a new private folder, where there is room; its folder "inject" is for PYTHONPATH. */
    static Path extract(@Nullable Path other) throws IOException {
        IOException failure = new IOException("no folder for temporary files");
        for (Path place : places()) {
            try {
                return extract(place, other);
            } catch (IOException e) {
                failure = e;
            }
        }
        throw failure;
    }

    private static List<Path> places() {
        Path usual = Path.of(System.getProperty("java.io.tmpdir"));
        return Stream.concat(Stream.of(usual), PrivateFiles.PLACES.stream())
                .distinct()
                .toList();
    }

    /** Removes what programs like this one, which were killed, left in folders for temporary files. */
    static void clear() {
        places().forEach(place -> new OwnedFolders(place).clear());
    }

    private static Path extract(Path place, @Nullable Path other) throws IOException {
        Path folder =
                Files.createDirectory(new OwnedFolders(place).next(PrivateFiles.uniqueName()), PrivateFiles.FOLDER);
        try {
            Files.createDirectory(folder.resolve("inject"), PrivateFiles.FOLDER);
            for (String name : List.of(PROBE, START)) {
                PrivateFiles.create(
                        folder.resolve(name), other == null ? read(name) : Files.readAllBytes(other.resolve(name)));
            }
            return folder;
        } catch (IOException e) {
            remove(folder);
            throw e;
        }
    }

    /** Adds what estimates a job. */
    static void addEstimate(Path folder) throws IOException {
        PrivateFiles.create(folder.resolve(ESTIMATE), read(ESTIMATE));
    }

    /** Removes a folder of ours with all that is in it. */
    static void remove(Path folder) throws IOException {
        try (Stream<Path> paths = Files.walk(folder)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }
}
