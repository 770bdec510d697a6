package dev.leakline.python.flow;

import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import dev.leakline.python.Stmt;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An object of the program, one for each expression that makes some: all that it makes count as the same. What it has is joined, so an
 * attribute holds whatever any line gives it.
 */
public final class Heap {
    /** The kinds of objects. */
    public enum Kind {
        LIST,
        TUPLE,
        DICT,
        SET,
        DEQUE,
        QUEUE,
        INSTANCE,
        CLASS,
        FUNCTION,
        METHOD,
        MODULE,
        GENERATOR,
        /** A task or future: its items are what its function returns. */
        TASK,
        /** An object of a library that keeps what it is given: a variable of a context, a stack of exits. */
        HOLDER;

        /** Returns whether it is a collection of Python's own that a value is taken apart into. */
        public boolean isDisplay() {
            return this == LIST || this == TUPLE || this == DICT;
        }

        /** Returns whether its attributes are what it has, as those of the program's own objects. */
        public boolean isNamespace() {
            return this == INSTANCE || this == MODULE || this == CLASS;
        }

        /** Returns whether sums of it have the items of both. */
        public boolean isSummed() {
            return isDisplay() || this == SET;
        }

        /** Returns whether it keeps its items in an order by place. */
        public boolean isSequence() {
            return this == LIST || this == DEQUE;
        }
    }

    /** The name of the items of a collection among its fields. */
    static final String ITEMS = "[]";

    final Kind kind;
    final Node node;
    final SourceFile file;
    /** True if it drops its oldest items by itself. */
    final boolean isBounded;

    private final Map<String, FlowValue> fields = new HashMap<>();

    /** The scope of a function's or a class's body. */
    @Nullable
    FlowScope scope;

    Heap(Kind kind, Node node, SourceFile file, boolean isBounded) {
        this.kind = kind;
        this.node = node;
        this.file = file;
        this.isBounded = isBounded;
    }

    public Kind kind() {
        return kind;
    }

    /** The expression that makes it, or the definition that it is. */
    public Node node() {
        return node;
    }

    public SourceFile file() {
        return file;
    }

    /** The functions that a bound method stands for. */
    public Set<Heap> functions() {
        return field("function").heap();
    }

    /** Returns whether it is a function with a decorator of a name. */
    boolean isDecorated(String name) {
        return node instanceof Stmt.FunctionDef it && it.isDecorated(name);
    }

    /** Returns whether it is no object of a class, and may refer to one that the same line made before. */
    boolean isChained() {
        return !kind.isNamespace()
                && fields.values().stream().anyMatch(value -> value.heap().contains(this));
    }

    Map<String, FlowValue> fields() {
        return fields;
    }

    /** The values that an attribute may have, or the items of a collection. */
    public FlowValue field(String name) {
        return Objects.requireNonNullElse(fields.get(name), FlowValue.NOTHING);
    }

    /** The values of the item at a place; those of any item where places are not told apart. */
    FlowValue item(String place) {
        boolean isApart = !place.isEmpty()
                && node instanceof Expr.Tuple it
                && it.elts().stream().noneMatch(Expr.Starred.class::isInstance);
        FlowValue at = field(place);
        return at.equals(FlowValue.NOTHING) && !isApart ? field(ITEMS) : at;
    }

    /** Joins a value to a field; true where that is news. */
    boolean add(String name, FlowValue value) {
        FlowValue before = field(name);
        FlowValue after = before.join(value);
        if (after.equals(before)) {
            return false;
        }
        fields.put(name, after);
        return true;
    }
}
