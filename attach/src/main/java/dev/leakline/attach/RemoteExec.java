package dev.leakline.attach;

import dev.leakline.attach.linux.LiveException;
import dev.leakline.attach.linux.RemoteMemory;
import dev.leakline.attach.linux.StoppedThread;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Enters Python 3.14 or later by its own interface (PEP 768): writes a script's path into the main thread's state and sets a flag. Nothing
 * is stopped; the thread runs the script when it next looks up from its work. Waiting in C, it looks up when it is back in Python.
 */
final class RemoteExec implements Entrance {
    /** The bit of the eval breaker that says "a script waits" (_PY_EVAL_PLEASE_STOP and its neighbours, bit 5). */
    private static final long SCRIPT_WAITS = 1 << 5;

    private final RemoteMemory memory;
    private final DebugOffsets offsets;
    private final long thread;

    private RemoteExec(RemoteMemory memory, DebugOffsets offsets, long thread) {
        this.memory = memory;
        this.offsets = offsets;
        this.thread = thread;
    }

    /** Returns whether a Python can be entered this way. */
    static boolean fits(PythonImage python) {
        return python.minor() == DebugOffsets.KNOWN_MINOR && !python.isFreeThreaded();
    }

    /** Finds the main thread's state, or null where it is not where it should be; throws where the job takes no scripts. */
    static @Nullable RemoteExec of(PythonImage python, RemoteMemory memory) throws IOException {
        try {
            return find(python, memory);
        } catch (LiveException e) {
            throw e;
        } catch (IOException e) {
            return null;
        }
    }

    private static RemoteExec find(PythonImage python, RemoteMemory memory) throws IOException {
        OptionalLong section = python.file().sectionAddress(".PyRuntime");
        if (section.isEmpty()) {
            throw new IOException(python.path() + " has no section .PyRuntime");
        }
        long runtime = section.getAsLong() + python.moved();
        DebugOffsets offsets = DebugOffsets.read(memory, runtime);
        long interpreter = memory.word(runtime + offsets.interpretersHead());
        if (interpreter == 0 || memory.integer(interpreter + offsets.enabled()) != 1) {
            throw new LiveException(
                    "remote debugging is disabled in this Python (-X disable_remote_debug or PYTHON_DISABLE_REMOTE_DEBUG)",
                    "start the job without that setting");
        }
        return new RemoteExec(memory, offsets, memory.word(interpreter + offsets.mainThread()));
    }

    @Override
    public void enter(String script) throws IOException {
        byte[] path = script.getBytes(StandardCharsets.UTF_8);
        if (path.length >= offsets.scriptPathSize()) {
            throw new IOException("the path " + script + " is too long");
        }
        long support = thread + offsets.support();
        memory.write(support + offsets.scriptPath(), StoppedThread.text(path));
        memory.writeInteger(support + offsets.pendingCall(), 1);
        long breaker = thread + offsets.evalBreaker();
        memory.writeWord(breaker, memory.word(breaker) | SCRIPT_WAITS);
    }

    @Override
    public String withdraw(boolean hasRun) throws IOException {
        if (!hasRun) {
            memory.writeInteger(thread + offsets.support() + offsets.pendingCall(), 0);
        }
        return "";
    }
}
