package dev.leakline.lint.rule;

import dev.leakline.lint.flow.HeapContainer;
import dev.leakline.lint.flow.Value;
import dev.leakline.lint.flow.Value.Certainty;
import dev.leakline.lint.flow.Value.Device;
import dev.leakline.lint.flow.Value.Kind;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The contents of a value: a tuple or dict of tensors counts as the tensors. */
final class Tensors {
    private static final int MOST_LEVELS = 3;

    private Tensors() {}

    /** The value and what it holds. */
    static List<Value> parts(Value value) {
        List<Value> parts = new ArrayList<>();
        add(value, parts, 0);
        return parts;
    }

    private static void add(Value value, List<Value> parts, int depth) {
        parts.add(value);
        if (depth < MOST_LEVELS) {
            if (!value.may(Kind.TENSOR)) {
                value.items().forEach(item -> add(item, parts, depth + 1));
            }
            value.fields().values().forEach(item -> add(item, parts, depth + 1));
            for (HeapContainer container : value.containers()) {
                add(container.element(), parts, depth + 1);
            }
        }
    }

    static boolean hasGraph(Value value) {
        return parts(value).stream()
                .anyMatch(part -> (part.may(Kind.TENSOR) && part.grad().compareTo(Certainty.LIKELY) >= 0)
                        || (part.isOnly(Kind.OTHER | Kind.DISTRIBUTION) && part.grad() == Certainty.SURE));
    }

    static Set<Object> graph(Value value) {
        Set<Object> all = new LinkedHashSet<>();
        parts(value).stream().filter(Value::hasGraph).forEach(part -> all.addAll(part.graph()));
        return all;
    }

    /** Returns whether it holds memory of a device: a tensor that is not on the host, or something made of such. */
    static boolean isOnDevice(Value value) {
        return parts(value).stream()
                .anyMatch(part -> (part.may(Kind.TENSOR) && part.device() != Device.CPU)
                        || (part.may(Kind.MODULE | Kind.OPTIMIZER | Kind.STATE | Kind.FUTURE)
                                && part.device() != Device.CPU
                                && !part.may(Kind.OTHER | Kind.TENSOR)));
    }

    static boolean holds(Value value, int kinds) {
        return parts(value).stream()
                .anyMatch(part -> part.may(kinds)
                        && (!part.may(Kind.OTHER) || part.may(kinds & Kind.TENSOR))
                        && part.device() != Device.CPU);
    }
}
