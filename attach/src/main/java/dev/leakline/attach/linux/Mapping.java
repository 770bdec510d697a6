package dev.leakline.attach.linux;

import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A stretch of a process's address space, a line of {@code /proc/PID/maps}.
 *
 * @param start its first address
 * @param end the address after its last
 * @param isExecutable whether code runs there
 * @param offset where in the file it begins, bytes
 * @param path the file, as the process sees it; {@code [vdso]} and the like; or empty
 */
public record Mapping(long start, long end, boolean isExecutable, long offset, String path) {
    private static final Pattern LINE =
            Pattern.compile("([0-9a-f]{1,16})-([0-9a-f]{1,16}) (\\S{4}) ([0-9a-f]{1,16}) \\S+ \\d+ *(.*)");

    public static List<Mapping> of(int pid) throws IOException {
        return ProcFile.text(pid, "maps")
                .lines()
                .map(Mapping::parse)
                .filter(Objects::nonNull)
                .toList();
    }

    private static @org.jspecify.annotations.Nullable Mapping parse(String line) {
        Matcher parts = LINE.matcher(line);
        return parts.matches()
                ? new Mapping(
                        address(parts.group(1)),
                        address(parts.group(2)),
                        parts.group(3).charAt(2) == 'x',
                        address(parts.group(4)),
                        parts.group(5))
                : null;
    }

    private static long address(String hex) {
        return Long.parseUnsignedLong(hex, 16);
    }

    /** The last part of the path. */
    public String fileName() {
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
