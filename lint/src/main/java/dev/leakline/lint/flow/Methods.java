package dev.leakline.lint.flow;

import dev.leakline.lint.flow.Value.Device;
import dev.leakline.lint.flow.Value.Kind;
import dev.leakline.python.Expr;
import dev.leakline.python.flow.Certainty;
import dev.leakline.python.flow.NameSets;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Calls of methods: of containers, modules, optimizers, tensors. */
final class Methods {

    private static final Set<String> MOVING = Set.of("to", "cuda", "cpu");

    private final Calls calls;
    private final Expressions expressions;
    private final FileModel file;
    private final Flow flow;

    Methods(Calls calls) {
        this.calls = calls;
        this.expressions = calls.expressions;
        this.file = expressions.file;
        this.flow = expressions.flow;
    }

    @Nullable
    Value method(Expr.Call call, Expr object, Value receiver, String name, Arguments arguments, Scope frame) {
        if (receiver.may(Kind.CONTAINER)
                || receiver.isOnly(Kind.OTHER)
                || receiver.isOnly(Kind.NONE | Kind.OTHER)
                || receiver.kinds() == 0) {
            Value known = containerMethod(call, object, receiver, name, arguments, frame);
            if (known != null) {
                return known;
            }
        }
        boolean moduleLike = receiver.may(Kind.MODULE) && !receiver.may(Kind.TENSOR);
        String text = file.text(object);
        if (moduleLike
                || (receiver.isOnly(Kind.OTHER)
                        && (file.isUsedAsModule(text)
                                || (calls.passes.isNamedAsModule(text) && !MOVING.contains(name))))) {
            if (NameSets.has("FLUENT", name)) {
                return receiver.plus(Kind.MODULE).readFrom(null);
            }
            if (NameSets.has("MODULE_PARTS", name)) {
                return flow.holding(call, "", frame, Value.of(Kind.MODULE));
            }
            if (name.equals("register_buffer")) {
                noteBuffer(receiver, arguments, call, frame);
            }
            if (name.equals("parameters") || name.equals("buffers") || name.startsWith("named_")) {
                return flow.holding(
                        call, "", frame, Value.of(Kind.PARAMETER | Kind.TENSOR).on(Device.LIKELY_GPU));
            }
            if (name.equals("forward") || name.equals("__call__")) {
                return calls.passes.forward(call, text, Certainty.SURE, receiver, arguments, frame);
            }
            if (name.equals("generate")) {
                return Value.tensor(Device.LIKELY_GPU);
            }
            if (name.equals("load_state_dict") || name.equals("zero_grad") || name.startsWith("register_")) {
                return Value.OTHER;
            }
        }
        if (name.equals("state_dict")) {
            return Value.of(Kind.STATE);
        }
        if (receiver.may(Kind.OPTIMIZER)) {
            return Value.OTHER;
        }
        if (receiver.may(Kind.METRIC)) {
            return NameSets.has("FLUENT", name) ? receiver.readFrom(null) : Value.tensor(Device.LIKELY_GPU);
        }
        if (name.equals("sample") && receiver.hasGraph()) {
            return sample(receiver);
        }
        if (receiver.may(Kind.STATE) && NameSets.has("STATE_PARTS", name)) {
            return receiver.readFrom(null);
        }
        if (name.equals("submit") && receiver.may(Kind.OTHER)) {
            Value future = Value.of(Kind.FUTURE);
            if (!(arguments.place(0).target() instanceof FunctionModel run)) {
                return future.on(Device.CPU);
            }
            return (run.returned().may(Kind.TENSOR) ? future : future.on(Device.CPU)).withTarget(run);
        }
        if (name.equals("with_traceback")) {
            return Value.OTHER;
        }
        boolean tensor = receiver.may(Kind.TENSOR)
                || (receiver.may(Kind.OTHER) && !receiver.may(Kind.CONTAINER) && NameSets.has("MEANT_OF_TENSORS", name))
                || (receiver.isOnly(Kind.OTHER) && (name.equals("to") || NameSets.has("NO_ARRAY_METHODS", name)));
        if (tensor) {
            Value made = calls.torch.method(receiver, name, arguments, frame);
            if (!made.may(Kind.TENSOR) || (!made.hasGraph() && receiver.hasGraph() && !name.startsWith("detach"))) {
                flow.markRead(receiver);
            }
            if (name.equals("requires_grad_") && !file.arguments(call).contains("False")) {
                noteInputGrad(frame);
            }
            return receiver.may(Kind.TENSOR) || !name.equals("to") ? made : made.plus(Kind.OTHER);
        }
        FunctionModel only = receiver.isOnly(Kind.OTHER) && receiver.qualified() == null ? file.onlyMethod(name) : null;
        if (only != null && only.self() != null && !name.startsWith("__")) {
            return calls.invocations.invoke(only, call, arguments.withSelf(receiver), frame);
        }
        return null;
    }

