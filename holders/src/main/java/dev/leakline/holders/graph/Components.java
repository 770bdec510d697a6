package dev.leakline.holders.graph;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.objects.EdgeColumns;
import java.util.function.IntPredicate;

/**
 * The strongly connected components of a graph, or of a part of it: sets of vertices of which each reaches all others. A component with more
 * than one vertex holds a cycle.
 *
 * <p>Tarjan's algorithm as Pearce improved it ("A space-efficient algorithm for finding strongly connected components", 2016), with its
 * stack of calls kept in lists: one number a vertex is all that a look at a reference needs. Components are numbered in the order in
 * which they are completed, so every edge leads to a component of the same or a smaller number.
 */
public final class Components {
    /** Numbers of components count down from here, and so are above all others. */
    private static final int FIRST = Integer.MAX_VALUE - 1;
    /** Stands for a vertex of the part that is left out. */
    private static final int LEFT_OUT = Integer.MAX_VALUE;

    private final EdgeColumns edges;
    /** By vertex: 0 before it is found; while it is open, the lowest number of what it is known to reach; afterwards its component. */
    private final int[] numbers;
    /** The vertices by component. */
    private final IntArrayList members = new IntArrayList();

    private final IntArrayList starts = new IntArrayList();
    private final IntArrayList open = new IntArrayList();
    private final IntArrayList path = new IntArrayList();
    private final IntArrayList next = new IntArrayList();
    /** Numbers of the path's vertices when they were found. */
    private final IntArrayList found = new IntArrayList();

    private Components(EdgeColumns edges) {
        this.edges = edges;
        this.numbers = new int[edges.vertices()];
    }

    /** Finds the components of all vertices. */
    public static Components of(EdgeColumns edges) {
        return of(edges, _ -> true);
    }

    /** Finds the components of the part of a graph that has some of its vertices, and the references between those. */
    public static Components of(EdgeColumns edges, IntPredicate part) {
        Components components = new Components(edges);
        components.find(part);
        return components;
    }

    /** Components. */
    public int count() {
        return starts.size() - 1;
    }

    /** The component of a vertex; negative where it is left out. */
    public int of(int vertex) {
        return FIRST - numbers[vertex];
    }

    /** The vertices of all components, each component's together, in the order of their numbers. */
    public int member(int index) {
        return members.buffer[index];
    }

    /** Where the vertices of a component begin; they end where those of the next begin. */
    public int start(int component) {
        return starts.buffer[component];
    }

    /** The vertices of a component. */
    public IntArrayList members(int component) {
        IntArrayList of = new IntArrayList();
        of.add(members.buffer, start(component), start(component + 1) - start(component));
        return of;
    }

    private void find(IntPredicate part) {
        for (int vertex = 0; vertex < numbers.length; vertex++) {
            numbers[vertex] = part.test(vertex) ? 0 : LEFT_OUT;
        }
        starts.add(0);
        for (int vertex = 0; vertex < numbers.length; vertex++) {
            if (numbers[vertex] == 0) {
                search(vertex);
            }
        }
        open.release();
        path.release();
        next.release();
        found.release();
    }

    private void search(int start) {
        enter(start);
        while (!path.isEmpty()) {
            int top = path.size() - 1;
            int vertex = path.buffer[top];
            int edge = next.buffer[top];
            int end = edges.outStart(vertex + 1);
            int lowest = numbers[vertex];
            int known = 0;
            while (edge < end && (known = numbers[edges.to(edge)]) != 0) {
                lowest = Math.min(lowest, known);
                edge++;
            }
            numbers[vertex] = lowest;
            next.buffer[top] = edge;
            if (edge < end) {
                enter(edges.to(edge));
            } else {
                path.elementsCount = top;
                next.elementsCount = top;
                leave(vertex, found.removeLast());
            }
        }
    }

    /** Numbers a vertex by how many others are on the way to it or wait for their component. */
    private void enter(int vertex) {
        path.add(vertex);
        next.add(edges.outStart(vertex));
        numbers[vertex] = path.size() + open.size();
        found.add(numbers[vertex]);
    }

    private void leave(int vertex, int own) {
        if (numbers[vertex] < own) {
            open.add(vertex);
        } else {
            close(vertex, own);
        }
    }

    private void close(int first, int own) {
        int component = FIRST - count();
        while (!open.isEmpty() && numbers[open.buffer[open.size() - 1]] >= own) {
            int vertex = open.removeLast();
            numbers[vertex] = component;
            members.add(vertex);
        }
        numbers[first] = component;
        members.add(first);
        starts.add(members.size());
    }
}
