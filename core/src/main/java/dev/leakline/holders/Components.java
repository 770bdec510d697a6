package dev.leakline.holders;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.columns.EdgeColumns;

/**
 * The strongly connected components of a graph: sets of vertices of which each reaches all others. A component with more than one vertex
 * holds a cycle.
 *
 * <p>Tarjan's algorithm, with its stack of calls kept in lists. Components are numbered in the order in which they are completed, so
 * every edge leads to a component of the same or a smaller number.
 */
final class Components {
    private static final int DONE = Integer.MAX_VALUE;

    private final EdgeColumns edges;
    /** By vertex: while it is open, when it was found; afterwards its component. */
    private final int[] numbers;

    private final int[] lowest;
    private final IntArrayList open = new IntArrayList();
    private final IntArrayList path = new IntArrayList();
    private final IntArrayList next = new IntArrayList();
    private int found;
    private int count;

    private Components(EdgeColumns edges) {
        this.edges = edges;
        this.numbers = new int[edges.vertices()];
        this.lowest = new int[edges.vertices()];
    }

    /** Finds the components of all vertices. */
    static Components of(EdgeColumns edges) {
        Components components = new Components(edges);
        for (int vertex = 0; vertex < edges.vertices(); vertex++) {
            if (components.lowest[vertex] == 0) {
                components.search(vertex);
            }
        }
        return components;
    }

    /** Components. */
    int count() {
        return count;
    }

    /** The component of a vertex. */
    int of(int vertex) {
        return numbers[vertex];
    }

    private void search(int start) {
        enter(start);
        while (!path.isEmpty()) {
            int top = path.size() - 1;
            int vertex = path.buffer[top];
            int edge = next.buffer[top]++;
            if (edge < edges.outStart(vertex + 1)) {
                look(vertex, edges.to(edge));
            } else {
                path.elementsCount = top;
                next.elementsCount = top;
                leave(vertex);
            }
        }
    }

    private void enter(int vertex) {
        numbers[vertex] = ++found;
        lowest[vertex] = found;
        open.add(vertex);
        path.add(vertex);
        next.add(edges.outStart(vertex));
    }

    private void look(int vertex, int target) {
        if (lowest[target] == 0) {
            enter(target);
        } else if (lowest[target] != DONE) {
            lowest[vertex] = Math.min(lowest[vertex], numbers[target]);
        }
    }

    private void leave(int vertex) {
        int low = lowest[vertex];
        if (low == numbers[vertex]) {
            close(vertex);
        }
        if (!path.isEmpty() && lowest[vertex] != DONE) {
            int caller = path.buffer[path.size() - 1];
            lowest[caller] = Math.min(lowest[caller], low);
        }
    }

    private void close(int first) {
        int vertex;
        do {
            vertex = open.removeLast();
            numbers[vertex] = count;
            lowest[vertex] = DONE;
        } while (vertex != first);
        count++;
    }
}
