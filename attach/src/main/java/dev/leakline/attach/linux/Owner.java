package dev.leakline.attach.linux;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;

/**
 * The user and group under whose names a process works.
 *
 * @param user the number of the effective user
 * @param group the number of the effective group
 */
public record Owner(int user, int group) {
    private static final int EFFECTIVE = 1;

    public static Owner of(int pid) throws IOException {
        Map<String, String> fields = ProcFile.fields(pid, "status");
        return new Owner(number(fields.get("Uid")), number(fields.get("Gid")));
    }

    /** The user and group that this program has. */
    public static Owner self() throws IOException {
        return of((int) ProcessHandle.current().pid());
    }

    private static int number(@org.jspecify.annotations.Nullable String numbers) throws IOException {
        String[] parts = numbers == null ? new String[0] : numbers.split("\\s+", -1);
        if (parts.length <= EFFECTIVE) {
            throw new IOException("/proc does not show the owner of a process");
        }
        return (int) Long.parseLong(parts[EFFECTIVE]);
    }

    /** Makes a file or folder this owner's, where it is not. */
    public void give(Path path) throws IOException {
        if (!equals(self())) {
            Files.setAttribute(path, "unix:uid", user, LinkOption.NOFOLLOW_LINKS);
            Files.setAttribute(path, "unix:gid", group, LinkOption.NOFOLLOW_LINKS);
        }
    }
}
