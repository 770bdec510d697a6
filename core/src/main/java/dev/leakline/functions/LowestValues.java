package dev.leakline.functions;

import java.util.function.IntToLongFunction;

/** The lowest of any stretch of a series: a tree of minima, each of the two below it. */
final class LowestValues {
    private final long[] tree;
    private final int size;

    LowestValues(int size, IntToLongFunction series) {
        this.size = size;
        this.tree = new long[2 * size];
        for (int i = 0; i < size; i++) {
            tree[size + i] = series.applyAsLong(i);
        }
        for (int i = size - 1; i > 0; i--) {
            tree[i] = Math.min(tree[2 * i], tree[2 * i + 1]);
        }
    }

    /** The lowest from one place to before another. */
    long between(int from, int to) {
        long lowest = Long.MAX_VALUE;
        int left = from + size;
        int right = to + size;
        while (left < right) {
            if (left % 2 == 1) {
                lowest = Math.min(lowest, tree[left++]);
            }
            if (right % 2 == 1) {
                lowest = Math.min(lowest, tree[--right]);
            }
            left /= 2;
            right /= 2;
        }
        return lowest;
    }
}
