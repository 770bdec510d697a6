package dev.leakline.objects;

import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;

/**
 * Finds the calls that the exception ended by which a script ended. Python keeps that exception in {@code sys.last_traceback} while it shuts down, so
 * that a dump of the exit shows these calls as finished; all the time before they ran. In an interactive Python the job goes on behind such an exception:
 * the traceback does not begin at the code of a file there.
 */
final class EndedCalls {
    private static final String LAST = "last_";
    private static final String SCRIPT = "traceback of <module> (";
    private static final String FILE = ".py:";

    private final ObjectGraph graph;
    /** The tracebacks that were met: of a dump that was made up, they may refer to each other in a circle. */
    private final BitSet met = new BitSet();

    EndedCalls(ObjectGraph graph) {
        this.graph = graph;
    }

    /** Makes them the running calls that they were. */
    void reopen() {
        for (int node = 0; graph.header.reason().equals("exit") && node < graph.nodes.size(); node++) {
            if (graph.kind(node) == NodeKind.MODULE && graph.text(node).endsWith("sys")) {
                reopen(node);
            }
        }
    }

    private void reopen(int sys) {
        Deque<Integer> tracebacks = new ArrayDeque<>();
        for (int edge = graph.edges.outStart(sys); edge < graph.edges.outStart(sys + 1); edge++) {
            int target = graph.edges.to(edge);
            if (graph.label(edge).startsWith(LAST) && isOfScript(target)) {
                meet(target, tracebacks);
            }
        }
        while (!tracebacks.isEmpty()) {
            reopen(tracebacks.remove(), tracebacks);
        }
    }

    private void meet(int traceback, Deque<Integer> following) {
        if (!met.get(traceback)) {
            met.set(traceback);
            following.add(traceback);
        }
    }

    private boolean isOfScript(int node) {
        String text = node < graph.nodes.size() ? graph.text(node) : "";
        return text.startsWith(SCRIPT) && text.contains(FILE);
    }

    private void reopen(int traceback, Deque<Integer> following) {
        for (int edge = graph.edges.outStart(traceback); edge < graph.edges.outStart(traceback + 1); edge++) {
            if (graph.label(edge).equals("tb_next")) {
                meet(graph.edges.to(edge), following);
            } else if (graph.kind(graph.edges.to(edge)) == NodeKind.FINISHED_FRAME) {
                graph.nodes.reopen(graph.edges.to(edge));
            }
        }
    }
}
