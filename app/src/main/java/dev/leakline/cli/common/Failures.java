package dev.leakline.cli.common;

import dev.leakline.source.ReadException;
import java.io.IOException;

/** Prints failures in one line and maps them to exit codes. */
public final class Failures {
    /** Something was found that {@code --fail-on} asks for. */
    public static final int FOUND = 1;

    /** An input cannot be read, or not to its end. */
    public static final int UNREADABLE = 3;

    private static final int USAGE = 2;
    /** A fault of this program, as distinct from one of its input. */
    private static final int INTERNAL = 70;

    private Failures() {}

    /** Prints a failure that ended a command, and returns its exit code. */
    public static int report(Exception failure) {
        return switch (failure) {
            case IllegalArgumentException _ -> say(String.valueOf(failure.getMessage()), USAGE);
            case IOException _ -> say(String.valueOf(failure.getMessage()), UNREADABLE);
            default -> reportFault(failure);
        };
    }

    /** Prints that an input cannot be read, and returns the exit code. */
    public static int report(String path, IOException failure) {
        String what = failure instanceof ReadException ? failure.getMessage() : "read error: " + failure.getMessage();
        return say(path + ": " + what, UNREADABLE);
    }

    /** Prints that the heap is too small for an input, and returns the exit code. */
    public static int reportFullHeap() {
        long mebibytes = Runtime.getRuntime().maxMemory() >> 20;
        return say(
                "the heap of " + mebibytes + " MiB is too small for this input; raise it, for example"
                        + " LEAKLINE_JAVA_OPTS=-Xmx" + Math.max(mebibytes * 2 / 1024, 1) + "g",
                UNREADABLE);
    }

    private static int reportFault(Exception failure) {
        StackTraceElement[] trace = failure.getStackTrace();
        String where = trace.length == 0 ? "" : " at " + trace[0];
        return say("internal error in leakline, please report it: " + failure + where, INTERNAL);
    }

    private static int say(String message, int code) {
        Terminal.err().println("leakline: " + dev.leakline.text.Printable.of(message));
        return code;
    }
}
