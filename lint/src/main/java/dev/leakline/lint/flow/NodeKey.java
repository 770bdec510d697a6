package dev.leakline.lint.flow;

import dev.leakline.python.Node;

/** A node, and what is meant of it, as a key: nodes have the equality of records, and here it is the very node that counts. */
record NodeKey(Node node, Object part) {
    @Override
    public boolean equals(Object other) {
        return other instanceof NodeKey it
                && node == it.node
                && (part == it.part || (part instanceof String name && name.equals(it.part)));
    }

    @Override
    public int hashCode() {
        return 31 * System.identityHashCode(node)
                + (part instanceof String name ? name.hashCode() : System.identityHashCode(part));
    }
}
