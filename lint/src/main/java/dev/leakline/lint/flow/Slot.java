package dev.leakline.lint.flow;

import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A variable or an attribute, whatever it holds when. */
public final class Slot {
    /** The function, class or file that it belongs to; null for an attribute of something unknown. */
    public final @Nullable Object owner;

    public final String name;
    public final boolean isAttribute;

    private final Map<NodeKey, Assignment> assigned = new LinkedHashMap<>();
    private final RoundValue value = new RoundValue();
    private @Nullable HeapContainer foreign;

    /** A statement that assigns to it, the function that it stands in, and what was assigned. */
    public record Assignment(Node node, FunctionModel function, Value value) {
        /** The expression whose value is assigned, or null. */
        public @Nullable Expr right() {
            return Nodes.value(node);
        }
    }

    Slot(@Nullable Object owner, String name, boolean isAttribute) {
        this.owner = owner;
        this.name = name;
        this.isAttribute = isAttribute;
    }

    public Value value() {
        return value.value();
    }

    void assign(Node statement, FunctionModel function, Value assignedValue) {
        value.join(assignedValue);
        assigned.put(new NodeKey(statement, name), new Assignment(statement, function, assignedValue));
        for (HeapContainer container : assignedValue.containers()) {
            container.heldBy(this);
        }
    }

    public Collection<Assignment> assignments() {
        return assigned.values();
    }

    /** The one assignment, or null where there are none or several. */
    public @Nullable Assignment onlyAssignment() {
        return assigned.size() == 1 ? assigned.values().iterator().next() : null;
    }

    /** The container that is here although nobody in this file put it here. */
    HeapContainer foreign(Node site, FunctionModel function) {
        HeapContainer known = foreign;
        if (known == null) {
            known = new HeapContainer(site, function, null, true, false);
            foreign = known;
        }
        known.heldBy(this);
        return known;
    }

    /** Returns whether the last round assigned what the one before it did. */
    boolean isSettled() {
        return value.isSettled() && (foreign == null || foreign.isSettled());
    }

    void nextRound() {
        value.nextRound();
        assigned.clear();
        if (foreign != null) {
            foreign.nextRound();
        }
    }
}
