package dev.leakline.holders.graph;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.objects.EdgeColumns;
import java.util.Arrays;

/** Dominators by going over the graph until nothing changes (Cooper, Harvey and Kennedy, 2001): another algorithm, to compare with. */
final class DataFlowDominators {
    private static final int NONE = -2;
    private static final int TOP = Integer.MAX_VALUE;

    private final EdgeColumns edges;
    /** Who refers to each vertex. */
    private final IntArrayList[] sources;

    private final boolean[] isRoot;
    /** Numbers in postorder: a dominator has a higher one than what it dominates. */
    private final int[] numbers;

    private final IntArrayList order = new IntArrayList();
    private final int[] dominators;

    DataFlowDominators(EdgeColumns edges, IntArrayList roots) {
        this.edges = edges;
        this.sources = sources(edges);
        this.isRoot = new boolean[edges.vertices()];
        this.numbers = new int[edges.vertices()];
        this.dominators = new int[edges.vertices()];
        Arrays.fill(numbers, -1);
        Arrays.fill(dominators, NONE);
        for (int i = 0; i < roots.size(); i++) {
            isRoot[roots.get(i)] = true;
        }
        for (int vertex = 0; vertex < isRoot.length; vertex++) {
            if (isRoot[vertex]) {
                number(vertex);
            }
        }
    }

    private static IntArrayList[] sources(EdgeColumns edges) {
        IntArrayList[] sources = new IntArrayList[edges.vertices()];
        Arrays.setAll(sources, _ -> new IntArrayList());
        for (int edge = 0; edge < edges.size(); edge++) {
            sources[edges.to(edge)].add(edges.from(edge));
        }
        return sources;
    }

    /** The dominator of each vertex, -1 where none has one. */
    int[] find() {
        boolean isChanging = true;
        while (isChanging) {
            isChanging = false;
            for (int i = order.size() - 1; i >= 0; i--) {
                int found = meet(order.get(i));
                isChanging |= dominators[order.get(i)] != found;
                dominators[order.get(i)] = found;
            }
        }
        return Arrays.stream(dominators)
                .map(dominator -> dominator == TOP || dominator == NONE ? Dominators.VIRTUAL : dominator)
                .toArray();
    }

    private int meet(int vertex) {
        if (isRoot[vertex]) {
            return TOP;
        }
        int found = NONE;
        for (int i = 0; i < sources[vertex].size(); i++) {
            int before = sources[vertex].get(i);
            if (numbers[before] >= 0 && dominators[before] != NONE) {
                found = found == NONE ? before : common(before, found);
            }
        }
        return found;
    }

    private int common(int one, int other) {
        int left = one;
        int right = other;
        while (left != right) {
            if (left == TOP || right == TOP) {
                return TOP;
            }
            if (numbers[left] < numbers[right]) {
                left = dominators[left];
            } else {
                right = dominators[right];
            }
        }
        return left;
    }

    private void number(int start) {
        IntArrayList path = new IntArrayList();
        IntArrayList next = new IntArrayList();
        open(start, path, next);
        while (!path.isEmpty()) {
            int top = path.size() - 1;
            int vertex = path.get(top);
            int edge = next.get(top);
            next.set(top, edge + 1);
            if (edge < edges.outStart(vertex + 1)) {
                open(edges.to(edge), path, next);
            } else {
                path.removeLast();
                next.removeLast();
                numbers[vertex] = order.size();
                order.add(vertex);
            }
        }
    }

    private void open(int vertex, IntArrayList path, IntArrayList next) {
        if (numbers[vertex] == -1) {
            numbers[vertex] = 0;
            path.add(vertex);
            next.add(edges.outStart(vertex));
        }
    }
}
