package dev.leakline.objects;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.hash.SeededLongIntMap;
import java.util.BitSet;

/** The storages of a dump to which references lead from a module, a class or a call. */
public final class NamedStorages {
    private static final int NONE = -1;
    private static final double MOST = 0.5;

    private final ObjectGraph graph;
    private final BitSet reached = new BitSet();
    private final SeededLongIntMap byKey = new SeededLongIntMap();

    /** Finds those of a dump. */
    public NamedStorages(ObjectGraph graph) {
        this.graph = graph;
        for (int storage = 0; storage < graph.storages.size(); storage++) {
            byKey.putIfAbsent(graph.storages.key(storage), storage);
        }
        IntArrayList waiting = new IntArrayList();
        for (int vertex = 0; vertex < graph.nodes.size(); vertex++) {
            if (graph.isRoot(vertex)) {
                reach(vertex, waiting);
            }
        }
        while (!waiting.isEmpty()) {
            int vertex = waiting.removeLast();
            for (int edge = graph.edges.outStart(vertex); edge < graph.edges.outStart(vertex + 1); edge++) {
                reach(graph.edges.to(edge), waiting);
            }
        }
    }

    private void reach(int vertex, IntArrayList waiting) {
        if (!reached.get(vertex)) {
            reached.set(vertex);
            waiting.add(vertex);
        }
    }

    private boolean isNamed(int storage) {
        return reached.get(graph.vertex(storage));
    }

    /** Returns whether most of what is new in a later dump has no name, and most of what both have, and has no name in the later one, had one in this. */
    public boolean areLostIn(NamedStorages later) {
        long added = 0;
        long addedWithout = 0;
        long without = 0;
        long lost = 0;
        for (int storage = 0; storage < later.graph.storages.size(); storage++) {
            long bytes = later.graph.storages.bytes(storage);
            long unnamed = later.isNamed(storage) ? 0 : bytes;
            int own = byKey.getOrDefault(later.graph.storages.key(storage), NONE);
            added += own == NONE ? bytes : 0;
            addedWithout += own == NONE ? unnamed : 0;
            without += own == NONE ? 0 : unnamed;
            lost += own != NONE && isNamed(own) ? unnamed : 0;
        }
        return addedWithout > MOST * added && lost > MOST * without;
    }
}
