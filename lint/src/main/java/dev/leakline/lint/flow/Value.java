package dev.leakline.lint.flow;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a Python value: a set of kinds that it may be of, and, as far as it may be a tensor, whether it carries an autograd
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
 * @param fields of a dict or namespace with constant keys
 * @param slot the variable or attribute that it was read from last, or null
 */
@SuppressWarnings("ReferenceEquality") // short cuts: what is the very same need not be compared
public record Value(
        int kinds,
        Certainty grad,
        Device device,
        boolean scalar,
        Set<Object> graph,
        Set<Object> sources,
        @Nullable String qualified,
        @Nullable Object target,
        Set<HeapContainer> containers,
        List<Value> items,
        Map<String, Value> fields,
        @Nullable Slot slot) {

    /** How sure it is that something holds. */
    public enum Certainty {
        NO,
        UNKNOWN,
        LIKELY,
        SURE;

        Certainty or(Certainty other) {
            return compareTo(other) >= 0 ? this : other;
        }
    }

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
        public static final int NUMBER = 1 << 1;
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

        private Kind() {}
    }

    public static final Value NOTHING = of(0);
    public static final Value OTHER = of(Kind.OTHER);
    public static final Value NUMBER = of(Kind.NUMBER);
    public static final Value TEXT = of(Kind.TEXT);
    public static final Value NONE = of(Kind.NONE);
    public static final Value WEAK = of(Kind.WEAK);

    public static Value of(int kinds) {
        return new Value(
                kinds,
                Certainty.NO,
                Device.UNKNOWN,
                false,
                Set.of(),
                Set.of(),
                null,
                null,
                Set.of(),
                List.of(),
                Map.of(),
                null);
    }

    static Value tensor(Device device) {
        return of(Kind.TENSOR).on(device);
    }

    public static Value unknown(Certainty grad) {
        return OTHER.withGrad(grad);
    }

    static Value imported(String name) {
        return new Value(
                Kind.OTHER,
                Certainty.NO,
                Device.UNKNOWN,
                false,
                Set.of(),
                Set.of(),
                name,
                null,
                Set.of(),
                List.of(),
                Map.of(),
                null);
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

    /** Whether it probably hangs on a graph. */
    public boolean hasGraph() {
        return may(Kind.TENSOR | Kind.OTHER) && grad.compareTo(Certainty.LIKELY) >= 0;
    }

    Value withKinds(int bits) {
        return new Value(
                bits, grad, device, scalar, graph, sources, qualified, target, containers, items, fields, slot);
    }

    Value plus(int bits) {
        return (kinds | bits) == kinds ? this : withKinds(kinds | bits);
    }

    Value without(int bits) {
        return (kinds & bits) == 0 ? this : withKinds(kinds & ~bits);
    }

    Value withGrad(Certainty certainty) {
        return certainty == grad
                ? this
                : new Value(
                        kinds,
                        certainty,
                        device,
                        scalar,
                        certainty == Certainty.NO ? Set.of() : graph,
                        sources,
                        qualified,
                        target,
                        containers,
                        items,
                        fields,
                        slot);
    }

    Value on(Device where) {
        return where == device
                ? this
                : new Value(
                        kinds, grad, where, scalar, graph, sources, qualified, target, containers, items, fields, slot);
    }

    Value asScalar(boolean is) {
        return is == scalar
                ? this
                : new Value(
                        kinds, grad, device, is, graph, sources, qualified, target, containers, items, fields, slot);
    }

    Value withGraph(Set<Object> more) {
        Set<Object> all = union(graph, more);
        return all == graph
                ? this
                : new Value(
                        kinds, grad, device, scalar, all, sources, qualified, target, containers, items, fields, slot);
    }

    Value from(Set<Object> more) {
        Set<Object> all = union(sources, more);
        return all == sources
                ? this
                : new Value(
                        kinds, grad, device, scalar, graph, all, qualified, target, containers, items, fields, slot);
    }

    Value withTarget(Object what) {
        return new Value(kinds, grad, device, scalar, graph, sources, qualified, what, containers, items, fields, slot);
    }

    Value withContainers(Set<HeapContainer> some) {
        return new Value(kinds, grad, device, scalar, graph, sources, qualified, target, some, items, fields, slot);
    }

    Value withItems(List<Value> some) {
        return new Value(
                kinds, grad, device, scalar, graph, sources, qualified, target, containers, some, fields, slot);
    }

    Value withFields(Map<String, Value> some) {
        return new Value(kinds, grad, device, scalar, graph, sources, qualified, target, containers, items, some, slot);
    }

    Value readFrom(@Nullable Slot where) {
        return where == slot
                ? this
                : new Value(
                        kinds,
                        grad,
                        device,
                        scalar,
                        graph,
                        sources,
                        qualified,
                        target,
                        containers,
                        items,
                        fields,
                        where);
    }

    /** The same without a graph, as detach makes it. */
    Value detached() {
        return withGrad(Certainty.NO);
    }

    Value join(Value other) {
        if (this == other || other.kinds == 0) {
            return this;
        }
        if (kinds == 0) {
            return other;
        }
        Map<String, Value> joined = fields;
        if (!other.fields.isEmpty() && fields != other.fields) {
            joined = new HashMap<>(fields);
            for (Map.Entry<String, Value> entry : other.fields.entrySet()) {
                joined.merge(
                        entry.getKey(),
                        entry.getValue(),
                        (a, b) -> a == b ? a : a.shallow().join(b.shallow()));
            }
        }
        return new Value(
                kinds | other.kinds,
                grad.or(other.grad),
                joinDevice(other),
                scalar && other.scalar,
                union(graph, other.graph),
                union(sources, other.sources),
                qualified != null ? qualified : other.qualified,
                target != null ? target : other.target,
                union(containers, other.containers),
                joinItems(other),
                joined,
                slot == other.slot ? slot : null);
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
        List<Value> joined = new java.util.ArrayList<>();
        for (int i = 0; i < items.size(); i++) {
            joined.add(items.get(i).shallow().join(other.items.get(i).shallow()));
        }
        return joined;
    }

    /** The same without what is inside of it, so that what is nested in itself ends. */
    Value shallow() {
        return items.isEmpty() && fields.isEmpty() ? this : withItems(List.of()).withFields(Map.of());
    }

    /** Of a tensor made from this and another one: the graph of both, on the device of either. */
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
        if (b.isEmpty() || a == b || a.containsAll(b)) {
            return a;
        }
        if (a.isEmpty()) {
            return b;
        }
        Set<T> all = new LinkedHashSet<>(a);
        all.addAll(b);
        return all;
    }
}
