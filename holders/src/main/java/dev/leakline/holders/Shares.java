package dev.leakline.holders;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.holders.graph.Components;
import dev.leakline.objects.EdgeColumns;
import dev.leakline.objects.ObjectGraph;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * Computes what each of some groups reaches, and its share of memory that other groups reach too: an equal part for each group (LeakShare,
 * of the BLeak paper). One bit a group is passed down the components of the graph, from those that nothing refers to on; it does not pass
 * through roots, which are there anyway.
 */
final class Shares {
    /** Groups that are told apart: the bits of a long. */
    static final int MOST = Long.SIZE;

    private final ObjectGraph graph;
    private final long[] masks;
    private final Components components;

    /** Passes down what each group's anchors reach. */
    Shares(ObjectGraph graph, List<GatheredGroup> groups) {
        this.graph = graph;
        this.components = Components.of(graph.edges);
        this.masks = new long[components.count()];
        for (int group = 0; group < Math.min(groups.size(), MOST); group++) {
            IntArrayList anchors = groups.get(group).anchorOrder;
            for (int i = 0; i < anchors.size(); i++) {
                masks[components.of(anchors.get(i))] |= 1L << group;
            }
        }
        passDown();
    }

    private void passDown() {
        EdgeColumns edges = graph.edges;
        for (int i = graph.vertices() - 1; i >= 0; i--) {
            int vertex = components.member(i);
            long mask = masks[components.of(vertex)];
            if (mask == 0) {
                continue;
            }
            for (int edge = edges.outStart(vertex); edge < edges.outStart(vertex + 1); edge++) {
                int target = edges.to(edge);
                if (!graph.isRoot(target)) {
                    masks[components.of(target)] |= mask;
                }
            }
        }
    }

    /** Bytes that a group reaches. */
    long reachable(int group) {
        long bytes = 0;
        for (int storage = 0; storage < graph.storages.size(); storage++) {
            bytes += (mask(storage) >>> group & 1) == 0 ? 0 : graph.storages.bytes(storage);
        }
        return bytes;
    }

    /** A group's share of the bytes that other groups reach as well, but for the storages that go with it: what others reach through it is its own. */
    long shared(int group, IntPredicate goesWithIt) {
        double bytes = 0;
        for (int storage = 0; storage < graph.storages.size(); storage++) {
            int sharers = Long.bitCount(mask(storage));
            if (sharers > 1 && (mask(storage) >>> group & 1) != 0 && !goesWithIt.test(graph.vertex(storage))) {
                bytes += (double) graph.storages.bytes(storage) / sharers;
            }
        }
        return Math.round(bytes);
    }

    private long mask(int storage) {
        return masks[components.of(graph.vertex(storage))];
    }
}
