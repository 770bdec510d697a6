import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Files of a package by their paths, sorted: what is in them, and whether they are programs. */
final class FileTree {
    /** A file, or where it is a link to. */
    @SuppressWarnings("ArrayRecordComponent") // entries are not compared
    record Entry(byte[] content, boolean isProgram, String link) {
        boolean isLink() {
            return !link.isEmpty();
        }

        /** The mode, as Unix has it. */
        int mode() {
            return isProgram || isLink() ? 0755 : 0644;
        }
    }

    private final TreeMap<String, Entry> entries = new TreeMap<>();

    /** All files beneath a folder. */
    static FileTree of(Path folder) throws IOException {
        FileTree tree = new FileTree();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String name = folder.relativize(file).toString();
                tree.entries.put(name, new Entry(Files.readAllBytes(file), Files.isExecutable(file), ""));
            }
        }
        return tree;
    }

    FileTree file(String name, byte[] content) {
        entries.put(name, new Entry(content, false, ""));
        return this;
    }

    FileTree program(String name, byte[] content) {
        entries.put(name, new Entry(content, true, ""));
        return this;
    }

    FileTree link(String name, String to) {
        entries.put(name, new Entry(new byte[0], false, to));
        return this;
    }

    /** These files and others. */
    FileTree plus(FileTree others) {
        FileTree both = new FileTree();
        both.entries.putAll(entries);
        both.entries.putAll(others.entries);
        return both;
    }

    /** The same files in a folder. */
    FileTree in(String folder) {
        FileTree moved = new FileTree();
        entries.forEach((name, entry) -> moved.entries.put(folder + "/" + name, entry));
        return moved;
    }

    Map<String, Entry> entries() {
        return entries;
    }

    /** The contents of the files, by their paths. */
    Map<String, byte[]> contents() {
        TreeMap<String, byte[]> contents = new TreeMap<>();
        entries.forEach((name, entry) -> contents.put(name, entry.content));
        return contents;
    }

    long bytes() {
        return entries.values().stream()
                .mapToLong(entry -> entry.content.length)
                .sum();
    }

    /** Deletes a folder, if it is there, with all that is in it. */
    static void delete(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
