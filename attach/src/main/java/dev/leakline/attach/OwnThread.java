package dev.leakline.attach;

import dev.leakline.attach.linux.LiveException;
import dev.leakline.attach.linux.Pause;
import dev.leakline.attach.linux.ProcFile;
import dev.leakline.attach.linux.RemoteMemory;
import dev.leakline.attach.linux.StoppedThread;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;

/**
 * Enters a Python whose main thread waits in the kernel, where a pending call would wait too: makes the main thread start a new thread,
 * which takes the global interpreter lock as threads of C do, runs the text, and ends.
 *
 * <p>Nothing is held up meanwhile, and nothing needs to be broken off: where somebody else keeps the lock for longer than we wait, the text
 * is made empty, and the thread does nothing when it gets the lock at last. A thread that was asking for the lock must never be taken out
 * of that by force: it may have been about to hold the lock's own mutex, and Python would stand still for ever.
 *
 * <p>The thread gets the signal mask of the moment, with which the main thread stands still: the job's signals go elsewhere.
 */
final class OwnThread implements Entrance {
    /** Where in the page the number of the thread is put by the code before it, and the text. */
    private static final int NUMBER = 120;

    private static final int TEXT = 128;
    private static final long NO_THREAD = -1;
    /** Between the probe's last line and the end of its thread lie microseconds of work, and the wait for a processor. */
    private static final Duration TO_END = Duration.ofSeconds(2);

    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(2);

    private final int pid;
    private final RemoteMemory memory;
    private final PythonImage python;
    private final RemotePage page;

    private OwnThread(int pid, RemoteMemory memory, PythonImage python, RemotePage page) {
        this.pid = pid;
        this.memory = memory;
        this.python = python;
        this.page = page;
    }

    static OwnThread of(int pid, PythonImage python, RemoteMemory memory) throws IOException {
        return new OwnThread(pid, memory, python, RemotePage.of(pid, memory));
    }

    @Override
    public void enter(String script) throws IOException {
        long start = python.function("PyThread_start_new_thread");
        ByteBuffer code = code();
        byte[] text = Entrance.statement(script).getBytes(StandardCharsets.UTF_8);
        Stopped.run(pid, memory, thread -> {
            thread.endWait();
            page.map(thread, TEXT + text.length + 1, true);
            page.write(0, code);
            page.write(TEXT, StoppedThread.text(text));
            if (thread.call(start, PendingCall.TO_NOTE, page.address(), page.address() + TEXT) == NO_THREAD) {
                page.free(thread);
                throw new LiveException(
                        "process " + pid + " is not allowed to start a thread",
                        "raise its thread limit (ulimit -u, pids.max)");
            }
        });
    }

    /** The thread's code for the text at an address, in instructions of x86-64. */
    private ByteBuffer code() throws IOException {
        ByteBuffer code = ByteBuffer.allocate(NUMBER).order(ByteOrder.LITTLE_ENDIAN);
        code.put(bytes(0x53)); // push rbx
        code.put(bytes(0x41, 0x54)); // push r12
        code.put(bytes(0x48, 0x83, 0xec, 0x08)); // sub rsp, 8: calls want the stack at a multiple of 16
        code.put(bytes(0x48, 0x89, 0xfb)); // mov rbx, rdi: the text
        code.put(bytes(0xb8)).putInt(186); // mov eax, gettid
        code.put(bytes(0x0f, 0x05)); // syscall
        code.put(bytes(0x89, 0x43, NUMBER - TEXT)); // mov [rbx - 8], eax
        call(code, "PyGILState_Ensure");
        code.put(bytes(0x41, 0x89, 0xc4)); // mov r12d, eax
        code.put(bytes(0x48, 0x89, 0xdf)); // mov rdi, rbx
        call(code, "PyRun_SimpleString");
        code.put(bytes(0x44, 0x89, 0xe7)); // mov edi, r12d
        call(code, "PyGILState_Release");
        code.put(bytes(0x48, 0x83, 0xc4, 0x08)); // add rsp, 8
        code.put(bytes(0x41, 0x5c)); // pop r12
        code.put(bytes(0x5b)); // pop rbx
        code.put(bytes(0xc3)); // ret
        return code.flip();
    }

    private void call(ByteBuffer code, String function) throws IOException {
        code.put(bytes(0x48, 0xb8)).putLong(python.function(function)); // mov rax, function
        code.put(bytes(0xff, 0xd0)); // call rax
    }

    private static byte[] bytes(int... values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return bytes;
    }

    @Override
    public String withdraw(boolean hasRun) throws IOException {
        if (!page.isMapped()) {
            return "";
        }
        if (!hasRun) {
            page.write(TEXT, StoppedThread.text(new byte[0]));
            return "one 4 KiB page stays in the process, and a thread that does nothing and ends when it gets the global interpreter lock";
        }
        if (!hasEnded()) {
            return "one 4 KiB page stays in the process, because the thread that ran the probe has not ended yet";
        }
        Stopped.run(pid, memory, page::free);
        return "";
    }

    private boolean hasEnded() throws IOException {
        long end = System.nanoTime() + TO_END.toNanos();
        while (Files.exists(ProcFile.of(pid, "task/" + page.integer(NUMBER)))) {
            if (System.nanoTime() - end > 0) {
                return false;
            }
            Pause.of(BETWEEN_LOOKS);
        }
        return true;
    }
}
