package dev.leakline.lint.rule;

import dev.leakline.lint.fix.Uncycling;
import dev.leakline.lint.flow.ClassModel;
import dev.leakline.lint.flow.ClassModel.Role;
import dev.leakline.lint.flow.FileModel;
import dev.leakline.lint.flow.Flow;
import dev.leakline.lint.flow.FlowEvent;
import dev.leakline.lint.flow.FlowEvent.Way;
import dev.leakline.lint.flow.FunctionModel;
import dev.leakline.lint.flow.Slot;
import dev.leakline.lint.flow.Value;
import dev.leakline.lint.flow.Value.Device;
import dev.leakline.lint.flow.Value.Kind;
import dev.leakline.lint.python.Syntax;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** LK005: objects that own tensors and come and go are tied into a reference cycle. */
public final class ReferenceCycle implements RuleCheck {
    @Override
    public String rule() {
        return "LK005";
    }

    @Override
    public void check(Flow flow, Hits hits) {
        for (ClassModel model : flow.file().classes()) {
            if (model.role == Role.AUTOGRAD_FUNCTION) {
                checkContext(model, hits);
            }
        }
        for (FunctionModel function : flow.file().functions()) {
            checkRecursive(function, flow, hits);
        }
        List<FlowEvent.Store> stores = flow.events(FlowEvent.Store.class);
        for (FlowEvent.Store store : stores) {
            checkCapture(store, flow, hits);
        }
        new LinkedObjects(this, flow, hits).check(stores);
        for (FlowEvent.Call call : flow.events(FlowEvent.Call.class)) {
            checkFinalizer(call, flow, hits);
        }
    }

    /** ctx.y = output: the graph's node holds the context, the context the output, the output the node. */
    private void checkContext(ClassModel model, Hits hits) {
        FunctionModel forward = model.methods.get("forward");
        if (forward == null || forward.parameters.isEmpty()) {
            return;
        }
        String context = forward.parameters.getFirst().name();
        Set<String> outputs = new LinkedHashSet<>();
        forward.node.walk(node -> {
            if (node.is("return_statement")) {
                node.children().forEach(value -> LinkedObjects.addNames(value, outputs));
            }
        });
        forward.parameters.forEach(parameter -> outputs.remove(parameter.name()));
        forward.node.walk(node -> {
            if (node.is("assignment")
                    && node.text("left").startsWith(context + ".")
                    && node.child("right") instanceof Syntax right) {
                Set<String> stored = new LinkedHashSet<>();
                LinkedObjects.addNames(right, stored);
                stored.retainAll(outputs);
                if (!stored.isEmpty()) {
                    hits.add(
                            this,
                            node,
                            Hits.SURE,
                            "the output is kept on %s, whose node the output itself holds: a cycle that only the cycle collector frees; use save_for_backward"
                                    .formatted(context));
                }
            }
        });
    }

    /** An inner function that calls itself holds itself, and with it whatever it captures. */
    private void checkRecursive(FunctionModel function, Flow flow, Hits hits) {
        FunctionModel outer = function.outer;
        if (outer == null
                || outer.isModuleLevel()
                || function.owner != null
                || function.node.is("lambda")
                || outer.name.equals("<lambda>")) {
            return;
        }
        boolean[] calls = new boolean[1];
        boolean[] captures = new boolean[1];
        Set<String> own = new LinkedHashSet<>(function.variables.keySet());
        function.node.walk(node -> {
            if (node.is("identifier")
                    && node.parent() instanceof Syntax parent
                    && !parent.is("keyword_argument")
                    && parent.child("attribute") != node) {
                calls[0] |= node.text().equals(function.name)
                        && parent.child("name") != node
                        && function.parameters.stream()
                                .noneMatch(parameter -> parameter.name().equals(function.name));
                Slot captured = own.contains(node.text()) ? null : outer.variables.get(node.text());
                captures[0] |= captured != null && holdsTensor(captured.value());
            }
        });
        if (calls[0] && captures[0] && (flow.isPerStep(outer) || (outer.callers.isEmpty() && !outer.isConstructor()))) {
            hits.add(
                    this,
                    function.node,
                    flow.isPerStep(outer) ? Hits.LIKELY : Hits.POSSIBLE,
                    "%s refers to itself and to tensors of %s: the cycle keeps them until the cycle collector runs"
                            .formatted(function.name, outer.name));
        }
    }

    private static boolean holdsTensor(Value value) {
        return (value.may(Kind.TENSOR) && value.device() != Device.CPU && !value.may(Kind.MODULE))
                || value.containers().stream()
                        .anyMatch(
                                c -> c.element().may(Kind.TENSOR) && c.element().device() != Device.CPU);
    }

