package dev.leakline.read.snapshot;

import dev.leakline.source.ReadException;
import dev.leakline.source.ReadException.Code;
import dev.leakline.source.ReadLimits;
import java.util.Arrays;

/**
 * Values that wait for the container they belong to, as three parallel arrays: what a value is, its content, and where the
 * memo remembers it. Marks divide the stack into open containers.
 */
final class ValueStack {
    /** A value that the analysis has no use for. */
    static final byte OTHER = 0;
    /** Python's None. */
    static final byte NULL = 1;
    /** A signed 64-bit integer. */
    static final byte INT = 2;
    /** The bits of a double. */
    static final byte FLOAT = 3;
    /** 0 or 1. */
    static final byte BOOL = 4;
    /** A string number. */
    static final byte STRING = 5;
    /** A pool number: a tuple of two integers. */
    static final byte PAIR = 6;
    /** A frame number. */
    static final byte FRAME = 7;
    /** A stack number: a list of frames. */
    static final byte STACK = 8;
    /** A list without contents so far. */
    static final byte LIST = 9;
    /** A dictionary without contents so far. */
    static final byte DICT = 10;
    /** A dictionary that may get more entries; the index of a {@link PendingDict}. */
    static final byte PENDING = 11;
    /** A dictionary that is no row; the index of a map. */
    static final byte MAP = 12;
    /** The list of all devices' traces. */
    static final byte TRACES = 13;
    /** Following rows of events, as {@link #run}; so are the next four. */
    static final byte EVENTS = 14;

    static final byte BLOCK_ROWS = 15;
    static final byte SEGMENT_ROWS = 16;
    static final byte ANNOTATION_ROWS = 17;
    static final byte HISTORY_ROWS = 18;
    /** The difference from a kind of rows to that of the list that holds them; the content is a range's index. */
    static final byte LIST_OF = 5;

    /** No place in the memo. */
    static final int UNREMEMBERED = -1;

    private final ReadLimits limits;
    byte[] kinds = new byte[4096];
    long[] values = new long[4096];
    int[] memos = new int[4096];
    int depth;
    private final int[] marks;
    private int markCount;

    ValueStack(ReadLimits limits) {
        this.limits = limits;
        this.marks = new int[limits.nesting()];
    }

    /** One row that follows {@code first}, as the content of a run: first row and number of rows. */
    static long run(int first, int count) {
        return (long) first << 32 | count;
    }

    static int runFirst(long run) {
        return (int) (run >>> 32);
    }

    static int runCount(long run) {
        return (int) run;
    }

    static boolean isRows(byte kind) {
        return kind >= EVENTS && kind <= HISTORY_ROWS;
    }

    void push(byte kind, long value, int memo) throws ReadException {
        if (depth == kinds.length) {
            grow();
        }
        kinds[depth] = kind;
        values[depth] = value;
        memos[depth++] = memo;
    }

    /** Pushes a value that cannot change after it was pushed, so that its place in the memo does not matter. */
    void push(byte kind, long value) throws ReadException {
        if (depth == kinds.length) {
            grow();
        }
        kinds[depth] = kind;
        values[depth++] = value;
    }

    /** Pushes a container that is still to be filled. */
    void pushOpen(byte kind) throws ReadException {
        push(kind, 0, UNREMEMBERED);
    }

    void mark() throws ReadException {
        if (markCount == marks.length) {
            throw new ReadException(Code.LIMIT, -1, "more than " + marks.length + " nested containers");
        }
        marks[markCount++] = depth;
    }

    /** The depth at the last mark, which is removed. */
    int popMark() throws ReadException {
        if (markCount == 0) {
            throw damaged("a container ends without a beginning");
        }
        return marks[--markCount];
    }

    /** Returns whether a container is open. */
    boolean hasMark() {
        return markCount > 0;
    }

    /** Checks that {@code count} values stand above the last mark and answers the depth below them. */
    int require(int count) throws ReadException {
        if (depth - count < floor()) {
            throw damaged("an operation needs " + count + " value" + (count == 1 ? "" : "s") + ", but there are fewer");
        }
        return depth - count;
    }

    /** The depth below which the innermost open container's values do not reach. */
    int floor() {
        return markCount == 0 ? 0 : marks[markCount - 1];
    }

    /** Takes away the topmost value, or the mark if nothing stands above it. */
    void pop() throws ReadException {
        if (markCount > 0 && marks[markCount - 1] == depth) {
            markCount--;
        } else {
            depth = require(1);
        }
    }

    /** Moves the topmost value below those that stand from {@code from} on. */
    void rotate(int from) {
        int top = depth - 1;
        byte kind = kinds[top];
        long value = values[top];
        int memo = memos[top];
        System.arraycopy(kinds, from, kinds, from + 1, top - from);
        System.arraycopy(values, from, values, from + 1, top - from);
        System.arraycopy(memos, from, memos, from + 1, top - from);
        kinds[from] = kind;
        values[from] = value;
        memos[from] = memo;
    }

    private void grow() throws ReadException {
        if (depth >= limits.openValues()) {
            throw new ReadException(
                    Code.LIMIT, -1, "more than " + limits.openValues() + " values outside of a container");
        }
        kinds = Arrays.copyOf(kinds, depth * 2);
        values = Arrays.copyOf(values, depth * 2);
        memos = Arrays.copyOf(memos, depth * 2);
    }

    private static ReadException damaged(String what) {
        return new ReadException(Code.DAMAGED, -1, what);
    }
}
