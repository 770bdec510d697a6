package dev.leakline.holders;

import dev.leakline.objects.ObjectGraph;

/**
 * Tells containers that things pile up in from tables that only lead to such: a registry of three runs, each with a list that grows. Along the
 * best paths, a table has few items that lead to device memory, and below one of them is a container that has many more.
 */
final class Piles {
    /** How many times more: a batch of a step is a list as well, but of as many items from the first step on. */
    private static final int MORE = 4;

    private final ObjectGraph graph;
    private final Paths paths;
    private final Naming naming;
    /** By vertex, the paths that go on from it as items of a container. */
    private final int[] items;
    /** By vertex, the most items of it or of what is below it. */
    private final int[] most;

    private Piles(ObjectGraph graph, Paths paths, Naming naming) {
        this.graph = graph;
        this.paths = paths;
        this.naming = naming;
        this.items = new int[graph.vertices()];
        this.most = new int[graph.vertices()];
    }

    static Piles of(ObjectGraph graph, Paths paths, Naming naming) {
        Piles piles = new Piles(graph, paths, naming);
        piles.count();
        return piles;
    }

    private void count() {
        for (int vertex = 0; vertex < graph.vertices(); vertex++) {
            int step = paths.step(vertex);
            if (step >= 0 && naming.isItem(step)) {
                items[graph.edges.from(step)]++;
            }
        }
        for (int vertex = 0; vertex < graph.vertices(); vertex++) {
            int pile = items[vertex];
            for (int above = vertex; above >= 0 && most[above] < pile; above = above(above)) {
                most[above] = pile;
            }
        }
    }

    private int above(int vertex) {
        int step = paths.step(vertex);
        return step < 0 ? -1 : graph.edges.from(step);
    }

    /** Returns whether the container that a reference to an item comes from only leads to others, one of which has many more. */
    boolean isTable(int edge) {
        int container = graph.edges.from(edge);
        return most[container] >= MORE * items[container];
    }
}
