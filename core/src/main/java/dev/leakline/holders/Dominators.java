package dev.leakline.holders;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.columns.EdgeColumns;

/**
 * Immediate dominators of every vertex that roots reach: the last vertex that all ways to it have in common, so that what a vertex
 * dominates is what goes away with it. Above the roots stands one vertex that is none, {@link #VIRTUAL}.
 *
 * <p>The algorithm is SEMI-NCA (Georgiadis, "Linear-time algorithms for dominators and related problems", 2005): a depth-first search
 * numbers the vertices; from the last number to the first, the semidominator of each is found by looking up, over paths that are
 * compressed as they are walked; then each dominator is the nearest common ancestor of its semidominator and its parent in the tree of
 * dominators, found by climbing. In theory that climbing can take time that is quadratic, in graphs that nobody has seen outside of papers;
 * in exchange it needs no buckets, and is faster than Lengauer and Tarjan's on all real ones. Nothing recurses: autograd chains are as
 * long as a job has steps. All arrays but the first two go by number, not by vertex, because that is the order in which they are read.
 */
final class Dominators {
    /** Stands for the vertex above all roots, and for vertices that no root reaches. */
    static final int VIRTUAL = -1;

    private final EdgeColumns edges;
    /** The number of each vertex from 1 on, 0 where it is not reached; number 0 is the virtual root's. */
    private final int[] numbers;
    /** The vertex of each number. */
    private final int[] order;
    /** By number: first the parent in the search, in the end the dominator. */
    private final int[] dominators;

    private int reached;

    private Dominators(EdgeColumns edges, IntArrayList roots) {
        this.edges = edges;
        this.numbers = new int[edges.vertices()];
        this.order = new int[edges.vertices() + 1];
        this.dominators = new int[edges.vertices() + 1];
        order[0] = VIRTUAL;
        search(roots);
        climb(new Semidominators(roots).find());
    }

    /** Finds the dominators below some roots; a root may be named more than once. */
    static Dominators of(EdgeColumns edges, IntArrayList roots) {
        return new Dominators(edges, roots);
    }

    /** The vertex that dominates another immediately, {@link #VIRTUAL} where none does. */
    int of(int vertex) {
        int number = numbers[vertex];
        return number == 0 ? VIRTUAL : order[dominators[number]];
    }

    /** Whether a root reaches a vertex. */
    boolean isReached(int vertex) {
        return numbers[vertex] > 0;
    }

    /** For each vertex the sum of what it and all that it dominates have of their own; {@code own} is overwritten with the sums. */
    void sum(long[] own) {
        for (int number = reached; number > 0; number--) {
            int above = dominators[number];
            if (above > 0) {
                own[order[above]] += own[order[number]];
            }
        }
    }

    private void search(IntArrayList roots) {
        IntArrayList path = new IntArrayList();
        IntArrayList next = new IntArrayList();
        for (int i = 0; i < roots.size(); i++) {
            visit(roots.get(i), 0, path, next);
            while (!path.isEmpty()) {
                int top = path.size() - 1;
                int vertex = path.buffer[top];
                int edge = next.buffer[top]++;
                if (edge == edges.outStart(vertex + 1)) {
                    path.elementsCount = top;
                    next.elementsCount = top;
                } else {
                    visit(edges.to(edge), numbers[vertex], path, next);
                }
            }
        }
    }

    private void visit(int vertex, int parent, IntArrayList path, IntArrayList next) {
        if (numbers[vertex] == 0) {
            numbers[vertex] = ++reached;
            order[reached] = vertex;
            dominators[reached] = parent;
            path.add(vertex);
            next.add(edges.outStart(vertex));
        }
    }

    private void climb(int[] semidominators) {
        for (int number = 1; number <= reached; number++) {
            int dominator = dominators[number];
            while (dominator > semidominators[number]) {
                dominator = dominators[dominator];
            }
            dominators[number] = dominator;
        }
    }

    /** The middle part: from the last number to the first. */
    private final class Semidominators {
        private final int[] semidominators = new int[reached + 1];
        /** The number with the smallest semidominator on the compressed path above, itself included. */
        private final int[] labels = new int[reached + 1];

        private final int[] ancestors = new int[reached + 1];
        private final IntArrayList path = new IntArrayList();

        Semidominators(IntArrayList roots) {
            for (int number = 0; number <= reached; number++) {
                semidominators[number] = number;
                labels[number] = number;
                ancestors[number] = dominators[number];
            }
            for (int i = 0; i < roots.size(); i++) {
                semidominators[numbers[roots.get(i)]] = 0;
            }
        }

        int[] find() {
            for (int number = reached; number > 0; number--) {
                int least = Math.min(semidominators[number], dominators[number]);
                int vertex = order[number];
                for (int entry = edges.inStart(vertex); entry < edges.inStart(vertex + 1); entry++) {
                    int before = numbers[edges.from(edges.inEdge(entry))];
                    if (before > number) {
                        least = Math.min(least, semidominators[smallest(before, number)]);
                    } else if (before > 0) {
                        least = Math.min(least, before);
                    }
                }
                semidominators[number] = least;
            }
            return semidominators;
        }

        /** The number with the smallest semidominator from {@code number} upwards, as far as that is done: beyond {@code current}. */
        private int smallest(int number, int current) {
            int top = number;
            while (ancestors[top] > current) {
                path.add(top);
                top = ancestors[top];
            }
            for (int i = path.size() - 1; i >= 0; i--) {
                compress(path.buffer[i], top);
                top = path.buffer[i];
            }
            path.elementsCount = 0;
            return labels[number];
        }

        private void compress(int number, int above) {
            if (semidominators[labels[above]] < semidominators[labels[number]]) {
                labels[number] = labels[above];
            }
            ancestors[number] = ancestors[above];
        }
    }
}
