package dev.leakline.holders;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.holders.graph.Components;
import dev.leakline.holders.graph.Dominators;
import dev.leakline.holders.graph.LoopFinder;
import dev.leakline.holders.graph.LoopFinder.Loop;
import dev.leakline.objects.EdgeColumns;
import dev.leakline.objects.NodeKind;
import dev.leakline.objects.ObjectGraph;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Computes for every vertex of a dump the best path to it and the device memory that it retains.
 *
 * <p>Everything that a name reaches is held by it. Of the rest, objects with more references than the dump shows are held by native code,
 * with all that they reach. Of what is left then, the components that no other refers to hold the others: one that is a cycle is
 * garbage, which waits for the collector, because all its references are known; a lone one is held by something that cannot be seen.
 *
 * <p>Dominators are taken below all of those at once, and also below objects that a name reaches and native code holds as well: they do
 * not go when the name does.
 */
final class Holding {
    final ObjectGraph graph;
    final Paths paths;
    final Counts counts;
    final List<Loop> loops = new ArrayList<>();

    private final IntArrayList roots = new IntArrayList();
    private final Dominators dominators;
    private final long[] retained;

    private Holding(ObjectGraph graph) {
        this.graph = graph;
        this.counts = new Counts(graph);
        this.paths = new Paths(graph);
        paths.fromNames();
        paths.throughGraph();
        fromNative();
        fromRest();
        for (int vertex = 0; vertex < graph.vertices(); vertex++) {
            if (graph.isRoot(vertex) || graph.kind(vertex) == NodeKind.THREAD_LOCAL || counts.unexplained(vertex) > 0) {
                roots.add(vertex);
            }
        }
        this.retained = new long[graph.vertices()];
        for (int storage = 0; storage < graph.storages.size(); storage++) {
            retained[graph.vertex(storage)] = graph.storages.bytes(storage);
        }
        this.dominators = Dominators.of(graph.edges, roots, retained);
    }

    /** Works out what holds what. */
    static Holding of(ObjectGraph graph) {
        return new Holding(graph);
    }

    /** Bytes of device memory that only a vertex keeps. */
    long retained(int vertex) {
        return retained[vertex];
    }

    /** The vertex that dominates another immediately, {@link Dominators#VIRTUAL} where none does. */
    int dominator(int vertex) {
        return dominators.of(vertex);
    }

    private void fromNative() {
        IntArrayList starts = new IntArrayList();
        for (int vertex = 0; vertex < graph.vertices(); vertex++) {
            if (!paths.isReached(vertex) && counts.surplus(vertex) > 0) {
                starts.add(vertex);
            }
        }
        hold(starts, HeldFrom.NATIVE);
    }

    private void hold(IntArrayList starts, HeldFrom from) {
        roots.addAll(starts);
        paths.from(starts, from);
    }

    /** The components that nothing else refers to, among what is not reached so far, hold the others. */
    private void fromRest() {
        Components components = Components.of(graph.edges, vertex -> !paths.isReached(vertex));
        BitSet referred = referred(components);
        IntArrayList cycles = new IntArrayList();
        IntArrayList unseen = new IntArrayList();
        for (int component = referred.nextClearBit(0);
                component < components.count();
                component = referred.nextClearBit(component + 1)) {
            int first = components.member(components.start(component));
            boolean isCycle = components.start(component + 1) - components.start(component) > 1;
            if (isCycle || refersToItself(first)) {
                Loop loop = LoopFinder.find(graph, components.members(component));
                loops.add(loop);
                cycles.add(loop.head());
            } else if (!isBase(first)) {
                unseen.add(first);
            }
        }
        hold(cycles, HeldFrom.NOBODY);
        hold(unseen, HeldFrom.UNSEEN);
    }

    private BitSet referred(Components components) {
        BitSet referred = new BitSet();
        EdgeColumns edges = graph.edges;
        for (int i = 0; i < components.start(components.count()); i++) {
            int vertex = components.member(i);
            for (int edge = edges.outStart(vertex); edge < edges.outStart(vertex + 1); edge++) {
                int target = components.of(edges.to(edge));
                if (target >= 0 && target != components.of(vertex)) {
                    referred.set(target);
                }
            }
        }
        return referred;
    }

    /**
     * Returns whether a vertex is a tensor to which nothing refers in Python, on memory that is held by something else: it is what a view is a view
     * of, which the view keeps in C++, so that it holds nothing on its own.
     */
    private boolean isBase(int vertex) {
        boolean isBase = graph.kind(vertex) == NodeKind.TENSOR;
        EdgeColumns edges = graph.edges;
        for (int edge = edges.outStart(vertex); isBase && edge < edges.outStart(vertex + 1); edge++) {
            isBase = paths.isReached(edges.to(edge));
        }
        return isBase;
    }

    private boolean refersToItself(int vertex) {
        EdgeColumns edges = graph.edges;
        for (int edge = edges.outStart(vertex); edge < edges.outStart(vertex + 1); edge++) {
            if (edges.to(edge) == vertex) {
                return true;
            }
        }
        return false;
    }
}
