package dev.leakline.lint.python;

import io.github.treesitter.jtreesitter.Language;
import io.github.treesitter.jtreesitter.NativeLibraryLookup;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The parser's two native libraries, unpacked from their jars into a folder that nobody else can write to, and deleted as soon as
 * they are loaded.
 *
 * <p>Folders for temporary files may be read-only or mounted noexec: the next place is tried then.
 */
public final class NativeLibraries implements NativeLibraryLookup {
    private static final String PARSER = "tree-sitter";
    private static final String GRAMMAR = "tree-sitter-python";

    @Override
    public SymbolLookup get(Arena arena) {
        return load(PARSER, arena);
    }

    static Language python() {
        return Language.load(load(GRAMMAR, Arena.global()), "tree_sitter_python");
    }

    private static SymbolLookup load(String name, Arena arena) {
        List<Path> places = places();
        UnsupportedOperationException refused = new UnsupportedOperationException(
                "cannot load the Python parser: no folder of %s can be written to and run from; name one in LEAKLINE_TMP"
                        .formatted(places));
        for (Path place : places) {
            try {
                return loadFrom(place, name, arena);
            } catch (IOException | IllegalArgumentException e) {
                refused.addSuppressed(e);
            }
        }
        throw refused;
    }

    @SuppressWarnings("restricted") // native code is what a parser is made of here
    private static SymbolLookup loadFrom(Path place, String name, Arena arena) throws IOException {
        Path folder = makeFolder(place);
        Path file = folder.resolve(name);
        try {
            try (InputStream library = NativeLibraries.class.getResourceAsStream("/lib/" + resource(name))) {
                if (library == null) {
                    throw new UnsupportedOperationException(
                            "lint has no parser for this system; it needs " + resource(name));
                }
                Files.copy(library, file, StandardCopyOption.REPLACE_EXISTING);
            }
            return SymbolLookup.libraryLookup(file, arena);
        } finally {
            delete(file);
            delete(folder);
        }
    }

    /** A new folder of a name that cannot be guessed, only for this user. */
    private static Path makeFolder(Path place) throws IOException {
        Files.createDirectories(place);
        // Files.getFileStore would look for the mount point, and a chroot may have none.
        if (!place.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            return Files.createTempDirectory(place, "leakline-");
        }
        return Files.createTempDirectory(
                place, "leakline-", PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }

    /** What is loaded stays mapped; only Windows keeps the file until the process ends. */
    private static void delete(Path path) {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            path.toFile().deleteOnExit();
        }
    }

    private static List<Path> places() {
        List<Path> places = new ArrayList<>();
        add(places, System.getenv("LEAKLINE_TMP"));
        add(places, System.getProperty("java.io.tmpdir"));
        add(places, System.getenv("XDG_RUNTIME_DIR"));
        String cache = System.getenv("XDG_CACHE_HOME");
        add(places, cache == null ? System.getProperty("user.home") + "/.cache" : cache);
        add(places, "/dev/shm");
        add(places, "/var/tmp");
        return places;
    }

    private static void add(List<Path> places, @Nullable String place) {
        if (place != null && !place.isEmpty()) {
            places.add(Path.of(place));
        }
    }

    private static String resource(String name) {
        String system = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
        String machine = System.getProperty("os.arch", "");
        String processor = machine.equals("amd64") ? "x86_64" : machine;
        if (system.startsWith("mac")) {
            return processor + "-macos-" + name + ".dylib";
        }
        return system.startsWith("windows")
                ? processor + "-windows-" + name + ".dll"
                : processor + "-linux-gnu-" + name + ".so";
    }
}
