package dev.leakline.attach;

import dev.leakline.attach.linux.RemoteMemory;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The offsets of what the debugger interface of PEP 768 needs: bytes from the beginning of Python's structures. Python says so itself, in a
 * table at the beginning of its section {@code .PyRuntime}; but where in the table each number stands changes with every minor version, so
 * each has its entry here, taken from that version's {@code pycore_debug_offsets.h}.
 *
 * @param interpretersHead in the runtime: the first interpreter
 * @param mainThread in the interpreter: the state of its main thread
 * @param evalBreaker in a thread's state: the word that makes it look up from its work
 * @param support in a thread's state: where the next two begin
 * @param enabled in the interpreter: whether scripts are welcome
 * @param pendingCall in the support: whether a script waits
 * @param scriptPath in the support: its path
 * @param scriptPathSize bytes of room for the path
 */
record DebugOffsets(
        long interpretersHead,
        long mainThread,
        long evalBreaker,
        long support,
        long enabled,
        long pendingCall,
        long scriptPath,
        long scriptPathSize) {
    /** The version whose table is known. */
    static final int KNOWN_MINOR = 14;

    /** Words of the table of 3.14. */
    private static final int WORDS = 95;

    private static final int INTERPRETERS_HEAD = 5;
    private static final int THREADS_MAIN = 10;
    private static final int DEBUGGER_SUPPORT = 89;

    /** Far more than any of these structures has; what is beyond was misread. */
    private static final long MOST_OFFSET = 1 << 20;

    /** Reads the table of a Python 3.14 at an address. */
    static DebugOffsets read(RemoteMemory memory, long runtime) throws IOException {
        ByteBuffer table = memory.read(runtime, WORDS * Long.BYTES);
        if (table.getLong(0) != PythonImage.COOKIE || (table.getLong(8) >>> 16) != ((3 << 8) | KNOWN_MINOR)) {
            throw new IOException("Python's debug offsets are not where Python 3." + KNOWN_MINOR + " has them");
        }
        long[] support = new long[6];
        for (int i = 0; i < support.length; i++) {
            support[i] = word(table, DEBUGGER_SUPPORT + i);
        }
        return new DebugOffsets(
                word(table, INTERPRETERS_HEAD),
                word(table, THREADS_MAIN),
                support[0],
                support[1],
                support[2],
                support[3],
                support[4],
                support[5]);
    }

    private static long word(ByteBuffer table, int index) throws IOException {
        long word = table.getLong(index * Long.BYTES);
        if (word < 0 || word > MOST_OFFSET) {
            throw new IOException("Python's debug offsets hold the implausible value " + word + " at index " + index);
        }
        return word;
    }
}
