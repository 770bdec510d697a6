package dev.leakline.attach.linux;

import dev.leakline.attach.linux.Ptrace.Stop;
import dev.leakline.attach.linux.Ptrace.SystemError;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * A thread of another process that stands still and calls functions for us, on x86-64 Linux.
 *
 * <p><b>How.</b> The thread is seized and interrupted; no other thread of its process notices. All that makes up its state is kept:
 * general registers, vector registers (a function may use any of them, and the thread was interrupted between any two instructions),
 * and its signal mask. Then signals are held back by that mask, so that they wait in the kernel with all their details and come when
 * the mask is put back. A system call is made by pointing the thread at an instruction {@code syscall} somewhere in its code and letting
 * it do a single step. A function is called by pointing the thread at it, on its own stack below all that could be in use there, with
 * the return address 0: when the function returns, the thread trips over that address, which we see before the process would.
 *
 * <p><b>What can go wrong.</b> The thread may be stuck in the kernel and never stop: then nothing was changed, and the request is taken
 * back by ending the tracing thread. The function may wait for a lock that the thread itself held when it was interrupted: after a time
 * limit it is interrupted again and everything put back, as if it had not been called. The process may be killed: nothing remains to be
 * put back. A thread that was in a system call goes back into it, because the kernel finds in the registers that were put back what it
 * needs to begin again.
 */
public final class StoppedThread implements AutoCloseable {
    private static final int SIGTRAP = 5;
    private static final int SIGSEGV = 11;
    /** Signals that must get through: they are how the end of a step and of a function show. */
    private static final long HELD_BACK = ~((1L << (SIGTRAP - 1)) | (1L << (SIGSEGV - 1)));

    private static final int GENERAL = 1;
    /** All vector registers, as far as the processor has them; a few kilobytes, of which this is plenty. */
    private static final int EXTENDED = 0x202;

    private static final int MOST_EXTENDED_BYTES = 64 << 10;

    /** Bytes left alone below the stack pointer: 128 may be in use by a function that calls no other; the rest is for good measure. */
    private static final int STACK_IN_USE = 512;
    /** Flags that a function may take for granted: direction upwards, no single steps. */
    private static final long DIRTY_FLAGS = 0x500;

    /** The C library gives errors of the system as numbers from -1 to -4095. */
    private static final long LOWEST_ERROR = -4095;

    /** The result of a system call that the kernel would take up again itself (ERESTART_RESTARTBLOCK); never seen outside. */
    private static final long RESTARTS_BY_KERNEL = -516;
    /** The result of a system call that a signal ended (EINTR). */
    private static final long INTERRUPTED_CALL = -4;

    /** A thread stops within microseconds unless it is stuck in the kernel. */
    private static final Duration TO_STOP = Duration.ofSeconds(2);
    /** How often to look whether the thread has stopped: the target waits for us meanwhile. */
    private static final long POLL_NANOS = 20_000;

    private final Arena arena = Arena.ofConfined();
    private final Ptrace ptrace = new Ptrace(arena);
    private final int pid;
    private final RemoteMemory memory;
    private final MemorySegment vector = arena.allocate(2L * Long.BYTES, Long.BYTES);
    private final MemorySegment extended = arena.allocate(MOST_EXTENDED_BYTES, 64);
    private final MemorySegment mask = arena.allocate(ValueLayout.JAVA_LONG);
    private final Registers kept = Registers.in(arena);
    private final List<Integer> signals = new ArrayList<>();
    private long extendedBytes;
    private boolean hasEnded;

    private StoppedThread(int pid, RemoteMemory memory) {
        this.pid = pid;
        this.memory = memory;
    }

    /** Stops the main thread of a process; only the calling thread may use what comes back. */
    public static StoppedThread stop(int pid, RemoteMemory memory) throws IOException {
        StoppedThread thread = new StoppedThread(pid, memory);
        thread.ptrace.call(Ptrace.SEIZE, pid);
        try {
            thread.interrupt();
            thread.keepState();
        } catch (IOException | RuntimeException e) {
            thread.letGo();
            throw e;
        }
        return thread;
    }

    private void interrupt() throws IOException {
        ptrace.call(Ptrace.INTERRUPT, pid);
        long end = System.nanoTime() + TO_STOP.toNanos();
        while (true) {
            Stop stop = await(end);
            if (stop.event() == Stop.INTERRUPTED) {
                return;
            }
            if (stop.event() == 0) {
                signals.add(stop.signal());
            }
            ptrace.call(Ptrace.CONTINUE, pid);
        }
    }

    private void keepState() throws IOException {
        registers(Ptrace.GET_REGISTERS, GENERAL, kept.segment);
        extendedBytes = registers(Ptrace.GET_REGISTERS, EXTENDED, extended);
        ptrace.call(Ptrace.GET_SIGNAL_MASK, pid, Long.BYTES, mask);
        holdBack(HELD_BACK);
    }

    private void holdBack(long signalMask) throws IOException {
        MemorySegment all = arena.allocate(ValueLayout.JAVA_LONG);
        all.set(ValueLayout.JAVA_LONG, 0, signalMask);
        ptrace.call(Ptrace.SET_SIGNAL_MASK, pid, Long.BYTES, all);
    }

