package dev.leakline.lint.rule;

import dev.leakline.lint.flow.Flow;
import dev.leakline.lint.flow.FlowEvent;
import dev.leakline.lint.flow.FlowEvent.Way;
import dev.leakline.lint.flow.LoopModel;
import dev.leakline.lint.flow.Value;
import dev.leakline.lint.flow.Value.Device;
import dev.leakline.lint.flow.Value.Kind;
import dev.leakline.python.flow.Certainty;

/** LK014: the outputs of a whole pass are gathered on the device. */
final class ResultsOnDevice {
    private ResultsOnDevice() {}

    static void check(Flow flow, Hits hits) {
        for (FlowEvent.Store store : flow.events(FlowEvent.Store.class)) {
            boolean gathers = store.way() == Way.APPEND || store.way() == Way.COMPREHEND;
            if (gathers
                    && isOutput(store.value())
                    && isPass(store)
                    && !Retention.outlivesCall(store, flow)
                    && !Retention.isLimited(store, flow)) {
                hits.add(
                        store,
                        Hits.LIKELY,
                        "the outputs of every batch are gathered on the device: memory grows with the data set");
            }
        }
    }

    /** A detached result of a module that is no mere number. */
    private static boolean isOutput(Value value) {
        return !Tensors.hasGraph(value)
                && value.parts().stream()
                        .anyMatch(part -> part.may(Kind.TENSOR)
                                && !part.may(Kind.NUMBER)
                                && part.device().compareTo(Device.UNKNOWN) > 0
                                && part.grad() == Certainty.NO
                                && !part.scalar()
                                && part.isOfPass());
    }

    private static boolean isPass(FlowEvent.Store store) {
        return Retention.crossed(store).stream().anyMatch(LoopModel::isSteps);
    }
}
