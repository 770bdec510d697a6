package dev.leakline.read.trace;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.columns.StackTable;
import dev.leakline.hash.PairNumbering;
import dev.leakline.source.ReadException;
import dev.leakline.source.ReadException.Code;

/** The calls that were open when memory changed hands, as a tree: a node has a frame and a parent, the call that made it. */
final class CallNodes {
    /** The parent of the outermost calls. */
    static final int TOP = 0;

    private static final int UNKNOWN = -1;

    private final StackTable table;
    private final TraceLimits limits;
    /** The numbers of pairs of a parent and a frame: the nodes. */
    private final PairNumbering nodes = new PairNumbering();

    private final IntArrayList stacks = IntArrayList.from(StackTable.NONE);
    private int[] path = new int[64];
    private long stored;

    CallNodes(StackTable table, TraceLimits limits) {
        this.table = table;
        this.limits = limits;
        nodes.of(TOP, TraceFrames.NONE);
    }

    /** The node of a call that another makes. */
    int child(int parent, int frame) {
        int node = nodes.of(parent, frame);
        if (node == stacks.size()) {
            stacks.add(UNKNOWN);
        }
        return node;
    }

    int parent(int node) {
        return nodes.first(node);
    }

    int frame(int node) {
        return nodes.second(node);
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
        for (int up = node; up != TOP; up = parent(up)) {
            if (depth == path.length) {
                path = java.util.Arrays.copyOf(path, depth * 2);
            }
            path[depth++] = frame(up);
        }
        stored += depth;
        if (stored > limits.stackFrames()) {
            throw new ReadException(
                    Code.LIMIT, -1, "its distinct stacks have more than " + limits.stackFrames() + " frames in total");
        }
        return table.intern(path, depth);
    }
}