    /** self.f = lambda: self.x, a bound method, a partial of one, an inner function that captures self, or self itself. */
    private void checkCapture(FlowEvent.Store store, Flow flow, Hits hits) {
        FunctionModel function = store.function();
        String self = function.self();
        Slot slot = store.slot();
        ClassModel owner = function.owner;
        if (slot == null || self == null || owner == null) {
            return;
        }
        boolean own = slot.isAttribute && slot.owner == owner;
        if (!own
                || !self.equals(LinkedObjects.holderOf(store))
                || (store.way() != Way.SET && store.way() != Way.APPEND && store.way() != Way.PUT)
                || !LinkedObjects.isOfSteps(owner, flow)) {
            return;
        }
        if (capturesSelf(store.stored(), self, function, flow, 0)) {
            hits.add(
                    this,
                    store.node(),
                    Hits.LIKELY,
                    "%s captures %s and is kept on it: the cycle keeps the tensors of the object until the cycle collector runs"
                            .formatted(Phrases.shortened(store.stored()), self),
                    Uncycling.captured(store.stored(), self, flow.file()));
        }
    }

    private static boolean capturesSelf(Syntax stored, String self, FunctionModel function, Flow flow, int depth) {
        if (depth > 3) {
            return false;
        }
        return switch (stored.type()) {
            case "identifier" ->
                stored.text().equals(self) || isCapturingFunction(flow.valueOf(stored), self, function);
            case "lambda" ->
                mentions(stored.child("body"), self) && !names(stored).contains(self);
            case "attribute" ->
                stored.text("object").equals(self)
                        && function.owner != null
                        && function.owner.methods.get(stored.text("attribute")) instanceof FunctionModel method
                        && method.decorators.isEmpty();
            case "call" ->
                isBinding(stored, flow)
                        && stored.child("arguments") instanceof Syntax arguments
                        && arguments.children().stream()
                                .anyMatch(a -> capturesSelf(a, self, function, flow, depth + 1));
            case "list", "tuple", "set" ->
                stored.children().stream().anyMatch(child -> capturesSelf(child, self, function, flow, depth + 1));
            case "dictionary" ->
                stored.children().stream()
                        .anyMatch(pair -> pair.child("value") instanceof Syntax value
                                && capturesSelf(value, self, function, flow, depth + 1));
            case "pair", "keyword_argument" ->
                stored.child("value") instanceof Syntax value && capturesSelf(value, self, function, flow, depth + 1);
            case "parenthesized_expression" ->
                stored.children().stream().anyMatch(child -> capturesSelf(child, self, function, flow, depth + 1));
            default -> false;
        };
    }

    private static boolean isBinding(Syntax call, Flow flow) {
        String name = flow.file().qualified(call.text("function"));
        return name.equals("functools.partial") || name.equals("partial") || name.equals("types.MethodType");
    }

    private static boolean isCapturingFunction(Value value, String self, FunctionModel around) {
        return value.may(Kind.FUNCTION)
                && value.target() instanceof FunctionModel inner
                && inner.outer == around
                && inner.owner == null
                && mentions(inner.node.child("body"), self)
                && inner.parameters.stream()
                        .noneMatch(parameter -> parameter.name().equals(self));
    }

    private static Set<String> names(Syntax lambda) {
        Set<String> names = new LinkedHashSet<>();
        if (lambda.child("parameters") instanceof Syntax parameters) {
            parameters.walk(node -> {
                if (node.is("identifier")) {
                    names.add(node.text());
                }
            });
        }
        return names;
    }

    private static boolean mentions(@Nullable Syntax node, String name) {
        boolean[] found = new boolean[1];
        if (node != null) {
            node.walk(inner -> found[0] |= inner.is("identifier")
                    && inner.text().equals(name)
                    && !(inner.parent() != null
                            && inner.parent().is("attribute")
                            && inner.parent().child("attribute") == inner));
        }
        return found[0];
    }

    /** weakref.finalize(self, self.close) holds self for ever, since the method does. */
    private void checkFinalizer(FlowEvent.Call call, Flow flow, Hits hits) {
        FileModel file = flow.file();
        String name = file.qualified(call.node().text("function"));
        if (!name.equals("weakref.finalize")
                || !(call.node().child("arguments") instanceof Syntax arguments)
                || arguments.children().size() < 2) {
            return;
        }
        String object = arguments.children().getFirst().text();
        FunctionModel function = call.function();
        boolean bound = arguments.children().stream()
                .skip(1)
                .anyMatch(argument -> argument.text().equals(object)
                        || (argument.is("attribute") && argument.text("object").equals(object))
                        || (argument.is("lambda") && mentions(argument.child("body"), object)));
        ClassModel owner = object.equals(function.self())
                ? function.owner
                : flow.valueOf(arguments.children().getFirst()).target() instanceof ClassModel model ? model : null;
        if (bound && owner != null && LinkedObjects.isOfSteps(owner, flow)) {
            hits.add(
                    this,
                    call.node(),
                    Hits.SURE,
                    "the finalizer holds %s itself, through a method bound to it: it is never freed".formatted(object));
        }
    }
}
