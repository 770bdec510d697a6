package dev.leakline.lint.flow;

import dev.leakline.lint.python.Syntax;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A variable or an attribute, whatever it holds when. */
public final class Slot {
    /** The function, class or file that it belongs to; null for an attribute of something unknown. */
    public final @Nullable Object owner;

    public final String name;
    public final boolean isAttribute;

    /** Every assignment, with what was assigned. */
    public final Map<Syntax, Value> assigned = new LinkedHashMap<>();

    private final Map<Syntax, FunctionModel> where = new LinkedHashMap<>();
    private Value value = Value.NOTHING;
    private Value next = Value.NOTHING;
    private @Nullable Value joined;
    private @Nullable HeapContainer foreign;

    Slot(@Nullable Object owner, String name, boolean isAttribute) {
        this.owner = owner;
        this.name = name;
        this.isAttribute = isAttribute;
    }

    public Value value() {
        Value known = joined;
        if (known == null) {
            known = value.join(next);
            joined = known;
        }
        return known;
    }

    void assign(Syntax statement, FunctionModel function, Value assignedValue) {
        next = next.join(assignedValue);
        joined = null;
        assigned.put(statement, assignedValue);
        where.put(statement, function);
        for (HeapContainer container : assignedValue.containers()) {
            container.heldBy(this);
        }
    }

    public @Nullable FunctionModel functionOf(Syntax statement) {
        return where.get(statement);
    }

    /** The container that is here although nobody in this file put it here. */
    HeapContainer foreign(Syntax site, FunctionModel function) {
        HeapContainer known = foreign;
        if (known == null) {
            known = new HeapContainer(site, function, null, true, false);
            foreign = known;
        }
        known.heldBy(this);
        return known;
    }

    public @Nullable HeapContainer foreign() {
        return foreign;
    }

    /** Returns whether the last round assigned what the one before it did. */
    boolean isSettled() {
        return value.equals(next) && (foreign == null || foreign.isSettled());
    }

    void nextRound() {
        value = next;
        next = Value.NOTHING;
        joined = null;
        assigned.clear();
        if (foreign != null) {
            foreign.nextRound();
        }
    }

    @Override
    public String toString() {
        return (isAttribute ? "." : "") + name;
    }
}
