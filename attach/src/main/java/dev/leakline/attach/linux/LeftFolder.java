package dev.leakline.attach.linux;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileOwnerAttributeView;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A folder that a process left, with those inside of it; no link is followed.
 *
 * @param stream keeps it open, wherever its path leads to by then
 */
record LeftFolder(SecureDirectoryStream<Path> stream) implements AutoCloseable {
    /** How files are named by the process that writes or reads them; notes have nothing but its number. */
    private static final Pattern FILE = Pattern.compile("(.*-)?(?<pid>\\d{1,9})(\\..*)?");

    static LeftFolder in(SecureDirectoryStream<Path> outer, Path name) throws IOException {
        return new LeftFolder(outer.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS));
    }

    boolean isOurs() throws IOException {
        return stream.getFileAttributeView(FileOwnerAttributeView.class)
                .getOwner()
                .equals(Files.getOwner(Path.of("/proc/self")));
    }

    /** Returns whether a process that is there has a file in it. */
    boolean isInUse() throws IOException {
        for (Path name : names()) {
            if (isOfAProcess(name) || (isFolder(name) && isInUse(name))) {
                return true;
            }
        }
        return false;
    }

    private boolean isInUse(Path name) throws IOException {
        try (LeftFolder inner = in(stream, name)) {
            return inner.isInUse();
        }
    }

    void empty() throws IOException {
        for (Path name : names()) {
            if (isFolder(name)) {
                try (LeftFolder inner = in(stream, name)) {
                    inner.empty();
                }
                stream.deleteDirectory(name);
            } else {
                stream.deleteFile(name);
            }
        }
    }

    /** The names in it; listed anew each time, as a stream can be gone through once. */
    private List<Path> names() throws IOException {
        List<Path> names = new ArrayList<>();
        try (DirectoryStream<Path> entries = stream.newDirectoryStream(Path.of("."))) {
            entries.forEach(entry -> names.add(entry.getFileName()));
        }
        return names;
    }

    private boolean isFolder(Path name) throws IOException {
        return stream.getFileAttributeView(name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                .readAttributes()
                .isDirectory();
    }

    private static boolean isOfAProcess(Path file) {
        Matcher name = FILE.matcher(file.toString());
        return name.matches() && Files.exists(ProcFile.of(Integer.parseInt(name.group("pid")), "stat"));
    }

    @Override
    public void close() throws IOException {
        stream.close();
    }
}
