package dev.leakline.holders;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.IntHashSet;
import com.carrotsearch.hppc.IntIntHashMap;
import dev.leakline.objects.EdgeColumns;
import dev.leakline.objects.NodeKind;
import dev.leakline.objects.ObjectGraph;
import dev.leakline.objects.ReferenceKind;

/** How often the autograd graph of a tensor uses the parameter that it uses most: a graph of one step uses each once. */
final class GraphUse {
    private static final String LEAF = "AccumulateGrad";

    private GraphUse() {}

    static int of(ObjectGraph graph, int tensor) {
        EdgeColumns edges = graph.edges;
        IntHashSet seen = new IntHashSet();
        IntIntHashMap uses = new IntIntHashMap();
        IntArrayList waiting = new IntArrayList();
        waiting.add(tensor);
        int most = 0;
        while (!waiting.isEmpty()) {
            int vertex = waiting.removeLast();
            for (int edge = edges.outStart(vertex); edge < edges.outStart(vertex + 1); edge++) {
                int target = edges.to(edge);
                if (edges.kind(edge) != ReferenceKind.AUTOGRAD || graph.kind(target) != NodeKind.AUTOGRAD) {
                    continue;
                }
                if (graph.type(target).equals(LEAF)) {
                    most = Math.max(most, uses.addTo(target, 1));
                } else if (seen.add(target)) {
                    waiting.add(target);
                }
            }
        }
        return most;
    }
}
