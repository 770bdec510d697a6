package dev.leakline.lint.rule;

import dev.leakline.lint.fix.NoGrad;
import dev.leakline.lint.flow.Flow;
import dev.leakline.lint.flow.FunctionModel;
import dev.leakline.lint.flow.Origin;
import java.util.HashMap;
import java.util.Map;

/** LK002: inference that runs with grad mode on; one finding a function, at its first pass. */
final class GradModeInInference {
    private GradModeInInference() {}

    static void check(Flow flow, Hits hits) {
        Map<Origin, Double> passes = Inference.withGrad(flow);
        Map<FunctionModel, Origin> first = new HashMap<>();
        passes.keySet()
                .forEach(origin ->
                        first.merge(origin.function, origin, (a, b) -> a.node.start() <= b.node.start() ? a : b));
        first.forEach((function, origin) -> hits.add(
                origin.node,
                passes.getOrDefault(origin, 0.0),
                message(origin, flow),
                NoGrad.around(
                        function,
                        passes.keySet().stream()
                                .filter(pass -> pass.function == function)
                                .map(pass -> pass.node)
                                .toList(),
                        flow.file(),
                        passes.getOrDefault(origin, 0.0) >= Hits.LIKELY)));
    }

    private static String message(Origin pass, Flow flow) {
        Inference.FedBack state = Inference.FedBack.of(pass, flow);
        return state == null
                ? "%s runs with grad mode on, but its result is only read: all activations of the pass are kept until the result is freed"
                        .formatted(pass.callee)
                : "%s runs with grad mode on, and %s carries the graph of each pass into the next: the activations of all of them are kept"
                        .formatted(pass.callee, flow.file().text(state.name()));
    }
}
