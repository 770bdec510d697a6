package dev.leakline.attach;

import dev.leakline.attach.linux.LiveException;
import dev.leakline.attach.linux.OwnedFolders;
import dev.leakline.attach.linux.Owner;
import dev.leakline.attach.linux.ProcFile;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A folder that a process and this program both see: it may be in a container, in another's name, or both. It is private to the
 * process's user. What that user puts there is not trusted: files are opened relative to the folder that was made, whatever its path
 * leads to by then, and links are not followed, so that nobody has this program, which may be root's, read or remove something else.
 */
final class SharedFolder implements AutoCloseable {
    private final Path path;
    private final String theirs;
    private final SecureDirectoryStream<Path> stream;

    private SharedFolder(Path path, String theirs, SecureDirectoryStream<Path> stream) {
        this.path = path;
        this.theirs = theirs;
        this.stream = stream;
    }

    /** Makes a folder that is still private to this program. */
    static SharedFolder create(int pid) throws IOException {
        String root = root(pid);
        String name = PrivateFiles.uniqueName();
        @Nullable IOException failure = null;
        for (Path place : PrivateFiles.PLACES) {
            try {
                Path path = new OwnedFolders(Path.of(root + place)).next(name);
                Files.createDirectory(path, PrivateFiles.FOLDER);
                return open(path, place + "/" + path.getFileName());
            } catch (IOException e) {
                failure = e;
            }
        }
        throw new LiveException(
                "no folder is writable for both process " + pid + " and leakline ("
                        + (failure == null ? "" : failure.getMessage()) + ")",
                "make its /tmp writable, or run leakline inside the same container");
    }

    private static SharedFolder open(Path path, String theirs) throws IOException {
        try {
            return new SharedFolder(path, theirs, keepOpen(path));
        } catch (IOException e) {
            Files.deleteIfExists(path);
            throw e;
        }
    }

    /** Linux's file systems can all keep a folder open. */
    @SuppressWarnings("StreamResourceLeak") // The folder itself is closed with this object.
    private static SecureDirectoryStream<Path> keepOpen(Path path) throws IOException {
        return (SecureDirectoryStream<Path>) Files.newDirectoryStream(path);
    }

    /** The root folder of a process; by its own path where that is ours, because {@code /proc/PID} goes away with the process. */
    private static String root(int pid) throws IOException {
        boolean isOurs = Files.readSymbolicLink(ProcFile.of(pid, "ns/mnt"))
                .equals(Files.readSymbolicLink(Path.of("/proc/self/ns/mnt")));
        String root = isOurs ? Files.readSymbolicLink(ProcFile.of(pid, "root")).toString() : "/proc/" + pid + "/root";
        return root.equals("/") ? "" : root;
    }

    /** The path as the process sees it. */
    String theirs() {
        return theirs;
    }

    /** Puts a file there for the process to read. */
    void put(String name, byte[] content) throws IOException {
        PrivateFiles.create(path.resolve(name), content);
    }

    /** Makes all of it the process's user's; the folder last, so that nobody else had a hand in it before. */
    void handOver(Owner owner) throws IOException {
        for (String name : names()) {
            owner.give(path.resolve(name));
        }
        owner.give(path);
    }

    /** The beginning of a file, or null where there is none. */
    @Nullable
    String read(String name, int most) throws IOException {
        try (SeekableByteChannel channel = open(name)) {
            java.nio.ByteBuffer bytes = java.nio.ByteBuffer.allocate(most);
            int last = 1;
            while (bytes.hasRemaining() && last > 0) {
                last = channel.read(bytes);
            }
            return java.nio.charset.StandardCharsets.UTF_8.decode(bytes.flip()).toString();
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    /** The size of a file; 0 where there is none. */
    long size(String name) throws IOException {
        try (SeekableByteChannel channel = open(name)) {
            return channel.size();
        } catch (NoSuchFileException e) {
            return 0;
        }
    }

    /** Copies the files that the process wrote, all but those named, to another folder. */
    List<Path> collect(Path target, Set<String> ours) throws IOException {
        List<Path> copies = new ArrayList<>();
        for (String name : names()) {
            if (!ours.contains(name)) {
                Path copy = PrivateFiles.folder(target).resolve(name);
                copy(name, copy);
                copies.add(copy);
            }
        }
        return copies;
    }

    private void copy(String name, Path copy) throws IOException {
        try (SeekableByteChannel from = open(name)) {
            PrivateFiles.write(copy, to -> Channels.newInputStream(from).transferTo(to), PrivateFiles.FILE);
        }
    }

    private SeekableByteChannel open(String name) throws IOException {
        java.nio.file.attribute.BasicFileAttributeView view = stream.getFileAttributeView(
                Path.of(name), java.nio.file.attribute.BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
        if (!view.readAttributes().isRegularFile()) {
            throw new IOException("not a regular file in the process: " + theirs + "/" + name);
        }
        return stream.newByteChannel(Path.of(name), Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
    }

    private List<String> names() throws IOException {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> entries = stream.newDirectoryStream(Path.of("."))) {
            entries.forEach(entry -> names.add(entry.getFileName().toString()));
        }
        return names;
    }

    /** Removes the folder and what is in it. */
    @Override
    public void close() throws IOException {
        try (stream) {
            for (String name : names()) {
                remove(name);
            }
        }
        Files.deleteIfExists(path);
    }

    private void remove(String name) throws IOException {
        try {
            stream.deleteFile(Path.of(name));
        } catch (NotDirectoryException | NoSuchFileException e) {
            // It went away by itself.
        }
    }
}
