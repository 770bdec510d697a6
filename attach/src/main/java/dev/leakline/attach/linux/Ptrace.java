package dev.leakline.attach.linux;

import java.io.IOException;
import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/**
 * The three functions of the C library with which Linux lets one process steer another: {@code ptrace}, {@code waitpid}, {@code kill}.
 *
 * <p>Linux ties a traced thread to the thread that traces it, so all calls for one target come from one platform thread; when that
 * thread ends, whatever it still traces is let go. Handles are linked once, before anything is stopped, because linking takes longer
 * than the target should stand still.
 */
public final class Ptrace {
    static final int SINGLE_STEP = 9;
    static final int CONTINUE = 7;
    static final int DETACH = 17;
    static final int GET_REGISTERS = 0x4204;
    static final int SET_REGISTERS = 0x4205;
    static final int SEIZE = 0x4206;
    static final int INTERRUPT = 0x4207;
    static final int GET_SIGNAL_MASK = 0x420a;
    static final int SET_SIGNAL_MASK = 0x420b;

    /** Not permitted. */
    public static final int EPERM = 1;
    /** No such process. */
    static final int ESRCH = 3;

    private static final int WAIT_NO_HANG = 1;
    private static final int WAIT_ALL = 0x40000000;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final StructLayout STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));
    private static final AddressLayout POINTER = ValueLayout.ADDRESS;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    private static final MethodHandle PTRACE = link(
            "ptrace",
            FunctionDescriptor.of(ValueLayout.JAVA_LONG, INT, INT, POINTER, POINTER),
            Linker.Option.firstVariadicArg(1));
    private static final MethodHandle WAITPID = link("waitpid", FunctionDescriptor.of(INT, INT, POINTER, INT));
    private static final MethodHandle KILL = link("kill", FunctionDescriptor.of(INT, INT, INT));

    private final MemorySegment state;
    private final MemorySegment status;

    /** Calls whose scratch memory lives as long as the arena. */
    Ptrace(Arena arena) {
        state = arena.allocate(STATE);
        status = arena.allocate(INT);
    }

    @SuppressWarnings("restricted") // Native access is what this class is for; the manifest allows it.
    private static MethodHandle link(String name, FunctionDescriptor type, Linker.Option... more) {
        Linker.Option[] options = new Linker.Option[more.length + 1];
        options[0] = Linker.Option.captureCallState("errno");
        System.arraycopy(more, 0, options, 1, more.length);
        return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), type, options);
    }

    /** Calls ptrace; throws where the system refuses, with the number of its error. */
    void call(int request, int thread, long address, MemorySegment data) throws SystemError {
        long result;
        try {
            result = (long) PTRACE.invokeExact(state, request, thread, MemorySegment.ofAddress(address), data);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
        if (result == -1) {
            throw new SystemError("ptrace request 0x" + Integer.toHexString(request), (int) ERRNO.get(state, 0L));
        }
    }

    void call(int request, int thread) throws SystemError {
        call(request, thread, 0, MemorySegment.NULL);
    }

    /** The new state of a traced thread, or {@link Stop#NONE} where nothing has changed since the last call. */
    Stop poll(int thread) throws SystemError {
        int result;
        try {
            result = (int) WAITPID.invokeExact(state, thread, status, WAIT_ALL | WAIT_NO_HANG);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
        if (result == -1) {
            throw new SystemError("waitpid", (int) ERRNO.get(state, 0L));
        }
        return result == 0 ? Stop.NONE : Stop.of(status.get(INT, 0));
    }

    /** Sends a signal; to a process that is gone, nothing happens. */
    void kill(int pid, int signal) {
        try {
            int _ = (int) KILL.invokeExact(state, pid, signal);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /**
     * Reasons why a traced thread is stopped.
     *
     * @param signal the signal on its way to it, 0 where there is none
     * @param event why else it stopped, such as {@link #INTERRUPTED}; 0 for a signal on its way
     * @param isEnd whether it does not stand still but has ended
     */
    record Stop(int signal, int event, boolean isEnd) {
        static final Stop NONE = new Stop(0, 0, false);
        /** PTRACE_EVENT_STOP: by our interrupt, or with its whole process by SIGSTOP. */
        static final int INTERRUPTED = 128;

        private static final int STOPPED = 0x7f;

        private static Stop of(int status) {
            return (status & 0xff) == STOPPED
                    ? new Stop((status >> 8) & 0xff, status >> 16, false)
                    : new Stop(status & STOPPED, 0, true);
        }
    }

    /** The system said no. */
    public static final class SystemError extends IOException {
        private static final long serialVersionUID = 1;

        /** The system's number for the error. */
        public final int number;

        SystemError(String what, int number) {
            super(what + " failed with error " + number);
            this.number = number;
        }
    }
}
