package dev.leakline.lint.rule;

import dev.leakline.lint.fix.Uncycling;
import dev.leakline.lint.flow.ClassModel;
import dev.leakline.lint.flow.ClassModel.Role;
import dev.leakline.lint.flow.FileModel;
import dev.leakline.lint.flow.Flow;
import dev.leakline.lint.flow.FlowEvent;
import dev.leakline.lint.flow.FlowEvent.Way;
import dev.leakline.lint.flow.FunctionModel;
import dev.leakline.lint.flow.Nodes;
import dev.leakline.lint.flow.Slot;
import dev.leakline.lint.flow.Value;
import dev.leakline.lint.flow.Value.Kind;
import dev.leakline.python.Expr;
import dev.leakline.python.Stmt;
import dev.leakline.python.flow.SourceFile;
import dev.leakline.python.keep.Contexts;
import dev.leakline.python.keep.Finalizers;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;

/** LK005: objects that own tensors and come and go are tied into a reference cycle. */
final class ReferenceCycle {
    private ReferenceCycle() {}

    static void check(Flow flow, Hits hits) {
        for (ClassModel model : flow.file().classes()) {
            if (model.role == Role.AUTOGRAD_FUNCTION) {
                checkContext(model, flow.file().source(), hits);
            }
        }
        for (FunctionModel function : flow.file().functions()) {
            checkRecursive(function, flow, hits);
        }
        Collection<FlowEvent.Store> stores = flow.events(FlowEvent.Store.class);
        for (FlowEvent.Store store : stores) {
            checkCapture(store, flow, hits);
        }
        new LinkedObjects(flow, hits).check(stores);
        for (FlowEvent.Call call : flow.events(FlowEvent.Call.class)) {
            checkFinalizer(call, flow, hits);
        }
    }

    /** ctx.y = output: the graph's node holds the context, the context the output, the output the node. */
    private static void checkContext(ClassModel model, SourceFile file, Hits hits) {
        if (model.methods.get("forward") instanceof FunctionModel forward
                && forward.node instanceof Stmt.FunctionDef pass) {
            Contexts.outputs(file, pass)
                    .forEach(node -> hits.add(
                            node,
                            Hits.SURE,
                            "the output is kept on %s, whose node the output itself holds: a cycle that only the cycle collector frees; use save_for_backward"
                                    .formatted(pass.args().first())));
        }
    }

    /** An inner function that calls itself holds itself, and with it whatever it captures. */
    private static void checkRecursive(FunctionModel function, Flow flow, Hits hits) {
        FunctionModel outer = function.outer;
        if (outer == null
                || outer.isModuleLevel()
                || function.owner != null
                || function.isLambda()
                || outer.isLambda()) {
            return;
        }
        boolean refers = function.parameters.stream()
                        .noneMatch(parameter -> parameter.name().equals(function.name))
                && function.has(node -> Nodes.isName(node, function.name));
        boolean captures = function.has(node -> node instanceof Expr.Name it
                && !function.variables.containsKey(it.id())
                && outer.variables.get(it.id()) instanceof Slot captured
                && captured.value().parts().stream().noneMatch(part -> part.may(Kind.INSTANCE))
                && captured.value().owns(Kind.TENSOR));
        if (refers
                && captures
                && function.node != null
                && (flow.isPerStep(outer) || (outer.callers.isEmpty() && !outer.isConstructor()))) {
            hits.add(
                    function.node,
                    flow.isPerStep(outer) ? Hits.LIKELY : Hits.POSSIBLE,
                    "%s refers to itself and to tensors of %s: the cycle keeps them until the cycle collector runs"
                            .formatted(function.name, outer.name));
        }
    }

    /** self.f = lambda: self.x, a bound method, a partial of one, an inner function that captures self, or self itself. */
    private static void checkCapture(FlowEvent.Store store, Flow flow, Hits hits) {
        FunctionModel function = store.function();
        String self = function.self();
        Slot slot = store.slot();
        ClassModel owner = function.owner;
        if (slot == null || self == null || owner == null) {
            return;
        }
        boolean own = slot.isAttribute && slot.owner == owner;
        if (!own
                || !self.equals(LinkedObjects.holderOf(store, flow.file()))
                || (store.way() != Way.SET && store.way() != Way.APPEND && store.way() != Way.PUT)
                || !LinkedObjects.isOfSteps(owner, flow)) {
            return;
        }
        if (capturesSelf(store.stored(), self, function, flow, 0)) {
            hits.add(
                    store.node(),
                    Hits.LIKELY,
                    "%s captures %s and is kept on it: the cycle keeps the tensors of the object until the cycle collector runs"
                            .formatted(Hits.shortened(flow.file().text(store.stored())), self),
                    Uncycling.captured(store.stored(), self, flow.file()));
        }
    }

    private static boolean capturesSelf(Expr stored, String self, FunctionModel function, Flow flow, int depth) {
        if (depth > 3) {
            return false;
        }
        Predicate<Expr> captures = part -> capturesSelf(part, self, function, flow, depth + 1);
        return switch (stored) {
            case Expr.Name it -> it.id().equals(self) || isCapturingFunction(flow.valueOf(it), self, function);
            case Expr.Lambda it ->
                Nodes.mentions(it.body(), self)
                        && flow.file().function(it) instanceof FunctionModel lambda
                        && lambda.parameters.stream()
                                .noneMatch(parameter -> parameter.name().equals(self));
            case Expr.Attribute it ->
                Nodes.isName(it.value(), self)
                        && function.owner != null
                        && function.owner.methods.get(it.attr()) instanceof FunctionModel method
                        && method.decorators.isEmpty();
            case Expr.Call it -> isBinding(it, flow) && it.given().anyMatch(captures);
            case Expr.ListDisplay it -> it.elts().stream().anyMatch(captures);
            case Expr.Tuple it -> it.elts().stream().anyMatch(captures);
            case Expr.SetDisplay it -> it.elts().stream().anyMatch(captures);
            case Expr.Dict it -> it.values().stream().anyMatch(captures);
            default -> false;
        };
    }

    private static boolean isBinding(Expr.Call call, Flow flow) {
        String name = flow.file().callee(call);
        return name.equals("functools.partial") || name.equals("partial") || name.equals("types.MethodType");
    }

    private static boolean isCapturingFunction(Value value, String self, FunctionModel around) {
        return value.may(Kind.FUNCTION)
                && value.target() instanceof FunctionModel inner
                && inner.outer == around
                && inner.owner == null
                && inner.has(node -> Nodes.isName(node, self))
                && inner.parameters.stream()
                        .noneMatch(parameter -> parameter.name().equals(self));
    }

    /** weakref.finalize(self, self.close) holds self for ever, since the method does. */
    private static void checkFinalizer(FlowEvent.Call call, Flow flow, Hits hits) {
        FileModel file = flow.file();
        List<Expr> given = call.node().given().toList();
        if (!file.callee(call.node()).equals("weakref.finalize") || given.size() < 2) {
            return;
        }
        String object = file.text(given.getFirst());
        FunctionModel function = call.function();
        boolean bound =
                given.stream().skip(1).anyMatch(argument -> Finalizers.isReferring(file.source(), argument, object));
        ClassModel owner = object.equals(function.self())
                ? function.owner
                : flow.valueOf(given.getFirst()).target() instanceof ClassModel model ? model : null;
        if (bound && owner != null && LinkedObjects.isOfSteps(owner, flow)) {
            hits.add(
                    call.node(),
                    Hits.SURE,
                    "the finalizer holds %s itself, through a method bound to it: it is never freed".formatted(object));
        }
    }
}
