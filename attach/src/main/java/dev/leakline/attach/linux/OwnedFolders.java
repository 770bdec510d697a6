package dev.leakline.attach.linux;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Folders whose names say which process they belong to, so that another one can remove what it left when it was killed.
 *
 * <p>A name ends with a namespace of processes, the number of the owner in that, and its start. Other users' folders are left alone, as are those with files of
 * processes that are there, and no link is followed.
 */
public final class OwnedFolders {
    private static final Pattern NAME =
            Pattern.compile("leakline-[0-9a-z]+-(?<space>\\d+)-(?<pid>\\d{1,9})-(?<start>\\d+)");

    private final Path place;

    /** Finds the folders in a place. */
    public OwnedFolders(Path place) {
        this.place = place;
    }

    /** The path of one for this program, with a name that nobody can guess; where Linux does not tell who this program is, nobody but it removes that. */
    public Path next(String name) {
        try {
            int pid = (int) ProcessHandle.current().pid();
            return place.resolve(String.join(
                    "-", name, space(), String.valueOf(pid), ProcessStat.of(pid).start()));
        } catch (IOException e) {
            return place.resolve(name);
        }
    }

    /** Removes those whose processes are gone. */
    public void clear() {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(place)) {
            if (all instanceof SecureDirectoryStream<Path> secure) {
                String space = space();
                for (Path folder : all) {
                    Matcher owner = NAME.matcher(folder.getFileName().toString());
                    if (owner.matches() && owner.group("space").equals(space) && !isThere(owner)) {
                        remove(secure, folder.getFileName());
                    }
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            // There is no such place, or it is not for us to read: then nothing in it is ours.
        }
    }

    private static void remove(SecureDirectoryStream<Path> place, Path name) {
        try (LeftFolder folder = LeftFolder.in(place, name)) {
            if (folder.isOurs() && !folder.isInUse()) {
                folder.empty();
                place.deleteDirectory(name);
            }
        } catch (IOException | DirectoryIteratorException e) {
            // It is a link, or another user's, or something is put there meanwhile.
        }
    }

    private static boolean isThere(Matcher owner) {
        try {
            return ProcessStat.of(Integer.parseInt(owner.group("pid"))).start().equals(owner.group("start"));
        } catch (IOException e) {
            return false;
        }
    }

    /** The number of the namespace by which this program numbers processes. */
    private static String space() throws IOException {
        return Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString().replaceAll("\\D", "");
    }
}
