package dev.leakline.holders;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.objects.EdgeColumns;
import dev.leakline.objects.NodeKind;
import dev.leakline.objects.ObjectGraph;
import dev.leakline.objects.ReferenceKind;
import java.util.Arrays;

/**
 * Finds the best path to every vertex, in the order of {@link HeldFrom}: a path without the autograd graph is preferred to one through it,
 * and so on.
 *
 * <p>Each round is Dijkstra's algorithm with buckets (Dial's): steps are small whole numbers, so the vertices that wait stand in a ring
 * of lists by their distance, and time is that of looking at each edge once. Of paths of the same length, the one whose last step
 * comes first by name is taken, so that the path does not depend on the order of a dump.
 */
final class Paths {
    private static final HeldFrom[] ROUNDS = HeldFrom.values();
    private static final int NONE = -1;
    /** The round of a vertex whose way is not yet known for good. */
    private static final byte OPEN = -1;

    private static final int FAR = Integer.MAX_VALUE;
    /** Longer than the longest root and step, a power of two: so no two distances in a ring are mistaken. */
    private static final int RING = 128;
    /** Limit of a path's length: longer ones count as this long, since all are too long to be told apart. */
    private static final int FARTHEST_START = 64;

    private final ObjectGraph graph;
    private final EdgeColumns edges;
    private final Weights weights;
    private final int[] distances;
    private final int[] steps;
    private final byte[] rounds;
    private final IntArrayList[] ring = new IntArrayList[RING];
    private int waiting;
    private HeldFrom round = HeldFrom.NAME;

    Paths(ObjectGraph graph) {
        this.graph = graph;
        this.edges = graph.edges;
        this.weights = new Weights(graph);
        this.distances = new int[graph.vertices()];
        this.steps = new int[graph.vertices()];
        this.rounds = new byte[graph.vertices()];
        Arrays.fill(distances, FAR);
        Arrays.fill(rounds, OPEN);
        Arrays.fill(steps, NONE);
        Arrays.setAll(ring, _ -> new IntArrayList());
    }

    /** Returns whether a path to a vertex is known. */
    boolean isReached(int vertex) {
        return distances[vertex] != FAR;
    }

    /** In which round it was found. */
    HeldFrom from(int vertex) {
        return ROUNDS[rounds[vertex]];
    }

    /** The length of the path to a vertex, within its round. */
    int distance(int vertex) {
        return distances[vertex];
    }

    /** The last step of the path to a vertex, an edge; negative where the path begins with it. */
    int step(int vertex) {
        return steps[vertex];
    }

    /** The steps to a vertex, from the beginning of the path on. */
    IntArrayList to(int vertex) {
        IntArrayList way = new IntArrayList();
        for (int edge = steps[vertex]; edge != NONE; edge = steps[edges.from(edge)]) {
            way.add(edge);
        }
        for (int low = 0, high = way.size() - 1; low < high; low++, high--) {
            int edge = way.get(low);
            way.set(low, way.get(high));
            way.set(high, edge);
        }
        return way;
    }

    /** The first round: from everything that has a name. */
    void fromNames() {
        for (int vertex = 0; vertex < graph.nodes.size(); vertex++) {
            if (graph.isRoot(vertex) || graph.kind(vertex) == NodeKind.THREAD_LOCAL) {
                begin(vertex, weights.root(vertex));
            }
        }
        spread();
    }

    /** The second: from all that was reached, through the autograd graph and optimizers. */
    void throughGraph() {
        IntArrayList ways = new IntArrayList();
        for (int edge = 0; edge < edges.size(); edge++) {
            if (isLate(edge) && isReached(edges.from(edge)) && !isReached(edges.to(edge))) {
                ways.add(edge);
            }
        }
        round = HeldFrom.GRAPH;
        for (int i = 0; i < ways.size(); i++) {
            int edge = ways.get(i);
            relax(edge, Math.min(distances[edges.from(edge)], FARTHEST_START));
        }
        spread();
    }

    /** A later round: from vertices that stand for what holds them. */
    void from(IntArrayList starts, HeldFrom later) {
        round = later;
        for (int i = 0; i < starts.size(); i++) {
            if (!isReached(starts.get(i))) {
                begin(starts.get(i), 0);
            }
        }
        spread();
    }

    private void begin(int vertex, int distance) {
        distances[vertex] = distance;
        wait(vertex, distance);
    }

    private void wait(int vertex, int distance) {
        ring[distance & RING - 1].add(vertex);
        waiting++;
    }

    private void spread() {
        for (int distance = 0; waiting > 0; distance++) {
            IntArrayList now = ring[distance & RING - 1];
            for (int i = 0; i < now.size(); i++) {
                int vertex = now.buffer[i];
                if (distances[vertex] == distance) {
                    rounds[vertex] = (byte) round.number();
                    relaxAll(vertex, distance);
                }
            }
            waiting -= now.size();
            now.release();
        }
    }

    private void relaxAll(int vertex, int distance) {
        boolean isGraphOpen = round != HeldFrom.NAME;
        for (int edge = edges.outStart(vertex); edge < edges.outStart(vertex + 1); edge++) {
            if (isGraphOpen || !isLate(edge)) {
                relax(edge, distance);
            }
        }
    }

    /** References that are followed only where no other leads: a parameter belongs to its module, however deep in it. */
    private boolean isLate(int edge) {
        return edges.kind(edge) == ReferenceKind.AUTOGRAD || graph.kind(edges.from(edge)) == NodeKind.OPTIMIZER;
    }

    private void relax(int edge, int distance) {
        int target = edges.to(edge);
        int known = distances[target];
        int length = distance + weights.edge(edge);
        boolean isKnownBefore = rounds[target] != OPEN && rounds[target] < round.number();
        if (length > known || isKnownBefore) {
            return;
        }
        if (length < known) {
            distances[target] = length;
            steps[target] = edge;
            wait(target, length);
        } else if (steps[target] != NONE && isBefore(edge, steps[target])) {
            steps[target] = edge;
        }
    }

    /** Returns whether a step is preferred to another of the same length: shorter names first, so that item 2 comes before item 10. */
    private boolean isBefore(int edge, int other) {
        int from = edges.from(edge);
        int otherFrom = edges.from(other);
        int difference = graph.texts.compare(edges.label(edge), edges.label(other));
        difference =
                difference != 0 ? difference : graph.texts.compare(graph.nodes.type(from), graph.nodes.type(otherFrom));
        return (difference != 0 ? difference : graph.texts.compare(graph.nodes.text(from), graph.nodes.text(otherFrom)))
                < 0;
    }
}
