package dev.leakline.holders.graph;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.objects.EdgeColumns;

/**
 * Immediate dominators of every vertex that roots reach: the last vertex that all paths to it have in common, so that a vertex dominates
 * everything that is freed with it. Above the roots stands one vertex that is none, {@link #VIRTUAL}.
 *
 * <p>The algorithm is SEMI-NCA (Georgiadis, "Linear-time algorithms for dominators and related problems", 2005): a depth-first search
 * numbers the vertices; from the last number to the first, the semidominator of each is found by looking up, over paths that are
 * compressed as they are walked ({@link Semidominators}); then each dominator is the nearest common ancestor of its semidominator and its
 * parent in the tree of dominators, found by climbing. In theory that climbing can take time that is quadratic, in graphs that nobody has
 * seen outside of papers; in exchange it needs no buckets, and is faster than Lengauer and Tarjan's on all real ones. Nothing recurses:
 * autograd chains are as long as a job has steps.
 *
 * <p>A graph of ten million vertices is larger than any cache, and time is that of waiting for memory. So arrays go by number, not by
 * vertex, because that is nearly the order in which they are read, and each is given up as soon as the next step does without it.
 */
public final class Dominators {
    /** Stands for the vertex above all roots, and for vertices that no root reaches. */
    public static final int VIRTUAL = -1;

    private final EdgeColumns edges;
    /** The number of each vertex from 1 on, 0 where it is not reached; number 0 is the virtual root's. In the end its dominator. */
    private final int[] numbers;

    private int reached;

    private Dominators(EdgeColumns edges, IntArrayList roots, long[] own) {
        this.edges = edges;
        this.numbers = new int[edges.vertices()];
        int[] order = new int[edges.vertices() + 1];
        int[] dominators = new int[edges.vertices() + 1];
        order[0] = VIRTUAL;
        climb(semidominators(roots, order, dominators), dominators);
        sum(own, order, dominators);
        name(order, dominators);
    }

    /**
     * Finds the dominators below some roots; a root may be named more than once.
     *
     * @param own what each vertex has of its own; overwritten with the sums of what it and all that it dominates have
     */
    public static Dominators of(EdgeColumns edges, IntArrayList roots, long[] own) {
        return new Dominators(edges, roots, own);
    }

    /** The vertex that dominates another immediately, {@link #VIRTUAL} where none does. */
    public int of(int vertex) {
        return numbers[vertex];
    }

    private int[] semidominators(IntArrayList roots, int[] order, int[] parents) {
        Semidominators semidominators = new Semidominators(parents);
        search(roots, order, parents, semidominators);
        for (int i = 0; i < roots.size(); i++) {
            semidominators.root(numbers[roots.get(i)]);
        }
        semidominators.endCount(reached);
        for (int number = 1; number <= reached; number++) {
            int end = edges.outStart(order[number] + 1);
            for (int edge = edges.outStart(order[number]); edge < end; edge++) {
                semidominators.add(number, numbers[edges.to(edge)]);
            }
        }
        return semidominators.find();
    }

    /** Numbers vertices as they are found, and keeps for each the number of that by which it was found. */
    private void search(IntArrayList roots, int[] order, int[] parents, Semidominators references) {
        int[] next = new int[order.length];
        for (int i = 0; i < roots.size(); i++) {
            int number = numbers[roots.get(i)] == 0 ? visit(roots.get(i), 0, order, parents, next) : 0;
            while (number > 0) {
                int edge = next[number];
                int end = edges.outStart(order[number] + 1);
                int known = 0;
                while (edge < end && (known = numbers[edges.to(edge)]) != 0) {
                    references.count(number, known);
                    edge++;
                }
                next[number] = edge + 1;
                number = edge == end ? parents[number] : visit(edges.to(edge), number, order, parents, next);
            }
        }
    }

    private int visit(int vertex, int parent, int[] order, int[] parents, int[] next) {
        int number = ++reached;
        numbers[vertex] = number;
        order[number] = vertex;
        parents[number] = parent;
        next[number] = edges.outStart(vertex);
        return number;
    }

    private void climb(int[] semidominators, int[] dominators) {
        for (int number = 1; number <= reached; number++) {
            int dominator = dominators[number];
            while (dominator > semidominators[number]) {
                dominator = dominators[dominator];
            }
            dominators[number] = dominator;
        }
    }

    private void sum(long[] own, int[] order, int[] dominators) {
        for (int number = reached; number > 0; number--) {
            int above = dominators[number];
            if (above > 0) {
                own[order[above]] += own[order[number]];
            }
        }
    }

    private void name(int[] order, int[] dominators) {
        java.util.Arrays.fill(numbers, VIRTUAL);
        for (int number = 1; number <= reached; number++) {
            numbers[order[number]] = order[dominators[number]];
        }
    }
}
