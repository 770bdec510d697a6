package dev.leakline.nvml;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/** Tests whether process IDs here are those that the driver uses. */
public final class PidNamespace {
    /** The identity of Linux's outermost PID namespace (PROC_PID_INIT_INO). */
    private static final String OUTERMOST = "pid:[4026531836]";

    private static final Path OURS = Path.of("/proc/self/ns/pid");

    private PidNamespace() {}

    /** Returns whether this process is in the outermost PID namespace; systems other than Linux have no other. */
    public static boolean isOutermost() throws IOException {
        return !Files.exists(OURS, LinkOption.NOFOLLOW_LINKS)
                || Files.readSymbolicLink(OURS).toString().equals(OUTERMOST);
    }
}
