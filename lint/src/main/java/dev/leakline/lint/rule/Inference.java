package dev.leakline.lint.rule;

import dev.leakline.lint.flow.ClassModel;
import dev.leakline.lint.flow.FileModel;
import dev.leakline.lint.flow.Flow;
import dev.leakline.lint.flow.FlowEvent;
import dev.leakline.lint.flow.FunctionModel;
import dev.leakline.lint.flow.LoopModel;
import dev.leakline.lint.flow.Nodes;
import dev.leakline.lint.flow.Origin;
import dev.leakline.lint.flow.Slot;
import dev.leakline.lint.flow.Value;
import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import dev.leakline.python.flow.Certainty;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Which forward passes are inference: their results are read, and nothing goes backward through them. */
final class Inference {
    private final Flow flow;
    private final FileModel file;

    private Inference(Flow flow) {
        this.flow = flow;
        this.file = flow.file();
    }

    /** The inference passes that run with grad mode on, with how sure that is. */
    static Map<Origin, Double> withGrad(Flow flow) {
        Inference inference = new Inference(flow);
        Map<Origin, Double> found = new LinkedHashMap<>();
        for (Origin origin : flow.origins()) {
            double confidence = inference.confidence(origin);
            if (confidence > 0) {
                found.put(origin, confidence);
            }
        }
        return found;
    }

    private double confidence(Origin origin) {
        boolean forward = origin.type == Origin.Type.FORWARD
                && origin.gradOn == Certainty.SURE
                && origin.isModule.compareTo(Certainty.LIKELY) >= 0
                && !origin.isFrozen
                && !origin.isBackwarded
                && !origin.wantsInputGrad;
        if (!forward || isPartOfModule(origin)) {
            return 0;
        }
        boolean evaluated = isEvaluated(origin);
        boolean collected =
                isCollected(origin) || (FedBack.of(origin, flow) instanceof FedBack state && state.isEndless(origin));
        if (origin.isRead && !origin.escapes) {
            return evaluated ? Hits.SURE : isOfFragment(origin) && !collected ? 0 : Hits.LIKELY;
        }
        if (evaluated && (origin.isRead || collected)) {
            return origin.escapes && !collected ? 0 : Hits.LIKELY;
        }
        return collected ? Hits.POSSIBLE : 0;
    }

    /** Returns whether a script calls a model that the file does not make: a fragment, which may be part of anything. */
    private boolean isOfFragment(Origin origin) {
        return origin.function.isModuleLevel() && !file.top().variables.containsKey(origin.callee);
    }

    /** Layers that a module calls in its own methods are parts of a pass that somebody else begins. */
    private boolean isPartOfModule(Origin origin) {
        FunctionModel function = origin.function;
        ClassModel owner = function.owner;
        for (FunctionModel outer = function; owner == null && outer != null; outer = outer.outer) {
            owner = outer.owner;
        }
        boolean itself = origin.callee.equals(function.self());
        boolean module = owner != null && owner.isModule();
        return module && ((!itself && !isEvaluated(origin)) || function.name.equals("forward"));
    }

    /** Returns whether eval() was called on the module: in the same function before, where it was made, or for the whole file. */
    private boolean isEvaluated(Origin origin) {
        for (Node call : file.evalCalls(origin.callee)) {
            FunctionModel where = file.functionAround(call);
            boolean before = where == origin.function && call.start() < origin.node.start();
            boolean elsewhere = where != origin.function
                    && ((where.isModuleLevel() && origin.function.outer == file.top()) || where.isConstructor());
            if (before || elsewhere) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether its results are gathered over a loop of steps in which nothing goes backward. */
    private boolean isCollected(Origin origin) {
        if (origin.function.goesBackward && origin.loop != null && origin.loop.trains) {
            return false;
        }
        for (FlowEvent.Store store : flow.events(FlowEvent.Store.class)) {
            boolean gathers = store.way() == FlowEvent.Way.APPEND
                    || store.way() == FlowEvent.Way.COMPREHEND
                    || (store.way() == FlowEvent.Way.SUM && isEvaluated(origin));
            if (gathers && Tensors.graph(store.value()).contains(origin) && store.loop() instanceof LoopModel loop) {
                if (loop.isSteps()
                        && !loop.trains
                        && !store.isBackwarded()
                        && !store.function().name.equals("forward")) {
                    return true;
                }
            }
        }
        return false;
    }

    /** A variable or attribute that a pass reads, and that holds, with its graph, what the pass before gave back. */
    record FedBack(Expr name, @Nullable Slot slot) {
        /** Finds the argument by which a pass gets its own result back; null where there is none. */
        static @Nullable FedBack of(Origin pass, Flow flow) {
            List<FedBack> found = new ArrayList<>();
            Optional.ofNullable(pass.call()).stream()
                    .flatMap(Expr.Call::given)
                    .filter(argument -> isOfPass(flow.valueOf(argument), pass))
                    .forEach(argument -> argument.walk(node -> {
                        if (Nodes.isPlace(node) && isOfPass(flow.valueOf(node), pass)) {
                            found.add(
                                    new FedBack((Expr) node, flow.valueOf(node).slot()));
                        }
                    }));
            return found.isEmpty() ? null : found.getFirst();
        }

        /** Returns whether it is an attribute that only its object's constructor and the pass itself set: nothing ends the chain. */
        boolean isEndless(Origin pass) {
            return slot != null
                    && slot.isAttribute
                    && slot.assignments().stream()
                            .allMatch(assignment -> isOfPass(assignment.value(), pass)
                                    || assignment.function().isConstructor()
                                    || assignment.function().isModuleLevel());
        }

        private static boolean isOfPass(Value value, Origin pass) {
            return Tensors.graph(value).contains(pass);
        }
    }
}
