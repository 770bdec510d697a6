package dev.leakline.lint.rule;

import dev.leakline.lint.flow.Flow;
import dev.leakline.lint.flow.FlowEvent;
import dev.leakline.lint.flow.FlowEvent.Way;
import dev.leakline.lint.flow.LoopModel;
import dev.leakline.lint.flow.Origin;
import java.util.Map;
import java.util.Set;

/** LK001: a tensor is kept with the graph that it hangs on. */
final class GraphKept {
    private GraphKept() {}

    static void check(Flow flow, Hits hits) {
        Map<Origin, Double> inference = Inference.withGrad(flow);
        for (FlowEvent.Store store : flow.events(FlowEvent.Store.class)) {
            double confidence = confidence(store, flow, inference);
            if (confidence > 0) {
                hits.add(store, confidence, message(store, flow));
            }
        }
    }

    private static String message(FlowEvent.Store store, Flow flow) {
        String what = Hits.shortened(flow.file().text(store.stored()));
        return store.way() == Way.SUM || isOfOwn(store)
                ? "%s is added with its autograd graph: the sum keeps the graph of every step".formatted(what)
                : "%s is kept with its autograd graph, and with it every activation of its step".formatted(what);
    }

    private static double confidence(FlowEvent.Store store, Flow flow, Map<Origin, Double> inference) {
        if (!keeps(store, flow) || !Tensors.hasGraph(store.value()) || store.isBackwarded()) {
            return 0;
        }
        boolean steps = false;
        boolean trained = false;
        for (LoopModel loop : Retention.crossed(store)) {
            steps |= loop.isSteps();
            trained |= loop.trains;
        }
        Set<Origin> graph = Tensors.graph(store.value());
        boolean backwarded = graph.stream().anyMatch(origin -> origin.isBackwarded);
        if (trained && backwarded) {
            return Hits.SURE;
        }
        Double pass = graph.stream()
                .filter(inference::containsKey)
                .map(origin -> inference.getOrDefault(origin, 0.0))
                .findFirst()
                .orElse(null);
        if (pass != null && (steps || Retention.outlivesCall(store, flow))) {
            return pass;
        }
        boolean returned = (store.sum() != null && store.sum().escapes)
                || store.containers().stream()
                        .flatMap(container -> container.around().stream())
                        .anyMatch(container -> container.contents.escapes);
        boolean ofPass = graph.stream().anyMatch(origin -> origin.type == Origin.Type.FORWARD);
        if ((backwarded || !returned || (!ofPass && flow.isPerStep(store.function())))
                && Retention.outlivesCall(store, flow)) {
            return backwarded || flow.isPerStep(store.function()) || store.function().isCallback
                    ? Hits.LIKELY
                    : Hits.POSSIBLE;
        }
        return 0;
    }

    private static boolean keeps(FlowEvent.Store store, Flow flow) {
        return !Retention.isEmpty(store.stored(), flow.file()) && isOneMore(store, flow);
    }

    private static boolean isOneMore(FlowEvent.Store store, Flow flow) {
        return switch (store.way()) {
            case APPEND, SUM, CONCATENATE, COMPREHEND -> true;
            case PUT -> store.key() == null || !Retention.isOfFew(store, flow.file()) || isOfOwn(store);
            case SET -> false;
        };
    }

    /** Returns whether an entry is made of the entries that were there, and so goes on with their graph. */
    private static boolean isOfOwn(FlowEvent.Store store) {
        return store.containers().stream()
                .anyMatch(container -> store.value().graph().contains(container.contents));
    }
}
