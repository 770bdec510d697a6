package dev.leakline.holders;

import dev.leakline.objects.NodeColumns;
import dev.leakline.objects.NodeKind;
import dev.leakline.objects.ObjectGraph;

/**
 * Compares reference counts with the known references. What Python counts beyond the known is held by something that is no object of
 * Python's: native code, or the interpreter itself.
 */
final class Counts {
    /** Counts from here on mean that Python never counts: immortal objects have at least this (PEP 683, on 32 bits). */
    private static final int IMMORTAL = 1 << 29;

    private final ObjectGraph graph;

    Counts(ObjectGraph graph) {
        this.graph = graph;
    }

    /** References to a vertex that no object of the dump has; 0 where that is not known. Roots are held by the interpreter. */
    int surplus(int vertex) {
        if (graph.isRoot(vertex)) {
            return 0;
        }
        int counted = counted(vertex);
        boolean isKnown = counted != NodeColumns.UNKNOWN && counted < IMMORTAL;
        return isKnown ? Math.max(counted - known(vertex), 0) : 0;
    }

    /**
     * The surplus that nobody explained. A storage's own is none: a view keeps the tensor that it is a view of, in C++ alone, and with it one
     * more reference, which goes when the view does.
     */
    int unexplained(int vertex) {
        boolean isObject = graph.storage(vertex) < 0;
        return isObject && !graph.nodes.isExplained(vertex) ? surplus(vertex) : 0;
    }

    /** References of C++ keep a tensor alive as much as those of Python do, but they share one of Python's counts. */
    private int known(int vertex) {
        return graph.edges.references(vertex);
    }

    private int counted(int vertex) {
        if (graph.kind(vertex) == NodeKind.STORAGE) {
            return graph.storages.references(graph.storage(vertex));
        }
        return graph.nodes.references(vertex);
    }
}