    private long registers(int request, int set, MemorySegment place) throws IOException {
        vector.set(ValueLayout.ADDRESS, 0, place);
        vector.set(ValueLayout.JAVA_LONG, Long.BYTES, place.byteSize());
        ptrace.call(request, pid, set, vector);
        return vector.get(ValueLayout.JAVA_LONG, Long.BYTES);
    }

    /**
     * Ends a wait with a time limit that the thread is in as if by a signal. What the kernel keeps to go on with such a wait would not
     * survive the waits of functions that are called meanwhile; programs ask again after a signal.
     */
    public void endWait() {
        if (kept.get(Registers.RAX) == RESTARTS_BY_KERNEL) {
            kept.set(Registers.RAX, INTERRUPTED_CALL).set(Registers.ORIG_RAX, -1);
        }
    }

    /** Has the thread make a system call, at an instruction {@code syscall} in its code. */
    public long systemCall(long instruction, int number, long... arguments) throws IOException {
        int[] places = {Registers.RDI, Registers.RSI, Registers.RDX, Registers.R10, Registers.R8, Registers.R9};
        Registers registers = kept.copy(arena).set(Registers.RIP, instruction).set(Registers.RAX, number);
        for (int i = 0; i < arguments.length; i++) {
            registers.set(places[i], arguments[i]);
        }
        run(registers, Ptrace.SINGLE_STEP, SIGTRAP, TO_STOP);
        long result = registers.get(Registers.RAX);
        if (result < 0 && result >= LOWEST_ERROR) {
            throw new SystemError("system call " + number + " in the process", (int) -result);
        }
        return result;
    }

    /** Has the thread call a function with up to two arguments; throws where it does not return within a time. */
    public long call(long function, Duration limit, long... arguments) throws IOException {
        long stack = ((kept.get(Registers.RSP) - STACK_IN_USE) & -16) - Long.BYTES;
        memory.writeWord(stack, 0);
        Registers registers = kept.copy(arena)
                .set(Registers.RIP, function)
                .set(Registers.RSP, stack)
                .set(Registers.RAX, 0)
                .set(Registers.FLAGS, kept.get(Registers.FLAGS) & ~DIRTY_FLAGS)
                .set(Registers.RDI, arguments.length > 0 ? arguments[0] : 0)
                .set(Registers.RSI, arguments.length > 1 ? arguments[1] : 0);
        run(registers, Ptrace.CONTINUE, SIGSEGV, limit);
        if (registers.get(Registers.RIP) != 0) {
            throw new LiveException(
                    "the function called in process " + pid + " did not return", "the process's state was restored");
        }
        return registers.get(Registers.RAX);
    }

    /** Runs until a signal of ours comes; {@code registers} then has what the thread has. Others are kept for later. */
    private void run(Registers registers, int request, int expected, Duration limit) throws IOException {
        registers(Ptrace.SET_REGISTERS, GENERAL, registers.set(Registers.ORIG_RAX, -1).segment);
        long end = System.nanoTime() + limit.toNanos();
        while (true) {
            ptrace.call(request, pid);
            Stop stop = await(end);
            if (stop.event() == 0 && stop.signal() == expected) {
                registers(Ptrace.GET_REGISTERS, GENERAL, registers.segment);
                return;
            }
            if (stop.event() == 0) {
                signals.add(stop.signal());
            }
        }
    }

    private Stop await(long end) throws IOException {
        while (true) {
            Stop stop = ptrace.poll(pid);
            if (stop.isEnd()) {
                hasEnded = true;
                throw LiveException.gone(pid);
            }
            if (!stop.equals(Stop.NONE)) {
                return stop;
            }
            if (System.nanoTime() - end > 0) {
                throw new NotStopping(pid);
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    /** Puts everything back and lets the thread go on; signals that came meanwhile follow. */
    @Override
    public void close() throws IOException {
        try {
            if (!hasEnded) {
                putBack();
                ptrace.call(Ptrace.DETACH, pid);
            }
        } catch (SystemError e) {
            if (e.number != Ptrace.ESRCH) {
                throw e;
            }
        } finally {
            letGo();
        }
    }

    private void putBack() throws IOException {
        try {
            putBackRegisters();
        } catch (SystemError e) {
            interrupt();
            putBackRegisters();
        }
        ptrace.call(Ptrace.SET_SIGNAL_MASK, pid, Long.BYTES, mask);
    }

    private void putBackRegisters() throws IOException {
        registers(Ptrace.SET_REGISTERS, GENERAL, kept.segment);
        registers(Ptrace.SET_REGISTERS, EXTENDED, extended.asSlice(0, extendedBytes));
    }

    private void letGo() {
        if (!hasEnded) {
            signals.forEach(signal -> ptrace.kill(pid, signal));
        }
        signals.clear();
        arena.close();
    }

    /** The thread does not come to a stop in time. */
    public static final class NotStopping extends IOException {
        private static final long serialVersionUID = 1;

        NotStopping(int pid) {
            super("the main thread of process " + pid + " did not stop in time");
        }
    }

    /** Words of text, ended by a zero byte, as a function of C takes it. */
    public static ByteBuffer text(byte[] bytes) {
        return ByteBuffer.allocate(bytes.length + 1)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(bytes)
                .rewind();
    }
}
