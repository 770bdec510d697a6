package dev.leakline.python;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The parentheses that only group, which the tree leaves out: {@code (x)} but no tuple, call or generator. They are kept in the order in
 * which they open, so the innermost around a node is the last one that opens before it.
 */
public final class Parentheses {
    /** A pair of parentheses, from the first to behind the last. */
    public record Pair(int start, int end) {}

    private int[] opens = new int[16];
    private int[] ends = new int[16];
    private int[] innerStarts = new int[16];
    private int[] innerEnds = new int[16];
    private int size;

    Parentheses() {}

    int size() {
        return size;
    }

    void truncate(int newSize) {
        size = newSize;
    }

    /** Notes parentheses of which it is not known yet what they are for. */
    int open(int start) {
        if (size == opens.length) {
            opens = Arrays.copyOf(opens, 2 * size);
            ends = Arrays.copyOf(ends, 2 * size);
            innerStarts = Arrays.copyOf(innerStarts, 2 * size);
            innerEnds = Arrays.copyOf(innerEnds, 2 * size);
        }
        opens[size] = start;
        innerEnds[size] = -1;
        return size++;
    }

    /** Notes that they group a node. */
    void group(int which, Node node, int end) {
        innerStarts[which] = node.start();
        innerEnds[which] = node.end();
        ends[which] = end;
    }

    /** The innermost parentheses around a node, or null. */
    public @Nullable Pair around(Node node) {
        return around(node, node.start());
    }

    /** The next parentheses around a node and a pair around it. */
    public @Nullable Pair around(Node node, Pair inner) {
        return around(node, inner.start);
    }

    private @Nullable Pair around(Node node, int before) {
        int found = Arrays.binarySearch(opens, 0, size, before);
        int which = (found < 0 ? -found - 1 : found) - 1;
        return which >= 0 && innerStarts[which] == node.start() && innerEnds[which] == node.end()
                ? new Pair(opens[which], ends[which])
                : null;
    }
}
