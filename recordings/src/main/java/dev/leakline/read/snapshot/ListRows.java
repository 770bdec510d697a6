package dev.leakline.read.snapshot;

import static dev.leakline.read.snapshot.ValueStack.EVENTS;
import static dev.leakline.read.snapshot.ValueStack.FRAME;
import static dev.leakline.read.snapshot.ValueStack.INT;
import static dev.leakline.read.snapshot.ValueStack.LIST;
import static dev.leakline.read.snapshot.ValueStack.LIST_OF;
import static dev.leakline.read.snapshot.ValueStack.OTHER;
import static dev.leakline.read.snapshot.ValueStack.PAIR;
import static dev.leakline.read.snapshot.ValueStack.STACK;
import static dev.leakline.read.snapshot.ValueStack.TRACES;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.source.ReadException;
import dev.leakline.source.ReadException.Code;
import dev.leakline.source.ReadLimits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Turns lists into rows: frames make a stack, rows a range of rows, ranges of events the traces of the devices. */
final class ListRows {
    private final ValueStack stack;
    private final SnapshotColumns columns;
    private final RowRanges ranges;
    private final ReadLimits limits;
    private final List<IntArrayList> traces = new ArrayList<>();
    private int[] frames = new int[512];

    ListRows(ValueStack stack, SnapshotColumns columns, RowRanges ranges, ReadLimits limits) {
        this.stack = stack;
        this.columns = columns;
        this.ranges = ranges;
        this.limits = limits;
    }

    /** Ranges of traces by list of traces, -1 for an empty one. */
    List<IntArrayList> traces() {
        return traces;
    }

    /** Puts the values from {@code from} on, all of them complete, into the list at {@code list}. */
    void extend(int list, int from) throws ReadException {
        byte item = stack.kinds[from];
        if (item == FRAME) {
            addFrames(list, from);
        } else if (ValueStack.isRows(item)) {
            addRuns(list, from);
        } else if (isTrace(item) && isTraces(stack.kinds[list])) {
            addTraces(list, from);
        } else {
            addOthers(list, from);
        }
    }

    private void addFrames(int list, int from) throws ReadException {
        int depth = 0;
        if (stack.kinds[list] == STACK) {
            int known = (int) stack.values[list];
            ensureFrames(columns.stacks.depth(known));
            depth = columns.stacks.copy(known, frames);
        } else if (stack.kinds[list] != LIST) {
            throw mixed();
        }
        ensureFrames(depth + stack.depth - from);
        for (int i = from; i < stack.depth; i++) {
            if (stack.kinds[i] == FRAME) {
                frames[depth++] = (int) stack.values[i];
            } else {
                columns.counters.count("an invalid frame");
            }
        }
        stack.kinds[list] = STACK;
        stack.values[list] = columns.stacks.intern(frames, depth);
    }

    private void ensureFrames(int depth) throws ReadException {
        if (depth > limits.stackDepth()) {
            throw new ReadException(Code.LIMIT, -1, "a stack of more than " + limits.stackDepth() + " frames");
        }
        if (depth > frames.length) {
            frames = Arrays.copyOf(frames, Math.max(depth, frames.length * 2));
        }
    }

    private void addRuns(int list, int from) throws ReadException {
        byte kind = stack.kinds[from];
        for (int i = from; i < stack.depth; i++) {
            if (stack.kinds[i] != kind) {
                throw mixed();
            }
            addRun(list, kind, stack.values[i]);
        }
    }

    private void addRun(int list, byte kind, long run) throws ReadException {
        if (stack.kinds[list] == LIST) {
            stack.kinds[list] = (byte) (kind + LIST_OF);
            stack.values[list] = ranges.add(run);
        } else if (stack.kinds[list] == kind + LIST_OF) {
            ranges.extend((int) stack.values[list], run);
        } else {
            throw mixed();
        }
    }

    /** Returns whether a value is a list that may grow. */
    static boolean isList(byte kind) {
        return kind == LIST || kind == STACK || kind == TRACES || kind >= EVENTS + LIST_OF;
    }

    /** Returns whether a value may be the trace of a device. */
    static boolean isTrace(byte kind) {
        return kind == EVENTS + LIST_OF || kind == LIST;
    }

    /** Returns whether a value may be the list of all devices' traces. */
    static boolean isTraces(byte kind) {
        return kind == TRACES || kind == LIST;
    }

    private void addTraces(int list, int from) throws ReadException {
        if (stack.kinds[list] == LIST) {
            stack.kinds[list] = TRACES;
            stack.values[list] = traces.size();
            traces.add(new IntArrayList());
        }
        IntArrayList ofDevices = traces.get((int) stack.values[list]);
        for (int i = from; i < stack.depth; i++) {
            if (!isTrace(stack.kinds[i])) {
                throw mixed();
            }
            ofDevices.add(stack.kinds[i] == LIST ? -1 : (int) stack.values[i]);
        }
    }

    /** Two integers in a list are what JSON makes of a tuple; anything else is nothing that a snapshot holds. */
    private void addOthers(int list, int from) throws ReadException {
        if (stack.kinds[list] != LIST && stack.kinds[list] != OTHER) {
            throw mixed();
        }
        boolean isPair = stack.kinds[list] == LIST
                && stack.depth - from == 2
                && stack.kinds[from] == INT
                && stack.kinds[from + 1] == INT;
        if (isPair) {
            stack.kinds[list] = PAIR;
            stack.values[list] = columns.pools.intern(stack.values[from], stack.values[from + 1]);
        } else {
            stack.kinds[list] = OTHER;
        }
    }

    private static ReadException mixed() {
        return new ReadException(Code.DAMAGED, -1, "a list mixes elements of different kinds");
    }
}
