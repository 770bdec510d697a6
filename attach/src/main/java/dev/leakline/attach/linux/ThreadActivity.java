package dev.leakline.attach.linux;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.Map;

/**
 * Tests from outside whether the main thread of a process is active.
 *
 * <p>A thread that computes is found running. One that waits for Python's global lock wakes up every few milliseconds to ask for it, so
 * the count of its voluntary switches goes up. One that waits for something else, a lock, a child, the network, does neither for as
 * long as it waits.
 */
public final class ThreadActivity {
    /** How often to look: often enough to see a loop that sleeps in between. */
    private static final Duration PAUSE = Duration.ofMillis(10);

    private final int pid;
    private final String before;

    private ThreadActivity(int pid) throws IOException {
        this.pid = pid;
        before = switches(pid);
    }

    /** Watches until the thread does something, at most for a time; true where it did. */
    public static boolean isSeenWithin(int pid, Duration most) throws IOException {
        try {
            ThreadActivity activity = new ThreadActivity(pid);
            long end = System.nanoTime() + most.toNanos();
            while (System.nanoTime() < end) {
                if (activity.isSeen()) {
                    return true;
                }
                Pause.of(PAUSE);
            }
            return false;
        } catch (NoSuchFileException e) {
            throw LiveException.gone(pid);
        }
    }

    private boolean isSeen() throws IOException {
        return state(pid) == 'R' || !switches(pid).equals(before);
    }

    /** The letter for what the main thread does: R runs, S waits, D waits for a device, T stopped, t traced, Z ended. */
    public static char state(int pid) throws IOException {
        String state = fields(pid).getOrDefault("State", "?");
        return state.isEmpty() ? '?' : state.charAt(0);
    }

    private static String switches(int pid) throws IOException {
        return fields(pid).getOrDefault("voluntary_ctxt_switches", "");
    }

    private static Map<String, String> fields(int pid) throws IOException {
        return ProcFile.fields(pid, "task/" + pid + "/status");
    }

    /** Says what the main thread waits for. */
    public static String waitsFor(int pid) {
        String number = "";
        try {
            number = ProcFile.text(pid, "syscall").strip().split(" ", 2)[0];
        } catch (IOException e) {
            // Not everybody may know; the sentence does without.
        }
        return switch (number) {
            case "202" -> "a lock (futex)";
            case "35", "230" -> "a timer (sleep)";
            case "0", "17", "19", "45", "47" -> "input (read)";
            case "1", "44", "46" -> "output (write)";
            case "7", "23", "232", "270", "271", "281", "441" -> "a file or a socket (poll)";
            case "61", "247" -> "another process to end (wait)";
            case "16" -> "a device (ioctl)";
            default -> "something in the kernel";
        };
    }
}
