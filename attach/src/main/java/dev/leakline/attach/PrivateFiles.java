package dev.leakline.attach;

import dev.leakline.attach.linux.LiveException;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Makes files and folders that only their owner can read, whatever the umask. It follows no link that others may have placed: a file is made under a
 * name that nobody can guess and then renamed, and links in folders that everybody can write to are refused.
 */
public final class PrivateFiles {
    /** The mode of a folder: 0700. */
    static final FileAttribute<Set<PosixFilePermission>> FOLDER = mode("rwx------");
    /** The mode of a file: 0600. */
    public static final FileAttribute<Set<PosixFilePermission>> FILE = mode("rw-------");

    /** Where Linux keeps files in memory. */
    static final Path MEMORY = Path.of("/dev/shm");

    /** Where programs may write, most likely first. */
    static final List<Path> PLACES = List.of(Path.of("/tmp"), Path.of("/var/tmp"), MEMORY);

    private static final Set<StandardOpenOption> NEW = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);

    private static final Path SELF = Path.of("/proc/self");

    /** The content that is written to a file. */
    public interface Content {
        void writeTo(OutputStream out) throws IOException;
    }

    private PrivateFiles() {}

    private static FileAttribute<Set<PosixFilePermission>> mode(String permissions) {
        return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions));
    }

    /** A name that nobody can guess. */
    static String uniqueName() {
        return "leakline-" + Long.toUnsignedString(new SecureRandom().nextLong(), 36);
    }

    /** Makes a file; throws {@link java.nio.file.FileAlreadyExistsException} where anything has that name. */
    static void create(Path path, byte[] content) throws IOException {
        create(path, out -> out.write(content), FILE);
    }

    private static void create(Path path, Content content, FileAttribute<?>... attributes) throws IOException {
        try (OutputStream out =
                new BufferedOutputStream(Channels.newOutputStream(Files.newByteChannel(path, NEW, attributes)))) {
            content.writeTo(out);
        }
    }

    /**
     * Writes a file in place of what has its name, also of a link. Nobody ever sees half of it, and what was there before stays until it
     * is whole.
     *
     * @param attributes {@link #FILE}, or nothing for a file that others may read
     */
    public static void write(Path path, Content content, FileAttribute<?>... attributes) throws IOException {
        Path part = path.resolveSibling("." + uniqueName());
        try {
            create(part, content, attributes);
            Files.move(part, path, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(part);
        }
    }

    /**
     * Makes a folder where it is missing, and answers its real path. Throws {@link LiveException} where it is another user's or behind a
     * link, in a folder that everybody can write to: somebody may have put it there for us to write to.
     */
    public static Path folder(Path path) throws IOException {
        checkLinks(path);
        Path real = Files.createDirectories(path, FOLDER).toRealPath();
        Path parent = real.getParent();
        if (parent != null && isEverybodys(parent) && !isOurs(real)) {
            throw new LiveException(
                    real + " belongs to another user, in a folder that everybody can write to", "name another folder");
        }
        return real;
    }

    /**
     * Opens a file to append to, which is made where it is missing. Throws {@link LiveException} as {@link #folder} does: what is appended to
     * another's file, others read.
     */
    public static OutputStream append(Path path) throws IOException {
        checkLinks(path);
        Path parent = path.toAbsolutePath().getParent();
        boolean isOpenToAll = parent != null && isEverybodys(parent);
        if (isOpenToAll && Files.exists(path, LinkOption.NOFOLLOW_LINKS) && !isOurs(path)) {
            throw new LiveException(
                    path + " belongs to another user, in a folder that everybody can write to", "name another file");
        }
        Set<OpenOption> options = new HashSet<>(Set.of(StandardOpenOption.CREATE, StandardOpenOption.APPEND));
        if (isOpenToAll) {
            options.add(LinkOption.NOFOLLOW_LINKS);
        }
        return Channels.newOutputStream(Files.newByteChannel(path, options, FILE));
    }

    /** Makes a file to write to, in a folder of {@link #folder}; throws where anything has that name. */
    public static OutputStream create(Path path) throws IOException {
        return Channels.newOutputStream(Files.newByteChannel(path, NEW, FILE));
    }

    /** Where a file goes that a user names: to what the path links to, unless {@link #folder} would refuse the link. */
    public static Path target(Path path) throws IOException {
        checkLinks(path);
        Path parent = path.toAbsolutePath().getParent();
        return parent == null || isEverybodys(parent) || !Files.exists(path) ? path : path.toRealPath();
    }

    private static void checkLinks(Path path) throws IOException {
        for (Path at = path.toAbsolutePath(); at != null; at = at.getParent()) {
            Path parent = at.getParent();
            if (parent != null && Files.isSymbolicLink(at) && isEverybodys(parent)) {
                throw new LiveException(
                        at + " is a symbolic link in a folder that everybody can write to",
                        "name the file or folder that is meant");
            }
        }
    }

    private static boolean isEverybodys(Path folder) throws IOException {
        return folder.getFileSystem().supportedFileAttributeViews().contains("posix")
                && Files.getPosixFilePermissions(folder).contains(PosixFilePermission.OTHERS_WRITE);
    }

    private static boolean isOurs(Path path) throws IOException {
        return !Files.exists(SELF) || Files.getOwner(SELF).equals(Files.getOwner(path, LinkOption.NOFOLLOW_LINKS));
    }
}
