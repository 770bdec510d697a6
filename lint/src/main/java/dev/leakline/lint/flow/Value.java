package dev.leakline.lint.flow;

import dev.leakline.python.flow.Certainty;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An abstract Python value: a set of kinds that it may be of, and, as far as it may be a tensor, whether it carries an autograd
 * graph and where it lies. Immutable.
 *
 * @param kinds bits of {@link Kind}
 * @param grad whether it hangs on a graph
 * @param device where its memory is
 * @param scalar whether it has no dimension, as a mean has
 * @param graph the forward passes, containers and sums whose graph it hangs on
 * @param sources where it comes from, with or without a graph: forward passes and loops
 * @param qualified the dotted name of what is imported, or null
 * @param target the function or class that it is or, of an instance, whose it is; or null
 * @param containers the lists and dicts that it may be
 * @param items of a tuple, each; else empty
 * @param fields of a dict or namespace with constant keys, and what a function refers to
 * @param slot the variable or attribute that it was read from last, or null
 */
public record Value(
        int kinds,
        Certainty grad,
        Device device,
        boolean scalar,
        Set<Origin> graph,
        Set<Object> sources,
        @Nullable String qualified,
        @Nullable Object target,
        Set<HeapContainer> containers,
        List<Value> items,
        Map<String, Value> fields,
        @Nullable Slot slot) {

    /** Where a tensor's memory is. */
    public enum Device {
        CPU,
        UNKNOWN,
        LIKELY_GPU,
        GPU
    }

    /** The kinds, as bits. */
    public static final class Kind {
        public static final int NONE = 1;
        private static final int ANY_NUMBER = 1 << 1;
        /** A number of which there are only so many: a remainder, a truth value. */
        public static final int FEW = 1 << 22;

        public static final int NUMBER = ANY_NUMBER | FEW;
        public static final int TEXT = 1 << 2;
        public static final int TENSOR = 1 << 3;
        public static final int MODULE = 1 << 4;
        public static final int OPTIMIZER = 1 << 5;
        public static final int CONTAINER = 1 << 6;
        public static final int INSTANCE = 1 << 7;
        public static final int FUNCTION = 1 << 8;
        public static final int CLASS = 1 << 9;
        public static final int EXCEPTION = 1 << 10;
        public static final int DEVICE = 1 << 11;
        public static final int GRAD_MODE = 1 << 12;
        public static final int STATE = 1 << 13;
        public static final int LOADER = 1 << 14;
        public static final int METRIC = 1 << 15;
        public static final int FUTURE = 1 << 16;
        public static final int PARAMETER = 1 << 17;
        public static final int WEAK = 1 << 18;
        public static final int OTHER = 1 << 19;
        /** A module without parameters, such as a loss or an activation. */
        public static final int PLAIN_MODULE = 1 << 20;
        /** A distribution of PyTorch: its samples have no graph, what else it computes has that of its parameters. */
        public static final int DISTRIBUTION = 1 << 21;

        private Kind() {}
    }

    /** How deep values are looked into. */
    private static final int MOST_LEVELS = 3;

    public static final Value NOTHING = of(0);
    public static final Value OTHER = of(Kind.OTHER);
    public static final Value NUMBER = of(Kind.ANY_NUMBER);
    static final Value FEW = of(Kind.FEW);
    public static final Value TEXT = of(Kind.TEXT);
    public static final Value NONE = of(Kind.NONE);
    public static final Value WEAK = of(Kind.WEAK);

    public static Value of(int kinds) {
        return new Draft(kinds).value();
    }

    static Value tensor(Device device) {
        return of(Kind.TENSOR).on(device);
    }

    static Value imported(String name) {
        return OTHER.with(draft -> draft.qualified = name);
    }

    static Value of(int kinds, Object target) {
        return of(kinds).withTarget(target);
    }

    static Value holding(HeapContainer container) {
        return of(Kind.CONTAINER).withContainers(Set.of(container));
    }

    public boolean may(int kind) {
        return (kinds & kind) != 0;
    }

    public boolean isOnly(int kind) {
        return kinds != 0 && (kinds & ~kind) == 0;
    }

    /** Returns whether it probably hangs on a graph. */
    public boolean hasGraph() {
        return may(Kind.TENSOR | Kind.OTHER) && grad.compareTo(Certainty.LIKELY) >= 0;
    }

    /** Returns whether a forward pass gave it: it is no source of batches, whatever it is called. */
    public boolean isOfPass() {
        return sources.stream()
                .anyMatch(source -> source instanceof Origin origin && origin.type == Origin.Type.FORWARD);
    }

    /** The value and what it holds; of an object of the file what any object of its class has, but of no module, which counts as a whole. */
    public List<Value> parts() {
        List<Value> parts = new ArrayList<>();
        addTo(parts, new HashSet<>(), 0);
        return parts;
    }

    /** Returns whether it, or what it holds, may be of some kinds and not in CPU memory. */
    public boolean owns(int kind) {
        return parts().stream().anyMatch(part -> part.may(kind) && part.device() != Device.CPU);
    }

    private void addTo(List<Value> parts, Set<ClassModel> seen, int depth) {
        parts.add(this);
        if (depth < MOST_LEVELS) {
            if (!may(Kind.TENSOR)) {
                items.forEach(item -> item.addTo(parts, seen, depth + 1));
            }
            fields.values().forEach(item -> item.addTo(parts, seen, depth + 1));
            containers.forEach(container -> container.element().addTo(parts, seen, depth + 1));
            if (may(Kind.INSTANCE) && target instanceof ClassModel model && !model.isModule() && seen.add(model)) {
                model.attributes.values().forEach(slot -> slot.value().addTo(parts, seen, depth + 1));
            }
        }
    }

    private Value with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return draft.value();
    }

    Value withKinds(int bits) {
        return bits == kinds ? this : with(draft -> draft.kinds = bits);
    }

    Value plus(int bits) {
        return withKinds(kinds | bits);
    }

    Value without(int bits) {
        return withKinds(kinds & ~bits);
    }

    Value withGrad(Certainty certainty) {
        if (certainty == grad) {
            return this;
        }
        Set<Origin> kept = certainty == Certainty.NO ? Set.of() : graph;
        return with(draft -> {
            draft.grad = certainty;
            draft.graph = kept;
        });
    }

    Value on(Device where) {
        return where == device ? this : with(draft -> draft.device = where);
    }

    Value asScalar(boolean is) {
        return is == scalar ? this : with(draft -> draft.scalar = is);
    }

    Value withGraph(Set<Origin> more) {
        Set<Origin> all = union(graph, more);
        return all == graph ? this : with(draft -> draft.graph = all);
    }

    Value from(Set<Object> more) {
        Set<Object> all = union(sources, more);
        return all == sources ? this : with(draft -> draft.sources = all);
    }

    Value withTarget(Object what) {
        return with(draft -> draft.target = what);
    }

    Value withContainers(Set<HeapContainer> some) {
        return with(draft -> draft.containers = some);
    }

    Value withItems(List<Value> some) {
        return some.isEmpty() && items.isEmpty() ? this : with(draft -> draft.items = some);
    }

    Value withFields(Map<String, Value> some) {
        return some.isEmpty() && fields.isEmpty() ? this : with(draft -> draft.fields = some);
    }

    Value readFrom(@Nullable Slot where) {
        return where == slot ? this : with(draft -> draft.slot = where);
    }

    /** Something unknown of it, on its graph and its device. */
    Value part() {
        return OTHER.withGrad(grad).withGraph(graph).from(sources).on(device);
    }

    /** The same without a graph, as detach makes it. */
    Value detached() {
        return withGrad(Certainty.NO);
    }

    /** The same without a graph, and so all that is in it but for containers. */
    Value detachedThroughout() {
        Map<String, Value> plain = new HashMap<>(fields);
        plain.replaceAll((_, field) -> field.detachedThroughout());
        return detached()
                .withItems(items.stream().map(Value::detachedThroughout).toList())
                .withFields(plain);
    }

    /** The same, and all that is in it but for containers, on the graph of another one as far as it has any. */
    Value onGraphOf(Value other) {
        if (other.grad == Certainty.NO) {
            return detachedThroughout();
        }
        Value same = grad == Certainty.NO ? this : with(draft -> draft.graph = other.graph);
        Map<String, Value> moved = new HashMap<>(fields);
        moved.replaceAll((_, field) -> field.onGraphOf(other));
        return same.withItems(items.stream().map(item -> item.onGraphOf(other)).toList())
                .withFields(moved);
    }

    Value join(Value other) {
        if (this == other || other.kinds == 0) {
            return this;
        }
        if (kinds == 0) {
            return other;
        }
        Draft joined = new Draft(this);
        joined.kinds |= other.kinds;
        joined.grad = grad.or(other.grad);
        joined.device = joinDevice(other);
        joined.scalar &= other.scalar;
        joined.graph = union(graph, other.graph);
        joined.sources = union(sources, other.sources);
        joined.qualified = qualified != null ? qualified : other.qualified;
        joined.target = target != null ? target : other.target;
        joined.containers = union(containers, other.containers);
        joined.items = joinItems(other);
        joined.fields = joinFields(other);
        joined.slot = slot == other.slot ? slot : null;
        Value made = joined.value();
        return made.equals(this) ? this : made;
    }

    private Map<String, Value> joinFields(Value other) {
        if (other.fields.isEmpty() || fields == other.fields) {
            return fields;
        }
        Map<String, Value> joined = new HashMap<>(fields);
        other.fields.forEach((name, value) ->
                joined.merge(name, value, (a, b) -> a == b ? a : a.shallow().join(b.shallow())));
        return joined;
    }

    private Device joinDevice(Value other) {
        if (device == other.device || !other.may(Kind.TENSOR | Kind.DEVICE)) {
            return device;
        }
        if (!may(Kind.TENSOR | Kind.DEVICE)) {
            return other.device;
        }
        return device == Device.CPU || other.device == Device.CPU
                ? Device.UNKNOWN
                : device.compareTo(other.device) > 0 ? device : other.device;
    }

    private List<Value> joinItems(Value other) {
        if (items.equals(other.items) || items.size() != other.items.size()) {
            return items.isEmpty() ? other.items : items;
        }
        List<Value> joined = new ArrayList<>();
        for (int i = 0; i < items.size(); i++) {
            joined.add(items.get(i).shallow().join(other.items.get(i).shallow()));
        }
        return joined;
    }

    /** The same without what is inside of it, so that what is nested in itself ends. */
    Value shallow() {
        return items.isEmpty() && fields.isEmpty() ? this : withItems(List.of()).withFields(Map.of());
    }

    /** The value of a tensor made from this and another one: the graph of both, on the device of either. */
    Value combined(Value other) {
        Device where = device;
        if (other.may(Kind.TENSOR | Kind.OTHER)) {
            boolean either = may(Kind.TENSOR | Kind.OTHER);
            where = !either || other.device.compareTo(device) > 0 ? other.device : device;
        }
        return withGrad(grad.or(other.grad))
                .on(where)
                .withGraph(other.graph)
                .from(other.sources)
                .asScalar(scalar && (other.scalar || !other.may(Kind.TENSOR | Kind.OTHER)));
    }

    static <T> Set<T> union(Set<T> a, Set<T> b) {
        if (b.isEmpty() || a == b || (!a.isEmpty() && a.containsAll(b))) {
            return a;
        }
        if (a.isEmpty()) {
            return b;
        }
        Set<T> all = new LinkedHashSet<>(a);
        all.addAll(b);
        if (all.size() > TooComplex.MOST_ORIGINS) {
            throw new TooComplex("a value comes from more than %,d places".formatted(TooComplex.MOST_ORIGINS));
        }
        return all;
    }

    /** A value in the making. */
    private static final class Draft {
        private int kinds;
        private Certainty grad = Certainty.NO;
        private Device device = Device.UNKNOWN;
        private boolean scalar;
        private Set<Origin> graph = Set.of();
        private Set<Object> sources = Set.of();
        private @Nullable String qualified;
        private @Nullable Object target;
        private Set<HeapContainer> containers = Set.of();
        private List<Value> items = List.of();
        private Map<String, Value> fields = Map.of();
        private @Nullable Slot slot;

        Draft(int kinds) {
            this.kinds = kinds;
        }

        Draft(Value from) {
            kinds = from.kinds;
            grad = from.grad;
            device = from.device;
            scalar = from.scalar;
            graph = from.graph;
            sources = from.sources;
            qualified = from.qualified;
            target = from.target;
            containers = from.containers;
            items = from.items;
            fields = from.fields;
            slot = from.slot;
        }

        Value value() {
            return new Value(
                    kinds, grad, device, scalar, graph, sources, qualified, target, containers, items, fields, slot);
        }
    }
}
