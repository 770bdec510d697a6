package dev.leakline.attach;

import dev.leakline.attach.linux.LiveException;
import dev.leakline.attach.linux.Owner;
import dev.leakline.attach.linux.ProcFile;
import dev.leakline.attach.linux.ThreadActivity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Finds out why Linux does not let this program trace a process, and what would help. Rules: ptrace(2), "Ptrace access mode checking". */
public final class Permissions {
    private static final Path YAMA = Path.of("/proc/sys/kernel/yama/ptrace_scope");
    /** CAP_SYS_PTRACE is the 19th capability. */
    private static final int TRACE = 19;

    private Permissions() {}

    /** Throws {@link LiveException} where a process cannot be entered, whoever asks. */
    static void check(int pid) throws IOException {
        if (!ProcFile.isThere()) {
            throw new LiveException(
                    "this system has no Linux /proc",
                    "leakline attach works only on Linux; elsewhere, start the job with leakline run");
        }
        if (!Files.isDirectory(ProcFile.of(pid, ""))) {
            throw new LiveException("no such process: " + pid, "leakline ps lists those that use a GPU");
        }
        checkState(pid);
        if (!hasMemory(pid)) {
            throw new LiveException(
                    "process " + pid + " has no memory of its own: it is a kernel thread or is just ending",
                    "leakline ps lists those that use a GPU");
        }
    }

    /** Throws where a process is stopped, or somebody else's to stop. */
    static void checkState(int pid) throws IOException {
        String tracer = ProcFile.fields(pid, "status").getOrDefault("TracerPid", "0");
        if (!tracer.equals("0")) {
            throw new LiveException(
                    "process " + pid + " is being traced by process " + tracer + " already", "end that debugger first");
        }
        switch (ThreadActivity.state(pid)) {
            case 'Z', 'X' -> throw LiveException.gone(pid);
            case 'T', 't' ->
                throw new LiveException(
                        "process " + pid + " is stopped, as by Ctrl-Z or SIGSTOP", "resume it with: kill -CONT " + pid);
            default -> {}
        }
    }

    /**
     * Returns whether a process has ended, also where its parent has not collected its exit code yet. One that ends gives back its memory first:
     * for a while it has none and still counts as running.
     */
    static boolean isGone(int pid) {
        try {
            return "ZX".indexOf(ThreadActivity.state(pid)) >= 0 || !hasMemory(pid);
        } catch (IOException e) {
            return true;
        }
    }

    private static boolean hasMemory(int pid) throws IOException {
        return ProcFile.fields(pid, "status").containsKey("VmSize");
    }

    /** Why access was denied. */
    static LiveException explain(int pid) throws IOException {
        Owner theirs = Owner.of(pid);
        Owner ours = Owner.self();
        if (theirs.user() != ours.user() && ours.user() != 0) {
            return new LiveException(
                    "process " + pid + " belongs to user " + theirs.user() + ", but leakline runs as user "
                            + ours.user(),
                    "run leakline as that user, or with sudo");
        }
        if (!mayTrace()) {
            return scope(pid);
        }
        return new LiveException(
                "Linux does not let leakline trace process " + pid + ", although it may trace other processes",
                "the process is in another user namespace, such as a rootless container: run leakline inside it");
    }

    /** The obstacle that keeps this program from tracing any process of its user that did not ask for it; null where nothing does. */
    public static @Nullable LiveException obstacle() throws IOException {
        if (!ProcFile.isThere()) {
            return new LiveException("this system has no Linux /proc", "start the job with leakline run");
        }
        boolean isScoped =
                Files.isReadable(YAMA) && !Files.readString(YAMA).strip().equals("0");
        return mayTrace() || !isScoped ? null : scope(0);
    }

    private static LiveException scope(int pid) throws IOException {
        int scope =
                Files.isReadable(YAMA) ? Integer.parseInt(Files.readString(YAMA).strip()) : 0;
        return switch (scope) {
            case 0 -> undumpable(pid);
            case 1 ->
                new LiveException(
                        "this system lets programs trace only their own child processes (kernel.yama.ptrace_scope is 1)",
                        "run leakline with sudo, or start the job with leakline run, or allow it until the next boot with:"
                                + " sudo sysctl kernel.yama.ptrace_scope=0");
            case 2 ->
                new LiveException(
                        "this system lets only administrators trace programs (kernel.yama.ptrace_scope is 2)",
                        "run leakline with sudo; in a container, start that with --cap-add SYS_PTRACE");
            default ->
                new LiveException(
                        "this system lets nobody trace programs until the next boot (kernel.yama.ptrace_scope is 3)",
                        "start the job with leakline run, which needs no tracing");
        };
    }

    private static LiveException undumpable(int pid) {
        return new LiveException(
                "Linux does not let leakline trace process " + pid
                        + ": it has more rights than leakline, has made itself undumpable, or a container's rules forbid it",
                "run leakline with sudo, and in the same container; Docker needs --cap-add SYS_PTRACE for that");
    }

    private static boolean mayTrace() throws IOException {
        String capabilities =
                ProcFile.fields((int) ProcessHandle.current().pid(), "status").getOrDefault("CapEff", "0");
        return ((Long.parseUnsignedLong(capabilities, 16) >>> TRACE) & 1) == 1;
    }
}
