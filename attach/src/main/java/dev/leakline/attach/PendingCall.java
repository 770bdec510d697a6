package dev.leakline.attach;

import dev.leakline.attach.linux.LiveException;
import dev.leakline.attach.linux.RemoteMemory;
import dev.leakline.attach.linux.StoppedThread;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * Enters Pythons before 3.14: makes the stopped main thread call {@code Py_AddPendingCall(PyRun_SimpleString, text)}. That function is made
 * for signal handlers: it may be called at any moment, without the global lock, and only leaves a note; Python runs the text when the main
 * thread is next between two instructions of Python code, where anything may be run. To run it at once, wherever the thread happens to be,
 * is what other tools do, and breaks the process where that is in the middle of malloc.
 *
 * <p>The text is kept in a page of its own. Where Python does not come to it in time, the note cannot be taken back: the text is made
 * empty, and the page stays.
 */
final class PendingCall implements Entrance {
    /** To leave a note takes microseconds; where it takes this long, the thread itself was leaving one when it was stopped. */
    static final Duration TO_NOTE = Duration.ofSeconds(2);

    private final int pid;
    private final RemoteMemory memory;
    private final PythonImage python;
    private final RemotePage page;

    private PendingCall(int pid, RemoteMemory memory, PythonImage python, RemotePage page) {
        this.pid = pid;
        this.memory = memory;
        this.python = python;
        this.page = page;
    }

    /** Returns whether this machine's processor is one whose registers are known. */
    static boolean fits() {
        return System.getProperty("os.arch").equals("amd64");
    }

    static PendingCall of(int pid, PythonImage python, RemoteMemory memory) throws IOException {
        return new PendingCall(pid, memory, python, RemotePage.of(pid, memory));
    }

    @Override
    public void enter(String script) throws IOException {
        long add = python.function("Py_AddPendingCall");
        long run = python.function("PyRun_SimpleString");
        byte[] text = Entrance.statement(script).getBytes(StandardCharsets.UTF_8);
        Stopped.run(pid, memory, thread -> {
            page.map(thread, text.length + 1, false);
            page.write(0, StoppedThread.text(text));
            if ((int) thread.call(add, TO_NOTE, run, page.address()) != 0) {
                page.free(thread);
                throw new LiveException("Python's queue of pending calls is full", "try again");
            }
        });
    }

    @Override
    public String withdraw(boolean hasRun) throws IOException {
        if (!page.isMapped()) {
            return "";
        }
        if (!hasRun) {
            page.write(0, StoppedThread.text(new byte[0]));
            return "one 4 KiB page stays in the process; it holds an empty script";
        }
        Stopped.run(pid, memory, page::free);
        return "";
    }
}
