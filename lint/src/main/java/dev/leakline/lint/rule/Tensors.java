package dev.leakline.lint.rule;

import dev.leakline.lint.flow.Origin;
import dev.leakline.lint.flow.Value;
import dev.leakline.lint.flow.Value.Device;
import dev.leakline.lint.flow.Value.Kind;
import dev.leakline.python.flow.Certainty;
import java.util.LinkedHashSet;
import java.util.Set;

/** Questions about a value and what it holds: a tuple or dict of tensors counts as the tensors, an object as what its attributes have. */
final class Tensors {
    private Tensors() {}

    static boolean hasGraph(Value value) {
        return value.parts().stream()
                .anyMatch(part -> (part.may(Kind.TENSOR) && part.grad().compareTo(Certainty.LIKELY) >= 0)
                        || (part.isOnly(Kind.OTHER | Kind.DISTRIBUTION) && part.grad() == Certainty.SURE));
    }

    static Set<Origin> graph(Value value) {
        Set<Origin> all = new LinkedHashSet<>();
        value.parts().stream().filter(Value::hasGraph).forEach(part -> all.addAll(part.graph()));
        return all;
    }

    /** Returns whether it holds memory of a device: a tensor that is not on the host, or something made of such. */
    static boolean isOnDevice(Value value) {
        return holds(value, Kind.TENSOR | Kind.MODULE | Kind.OPTIMIZER | Kind.STATE | Kind.FUTURE);
    }

    static boolean holds(Value value, int kinds) {
        return value.parts().stream()
                .anyMatch(part -> part.may(kinds)
                        && (!part.may(Kind.OTHER) || part.may(kinds & Kind.TENSOR) || part.device() == Device.GPU)
                        && part.device() != Device.CPU);
    }
}
