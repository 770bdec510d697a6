package dev.leakline.source;

import com.github.luben.zstd.util.Native;
import dev.leakline.source.ReadException.Code;
import java.io.IOException;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Loads zstd's native library: the one that was installed beside its jar, else the jar's, unpacked to a private folder. Its own way is to
 * unpack it to {@code java.io.tmpdir}, for all to write to where the umask says so, and to fail where programs may not be run from there.
 */
final class ZstdLibrary {
    private static final String INSTALLED = "libzstd-jni.so";
    /** Properties of zstd-jni: where the library is, and the one folder that it may be unpacked to. */
    private static final String FILE = "ZstdNativePath";

    private static final String FOLDER = "ZstdTempFolder";

    private ZstdLibrary() {}

    /** Does nothing where it is loaded already; throws where it can be loaded from nowhere. */
    static synchronized void load() throws ReadException {
        if (Native.isLoaded() || isLoaded(System.getProperty(FILE)) || isLoaded(installed())) {
            return;
        }
        List<String> places = places();
        if (places.stream().noneMatch(ZstdLibrary::isLoadedFrom)) {
            throw new ReadException(
                    Code.UNREADABLE,
                    -1,
                    "it is compressed with zstd, whose library could not be loaded from " + String.join(", ", places)
                            + ": none is a folder where programs may be written and run; decompress it first"
                            + " (zstd -d), or name such a folder in TMPDIR");
        }
    }

    private static List<String> places() {
        String only = System.getProperty(FOLDER);
        return only != null
                ? List.of(only)
                : Stream.of(
                                System.getProperty("java.io.tmpdir"),
                                System.getenv("TMPDIR"),
                                System.getenv("XDG_RUNTIME_DIR"),
                                "/var/tmp",
                                "/dev/shm",
                                System.getProperty("user.home"))
                        .filter(Objects::nonNull)
                        .distinct()
                        .toList();
    }

    private static @Nullable String installed() {
        try {
            CodeSource jar = Native.class.getProtectionDomain().getCodeSource();
            return jar == null
                    ? null
                    : Path.of(jar.getLocation().toURI())
                            .resolveSibling(INSTALLED)
                            .toString();
        } catch (java.net.URISyntaxException | IllegalArgumentException | FileSystemNotFoundException e) {
            return null; // it comes from something else than a jar in a file
        }
    }

    private static boolean isLoaded(@Nullable String file) {
        if (file == null || !Files.exists(Path.of(file))) {
            return false;
        }
        String before = System.setProperty(FILE, file);
        try {
            return isLoaded(Path.of(""));
        } finally {
            if (before == null) {
                System.clearProperty(FILE);
            } else {
                System.setProperty(FILE, before);
            }
        }
    }

    private static boolean isLoadedFrom(String place) {
        try {
            Path folder = Files.createTempDirectory(Path.of(place), "leakline-"); // mode 0700
            try {
                return isLoaded(folder);
            } finally {
                remove(folder);
            }
        } catch (IOException | InvalidPathException e) {
            return false;
        }
    }

    private static boolean isLoaded(Path folder) {
        try {
            Native.load(folder.toFile());
        } catch (LinkageError e) {
            return false; // it cannot be written there, run from there, or is another machine's
        }
        return Native.isLoaded();
    }

    /** Where a library that is loaded cannot be removed, that is done at the end. */
    private static void remove(Path folder) throws IOException {
        folder.toFile().deleteOnExit();
        for (java.io.File file : Objects.requireNonNull(folder.toFile().listFiles())) {
            file.deleteOnExit();
            if (!file.delete()) {
                return;
            }
        }
        Files.delete(folder);
    }
}