    /** PyTorch draws samples under no_grad; whether the sample() of another library does nobody can tell. */
    private static Value sample(Value distribution) {
        return Value.of(distribution.may(Kind.TENSOR) ? Kind.TENSOR : Kind.OTHER)
                .combined(distribution)
                .withGrad(distribution.may(Kind.DISTRIBUTION) ? Certainty.NO : Certainty.UNKNOWN);
    }

    /** self.register_buffer("x", tensor) makes an attribute. */
    private void noteBuffer(Value module, Arguments arguments, Expr.Call call, Scope frame) {
        Expr constant = arguments.nodes().isEmpty() ? null : arguments.nodes().getFirst();
        if (constant != null
                && Nodes.isConstant(constant, Expr.Constant.Kind.STR)
                && module.target() instanceof ClassModel model) {
            String name = Expressions.unquote(file.text(constant));
            model.attribute(name).assign(call, frame.function, Value.tensor(Device.LIKELY_GPU));
        }
    }

    private void noteInputGrad(Scope frame) {
        for (Origin origin : flow.origins()) {
            if (origin.function == frame.function) {
                origin.wantsInputGrad = true;
            }
        }
    }

    /** heappush() and heappop() do to a list what append() and pop() do. */
    Value ofHeap(Expr.Call call, String name, Arguments arguments, Scope frame) {
        Value heap = arguments.place(0);
        Expr object = arguments.nodes().getFirst();
        String method = name.equals("heapq.heappush") ? "append" : name.equals("heapq.heappop") ? "pop" : "";
        Value known = containerMethod(call, object, heap, method, arguments, frame);
        return known == null ? expressions.elementOf(heap) : known;
    }

    private @Nullable Value containerMethod(
            Expr.Call call, Expr object, Value receiver, String name, Arguments arguments, Scope frame) {
        boolean known = !receiver.containers().isEmpty();
        if (NameSets.has("APPENDING", name) || NameSets.has("EXTENDING", name)) {
            Set<HeapContainer> containers = expressions.containersOf(receiver, object, frame);
            List<Expr> nodes = arguments.nodes();
            if (containers.isEmpty() || nodes.isEmpty()) {
                return null;
            }
            Value value = arguments.places().getLast();
            Value stored = NameSets.has("EXTENDING", name) ? expressions.elementOf(value) : value;
            expressions.assignments.store(
                    FlowEvent.Way.APPEND, call, nodes.getLast(), stored, containers, receiver.slot(), frame);
            containers.forEach(container -> container.put(stored));
            return Value.NONE;
        }
        if (NameSets.has("REMOVING", name) && (known || receiver.slot() != null)) {
            expressions
                    .containersOf(receiver, object, frame)
                    .forEach(container -> container.emptiers.add(frame.function));
        }
        if (name.equals("setdefault") && arguments.places().size() == 2) {
            Set<HeapContainer> containers = expressions.containersOf(receiver, object, frame);
            Value value = arguments.place(1);
            Expr key = arguments.nodes().getFirst();
            if (!value.may(Kind.CONTAINER)) {
                expressions.assignments.keep(
                        FlowEvent.Way.PUT,
                        call,
                        arguments.nodes().getLast(),
                        value,
                        containers,
                        receiver.slot(),
                        key,
                        arguments.place(0),
                        frame);
            }
            containers.forEach(container -> container.put(value));
            return value.join(expressions.elementOf(receiver)).readFrom(receiver.slot());
        }
        if (!known && receiver.items().isEmpty() && receiver.fields().isEmpty()) {
            return null;
        }
        if (name.equals("items")) {
            return calls.builtins.pairs(call, List.of(Value.OTHER, expressions.elementOf(receiver)), frame);
        }
        if (NameSets.has("GIVING", name)) {
            Value element = expressions.elementOf(receiver);
            return name.equals("copy") || name.equals("values")
                    ? receiver.readFrom(null)
                    : name.equals("get") ? element.join(arguments.place(1)) : element;
        }
        return name.equals("update")
                        || NameSets.has("REMOVING", name)
                        || name.equals("keys")
                        || name.equals("index")
                        || name.equals("count")
                ? Value.OTHER
                : null;
    }
}
