package dev.leakline.read.trace;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.columns.StackTable;
import dev.leakline.hash.SeededLongIntMap;
import dev.leakline.source.ReadException;
import dev.leakline.source.ReadException.Code;

/** The calls that were open when memory changed hands, as a tree: a node has a frame and a parent, the call that made it. */
final class CallNodes {
    /** The parent of the outermost calls. */
    static final int TOP = 0;

    private static final int UNKNOWN = -1;

    private final StackTable table;
    private final TraceLimits limits;
    /** Nodes by parent and frame; 0 for unknown pairs. */
    private final SeededLongIntMap ids = new SeededLongIntMap();

    private final IntArrayList parents = IntArrayList.from(TOP);
    private final IntArrayList frames = IntArrayList.from(TraceFrames.NONE);
    private final IntArrayList stacks = IntArrayList.from(StackTable.NONE);
    private int[] path = new int[64];
    private long stored;

    CallNodes(StackTable table, TraceLimits limits) {
        this.table = table;
        this.limits = limits;
    }

    /** The node of a call that another makes. */
    int child(int parent, int frame) {
        long key = (long) parent << Integer.SIZE | frame;
        int known = ids.get(key);
        if (known == 0) {
            known = parents.size();
            ids.put(key, known);
            parents.add(parent);
            frames.add(frame);
            stacks.add(UNKNOWN);
        }
        return known;
    }

    int parent(int node) {
        return parents.get(node);
    }

    int frame(int node) {
        return frames.get(node);
    }

    /** The number of the stack that a node is the innermost call of. */
    int stack(int node) throws ReadException {
        if (stacks.get(node) == UNKNOWN) {
            stacks.set(node, newStack(node));
        }
        return stacks.get(node);
    }

    private int newStack(int node) throws ReadException {
        int depth = 0;
        for (int up = node; up != TOP; up = parents.get(up)) {
            if (depth == path.length) {
                path = java.util.Arrays.copyOf(path, depth * 2);
            }
            path[depth++] = frames.get(up);
        }
        stored += depth;
        if (stored > limits.stackFrames()) {
            throw new ReadException(
                    Code.LIMIT, -1, "its distinct stacks have more than " + limits.stackFrames() + " frames in total");
        }
        return table.intern(path, depth);
    }
}
