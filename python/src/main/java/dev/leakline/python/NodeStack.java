package dev.leakline.python;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The nodes that wait for the node around them, so that a list of children is made once, and of its size. */
final class NodeStack {
    private Node[] nodes = new Node[64];
    private int size;

    int size() {
        return size;
    }

    void truncate(int newSize) {
        size = newSize;
    }

    void push(Node node) {
        if (size == nodes.length) {
            nodes = Arrays.copyOf(nodes, 2 * size);
        }
        nodes[size++] = node;
    }

    /** Takes what was pushed since the stack had this size; the caller knows what kind of nodes that were. */
    @SuppressWarnings("unchecked")
    <T extends Node> List<T> pop(int from) {
        int count = size - from;
        size = from;
        return switch (count) {
            case 0 -> List.of();
            case 1 -> List.of((T) nodes[from]);
            case 2 -> List.of((T) nodes[from], (T) nodes[from + 1]);
            default -> (List<T>) List.of(Arrays.copyOfRange(nodes, from, from + count));
        };
    }

    /** Takes from the same the arguments by name, and leaves the others. */
    List<Node.Keyword> popKeywords(int from) {
        List<Node.Keyword> keywords = new ArrayList<>();
        int kept = from;
        for (int i = from; i < size; i++) {
            if (nodes[i] instanceof Node.Keyword keyword) {
                keywords.add(keyword);
            } else {
                nodes[kept++] = nodes[i];
            }
        }
        size = kept;
        return keywords.isEmpty() ? List.of() : List.copyOf(keywords);
    }
}
