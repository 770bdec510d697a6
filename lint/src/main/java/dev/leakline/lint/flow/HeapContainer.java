package dev.leakline.lint.flow;

import dev.leakline.python.Node;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A list, dict, set or deque, known by the expression that makes it, or by the parameter or attribute that it comes from. */
public final class HeapContainer {
    public final Node site;
    public final FunctionModel function;
    public final @Nullable LoopModel loop;
    /** True if it came from outside: a parameter, or an attribute that nobody in this file assigns. */
    public final boolean isForeign;
    /** True if it is a part of another one, such as the last n of it. */
    public final boolean isSlice;

    public final Origin contents;
    private final Set<Slot> holders = new LinkedHashSet<>();
    private final Set<HeapContainer> owners = new LinkedHashSet<>();
    /** True if its size is bounded, such as a deque's with a maxlen. */
    public boolean isBounded;
    /** The functions that remove entries. */
    public final Set<FunctionModel> emptiers = new LinkedHashSet<>();

    private final RoundValue element = new RoundValue();

    HeapContainer(Node site, FunctionModel function, @Nullable LoopModel loop, boolean isForeign, boolean isSlice) {
        this.site = site;
        this.function = function;
        this.loop = loop;
        this.isForeign = isForeign;
        this.isSlice = isSlice;
        this.contents = new Origin(Origin.Type.CONTENTS, site, function, loop);
    }

    /** The value that one entry may be. */
    public Value element() {
        return element.value();
    }

    void put(Value value) {
        value.containers().forEach(inner -> inner.owners.add(this));
        value.items().forEach(item -> item.containers().forEach(inner -> inner.owners.add(this)));
        element.join(value.readFrom(null).shallow());
    }

    void heldBy(Slot slot) {
        holders.add(slot);
    }

    /** This container and those that it is in. */
    public Set<HeapContainer> around() {
        Set<HeapContainer> all = new LinkedHashSet<>();
        addAround(all);
        return all;
    }

    private void addAround(Set<HeapContainer> all) {
        if (all.add(this)) {
            owners.forEach(owner -> owner.addAround(all));
        }
    }

    /** The variables and attributes that hold it themselves. */
    public Set<Slot> ownHolders() {
        return holders;
    }

    /** The variables and attributes that hold it, or what it is in. */
    public Set<Slot> holders() {
        Set<Slot> all = new LinkedHashSet<>();
        around().forEach(container -> all.addAll(container.holders));
        return all;
    }

    /** Returns whether the last round put into it what the one before it did. */
    boolean isSettled() {
        return element.isSettled();
    }

    void nextRound() {
        holders.clear();
        owners.clear();
        emptiers.clear();
        element.nextRound();
    }
}
