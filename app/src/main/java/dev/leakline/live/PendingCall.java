package dev.leakline.live;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/**
 * The way into Pythons before 3.14: have the stopped main thread call {@code Py_AddPendingCall(PyRun_SimpleString, text)}. That function
 * is made for signal handlers: it may be called at any moment, without the global lock, and only leaves a note; Python runs the text
 * when the main thread is next between two instructions of Python code, where anything may be run. To run it at once, wherever the
 * thread happens to be, is what other tools do, and breaks the process where that is in the middle of malloc.
 *
 * <p>Only a thread that has been waiting in the kernel for some time can run Python at once ({@link #enterWaiting}): it is in the middle
 * of nothing, and a pending call would have to wait with it.
 *
 * <p>The text is kept in a page of its own, which the process maps at our request and gives back afterwards.
 */
final class PendingCall implements Entrance {
    private static final int MMAP = 9;
    private static final int MUNMAP = 11;
    private static final int PAGE = 4096;
    private static final int READ_WRITE = 3;
    private static final int PRIVATE_ANONYMOUS = 0x22;

    /** Bytes of code to look through at once for an instruction. */
    private static final int CHUNK = 1 << 16;
    /** A megabyte of any library's code has the instruction; the C library and the kernel's own page have it early. */
    private static final int MOST_CODE = 8 << 20;

    /** To leave a note takes microseconds; where it takes this long, the thread itself was leaving one when it was stopped. */
    private static final Duration TO_NOTE = Duration.ofSeconds(2);
    /** Other threads may hold the global lock for a while, and a dump of a large job takes seconds. */
    private static final Duration TO_DUMP = Duration.ofMinutes(5);

    private final int pid;
    private final RemoteMemory memory;
    private final PythonImage python;
    private final long instruction;
    private long page;

    private PendingCall(int pid, RemoteMemory memory, PythonImage python, long instruction) {
        this.pid = pid;
        this.memory = memory;
        this.python = python;
        this.instruction = instruction;
    }

    /** Whether this machine's processor is one whose registers are known. */
    static boolean fits() {
        return System.getProperty("os.arch").equals("amd64");
    }

    static PendingCall of(int pid, PythonImage python, RemoteMemory memory) throws IOException {
        return new PendingCall(pid, memory, python, instruction(pid, memory));
    }

    @Override
    public void enter(String script) throws IOException {
        long add = python.function("Py_AddPendingCall");
        long run = python.function("PyRun_SimpleString");
        Stopped.run(pid, memory, thread -> {
            place(thread, script);
            if ((int) thread.call(add, TO_NOTE, run, page) != 0) {
                free(thread);
                throw new LiveException("Python's list of pending calls is full", "try again");
            }
        });
    }

    /** The same page and function, but run at once, in a main thread that has been waiting in the kernel. */
    Entrance whereItWaits() {
        return new Entrance() {
            @Override
            public void enter(String script) throws IOException {
                enterWaiting(script);
            }

            @Override
            public String withdraw(boolean hasRun) {
                return "";
            }
        };
    }

    private void enterWaiting(String script) throws IOException {
        long ensure = python.function("PyGILState_Ensure");
        long run = python.function("PyRun_SimpleString");
        long release = python.function("PyGILState_Release");
        Stopped.run(pid, memory, thread -> {
            thread.endWait();
            place(thread, script);
            long state = thread.call(ensure, TO_DUMP);
            thread.call(run, TO_DUMP, page);
            thread.call(release, TO_DUMP, state);
            free(thread);
        });
    }

    private void place(StoppedThread thread, String script) throws IOException {
        ByteBuffer text = StoppedThread.text(Entrance.statement(script).getBytes(StandardCharsets.UTF_8));
        if (text.limit() > PAGE) {
            throw new IOException("the path " + script + " is too long");
        }
        page = map(thread);
        memory.write(page, text);
    }

    private long map(StoppedThread thread) throws IOException {
        try {
            return thread.systemCall(instruction, MMAP, 0, PAGE, READ_WRITE, PRIVATE_ANONYMOUS, -1, 0);
        } catch (Ptrace.SystemError e) {
            throw new LiveException(
                    "the process may not map memory (error " + e.number + "; seccomp, or a limit on its memory)",
                    "start the job under leakline run instead");
        }
    }

    private void free(StoppedThread thread) throws IOException {
        thread.systemCall(instruction, MUNMAP, page, PAGE);
        page = 0;
    }

    @Override
    public String withdraw(boolean hasRun) throws IOException {
        if (page == 0) {
            return "";
        }
        if (!hasRun) {
            return "one page of 4 KiB stays in the process, with a note to run a script that is gone by then";
        }
        Stopped.run(pid, memory, this::free);
        return "";
    }

    /** Where in the process an instruction {@code syscall} is: the C library has it, and the kernel's own page, in every process. */
    private static long instruction(int pid, RemoteMemory memory) throws IOException {
        List<Mapping> code =
                Mapping.of(pid).stream().filter(Mapping::isExecutable).toList();
        for (String part : List.of("[vdso]", "libc.", "libc-", "ld-", "")) {
            for (Mapping mapping : code) {
                long found =
                        mapping.fileName().startsWith(part) && !mapping.path().equals("[vsyscall]")
                                ? search(mapping, memory)
                                : 0;
                if (found != 0) {
                    return found;
                }
            }
        }
        throw new IOException("process " + pid + " has no code with a system call");
    }

    private static long search(Mapping mapping, RemoteMemory memory) throws IOException {
        long end = Math.min(mapping.end(), mapping.start() + MOST_CODE);
        for (long at = mapping.start(); at < end; at += CHUNK) {
            ByteBuffer code = memory.read(at, (int) Math.min(CHUNK, end - at));
            for (int i = 0; i + 1 < code.limit(); i++) {
                if (code.get(i) == 0x0f && code.get(i + 1) == 0x05) {
                    return at + i;
                }
            }
        }
        return 0;
    }
}
