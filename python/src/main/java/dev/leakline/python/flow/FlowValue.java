package dev.leakline.python.flow;

import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The values that an expression may come to.
 *
 * @param kinds what it may be, bits of this class
 * @param label how it comes from the labelled line: {@link #SAME}, {@link #DERIVED}, or 0
 * @param heap the objects that it may be
 */
public record FlowValue(int kinds, int label, Set<Heap> heap) {
    static final int TENSOR = 1;
    static final int NONE = 2;
    /** A number, a text, a shape. */
    static final int PLAIN = 4;
    /** Anything. */
    static final int UNKNOWN = 8;
    /** A layer of torch that gives a tensor. */
    static final int LAYER = 16;
    /** A layer of torch that gives a tuple of tensors. */
    static final int TUPLE_LAYER = 32;
    /** An exception. */
    static final int ERROR = 64;

    /** Computed from what the line makes. */
    public static final int DERIVED = 1;
    /** The label of what the line makes, or has it. */
    public static final int SAME = 2;

    /** How deep objects are looked into. */
    private static final int DEPTH = 5;

    static final FlowValue NOTHING = of(0);
    static final FlowValue ANY = of(UNKNOWN);
    static final FlowValue TENSORS = of(TENSOR);
    static final FlowValue PLAINS = of(PLAIN);

    static FlowValue of(int kinds) {
        return new FlowValue(kinds, 0, Set.of());
    }

    /** The value that is an object and nothing else. */
    public static FlowValue of(Heap heap) {
        return new FlowValue(0, 0, Set.of(heap));
    }

    FlowValue join(FlowValue other) {
        if (other.equals(NOTHING) || other.equals(this)) {
            return this;
        }
        Set<Heap> both = heap;
        if (!heap.containsAll(other.heap)) {
            both = new HashSet<>(heap);
            both.addAll(other.heap);
        }
        return new FlowValue(kinds | other.kinds, Math.max(label, other.label), both);
    }

    FlowValue labelled(int other) {
        return other <= label ? this : new FlowValue(kinds, other, heap);
    }

    FlowValue withoutLabel() {
        return new FlowValue(kinds, 0, heap);
    }

    /** It without None. */
    public FlowValue withoutNone() {
        return new FlowValue(kinds & ~NONE, label, heap);
    }

    boolean is(int kind) {
        return (kinds & kind) != 0;
    }

    /** Returns whether it may be anything. */
    public boolean isOpen() {
        return is(UNKNOWN);
    }

    /** Returns whether it is a tensor and nothing else. */
    public boolean isTensor() {
        return kinds == TENSOR && heap.isEmpty();
    }

    /** Returns whether it may be a tensor itself. */
    public boolean mayBeTensor() {
        return is(TENSOR | UNKNOWN);
    }

    public boolean isNone() {
        return kinds == NONE && heap.isEmpty();
    }

    /** Returns whether nothing of it could be a tensor. */
    public boolean isPlain() {
        return (kinds & ~(PLAIN | NONE)) == 0 && kinds != 0 && heap.isEmpty();
    }

    public boolean mayBeNone() {
        return is(NONE);
    }

    public boolean isError() {
        return is(ERROR);
    }

    /** Returns whether it is a function of the program, or a method. */
    boolean isCalled() {
        return isOnly(Heap.Kind.FUNCTION) || isOnly(Heap.Kind.METHOD);
    }

    /** Returns whether it is an object of one kind and nothing else. */
    public boolean isOnly(Heap.Kind kind) {
        return kinds == 0 && !heap.isEmpty() && heap.stream().allMatch(each -> each.kind == kind);
    }

    /** The values that the items of its collections may be. */
    public FlowValue items() {
        return heap.stream().map(each -> each.field(Heap.ITEMS)).reduce(NOTHING, FlowValue::join);
    }

    /** How it, or what it has, comes from the labelled line. */
    public int reached() {
        return reached(DEPTH, Collections.newSetFromMap(new IdentityHashMap<>()));
    }

    private int reached(int depth, Set<Heap> seen) {
        int most = label;
        for (Heap each : depth == 0 ? List.<Heap>of() : heap) {
            if (isCarrier(each) && seen.add(each)) {
                for (FlowValue field : each.fields().values()) {
                    most = Math.max(most, field.reached(depth - 1, seen));
                }
            }
        }
        return most;
    }

    /** The objects that it may be, and those that they have. */
    public Set<Heap> parts() {
        Set<Heap> parts = Collections.newSetFromMap(new IdentityHashMap<>());
        may(
                each -> {
                    parts.addAll(each.heap);
                    return false;
                },
                DEPTH,
                Collections.newSetFromMap(new IdentityHashMap<>()));
        return parts;
    }

    private static boolean isCarrier(Heap heap) {
        return heap.kind != Heap.Kind.CLASS && heap.kind != Heap.Kind.MODULE;
    }

    /** Returns whether it, or what it has, may be a tensor. */
    public boolean mayHaveTensor() {
        return may(each -> each.is(TENSOR | UNKNOWN), DEPTH, Collections.newSetFromMap(new IdentityHashMap<>()));
    }

    /** Returns whether it, or what it has, is known to be a tensor, if nothing else. */
    public boolean hasTensor() {
        return may(each -> each.is(TENSOR), DEPTH, Collections.newSetFromMap(new IdentityHashMap<>()));
    }

    private boolean may(Predicate<FlowValue> asked, int depth, Set<Heap> seen) {
        return asked.test(this)
                || (depth > 0
                        && heap.stream()
                                .filter(FlowValue::isCarrier)
                                .filter(seen::add)
                                .anyMatch(each -> each.fields().values().stream()
                                        .anyMatch(field -> field.may(asked, depth - 1, seen))));
    }
}
