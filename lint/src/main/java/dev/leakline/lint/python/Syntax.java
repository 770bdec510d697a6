package dev.leakline.lint.python;

import dev.leakline.python.PythonText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A node of the tree that the rules go over: made of the parser's, with a type and fields by name, the parentheses around expressions, and a
 * way up. Tokens without a field are left out, and comments.
 * Types and fields are compared by identity, since nothing is asked more often: names of them that are not constants have to be interned.
 */
@SuppressWarnings({"ReferenceEquality", "StringEquality"})
public final class Syntax {
    private final PythonText source;
    private final String type;
    private final int start;
    private final int end;
    private @Nullable String field;
    private @Nullable Syntax parent;
    /** The children; of the two, the array is much the faster to go over, and that is most of what is done with a tree. */
    private static final Syntax[] NONE = {};

    private Syntax[] parts = NONE;

    private List<Syntax> children = List.of();
    private int number;
    private @Nullable String text;

    Syntax(PythonText source, String type, int start, int end) {
        this.source = source;
        this.type = type;
        this.start = start;
        this.end = end;
    }

    /** This node in a field of its parent. */
    Syntax in(@Nullable String name) {
        field = name;
        return this;
    }

    @Nullable
    String field() {
        return field;
    }

    void setChildren(List<Syntax> nodes) {
        parts = nodes.isEmpty() ? parts : nodes.toArray(parts);
        children = Arrays.asList(parts);
        for (Syntax child : parts) {
            child.parent = this;
        }
    }

    /** Numbers the nodes in the order of the source, and answers how many there are. */
    int number(int first) {
        number = first;
        int next = first + 1;
        for (Syntax child : parts) {
            next = child.number(next);
        }
        return next;
    }

    /** Which node of the tree it is, counted from 0. */
    public int number() {
        return number;
    }

    @Override
    public int hashCode() {
        return number;
    }

    public String type() {
        return type;
    }

    public boolean is(String name) {
        return type == name;
    }

    public int start() {
        return start;
    }

    public int end() {
        return end;
    }

    public int line() {
        return source.line(start);
    }

    public PythonText source() {
        return source;
    }

    public @Nullable Syntax parent() {
        return parent;
    }

    public List<Syntax> children() {
        return children;
    }

    public @Nullable Syntax child(String name) {
        for (Syntax child : parts) {
            if (name == child.field) {
                return child;
            }
        }
        return null;
    }

    public List<Syntax> all(String name) {
        List<Syntax> found = new ArrayList<>(parts.length);
        for (Syntax child : parts) {
            if (name == child.field) {
                found.add(child);
            }
        }
        return found;
    }

    public @Nullable Syntax first(String name) {
        for (Syntax child : parts) {
            if (child.type == name) {
                return child;
            }
        }
        return null;
    }

    public String text() {
        String known = text;
        if (known == null) {
            known = source.text().substring(start, end);
            text = known;
        }
        return known;
    }

    public String text(String name) {
        Syntax child = child(name);
        return child == null ? "" : child.text();
    }

    /** This node and all below it, in the order of the source. */
    public void walk(Consumer<Syntax> visitor) {
        visitor.accept(this);
        for (Syntax child : parts) {
            child.walk(visitor);
        }
    }

    public boolean contains(Syntax other) {
        return start <= other.start && other.end <= end;
    }

    /** The innermost node around this one that is of one of the types. */
    public @Nullable Syntax enclosing(String... types) {
        for (Syntax node = parent; node != null; node = node.parent) {
            for (String name : types) {
                if (node.type == name) {
                    return node;
                }
            }
        }
        return null;
    }

    /** The statement that this node is a part of, or this node. */
    public Syntax statement() {
        Syntax node = this;
        while (node.parent != null && !node.parent.is("block") && !node.parent.is("module")) {
            node = node.parent;
        }
        return node;
    }

    @Override
    public String toString() {
        return type + " '" + text() + "'";
    }
}
