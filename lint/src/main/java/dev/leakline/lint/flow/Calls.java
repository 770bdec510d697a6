package dev.leakline.lint.flow;

import dev.leakline.lint.flow.Value.Device;
import dev.leakline.lint.flow.Value.Kind;
import dev.leakline.lint.names.CodeNames;
import dev.leakline.python.Expr;
import dev.leakline.python.flow.Certainty;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Evaluates calls: of functions and classes of the file, of modules, of torch, of containers, and of what nobody knows. */
final class Calls {
    final Expressions expressions;
    final Torch torch;
    final Invocations invocations;
    final Passes passes;
    final Methods methods;
    final Builtins builtins;
    private final FileModel file;
    private final Flow flow;

    Calls(Expressions expressions) {
        this.expressions = expressions;
        this.file = expressions.file;
        this.flow = expressions.flow;
        this.torch = new Torch(expressions);
        this.invocations = new Invocations(expressions);
        this.passes = new Passes(this);
        this.methods = new Methods(this);
        this.builtins = new Builtins(this);
    }

    Value evaluate(Expr.Call call, Scope frame) {
        Expr object = call.receiver();
        Value receiver = object == null ? null : expressions.evaluate(object, frame);
        Value called = expressions.evaluate(call.func(), frame);
        Arguments arguments = Arguments.of(call, expressions, frame);
        Value made = dispatch(call, called, receiver, arguments, frame);
        Value result = CodeNames.isHookRegistration(call.method())
                ? made.from(Set.of(flow.origin(Origin.Type.HANDLE, call, frame)))
                : made;
        flow.add(new FlowEvent.Call(call, called.qualified(), receiver, result, frame.function, frame.loop));
        return result;
    }

    private Value dispatch(Expr.Call call, Value called, @Nullable Value receiver, Arguments arguments, Scope frame) {
        callBack(arguments, call.func(), frame);
        String method = call.method();
        if (method.endsWith("backward") && receiver != null && !"torch.autograd".equals(receiver.qualified())) {
            backward(call, receiver, method, arguments, frame);
            return Value.NONE;
        }
        if (called.qualified() != null) {
            Value known = qualified(call, called.qualified(), arguments, frame);
            if (known != null) {
                return known;
            }
        }
        if (called.target() instanceof FunctionModel function && called.may(Kind.FUNCTION)) {
            return invocations.callFunction(call, called, function, arguments, frame);
        }
        if (called.target() instanceof ClassModel model && called.may(Kind.CLASS)) {
            return invocations.instantiate(call, model, arguments, frame);
        }
        if (call.func() instanceof Expr.Name name && called.isOnly(Kind.OTHER) && called.slot() == null) {
            Value built = builtins.builtin(call, name.id(), arguments, frame);
            if (built != null) {
                return built;
            }
        }
        if (receiver != null && call.func() instanceof Expr.Attribute callee) {
            Value known = methods.method(call, callee.value(), receiver, method, arguments, frame);
            if (known != null) {
                return known;
            }
        }
        if (called.target() instanceof ClassModel model && called.may(Kind.INSTANCE) && !model.isModule()) {
            FunctionModel function = file.method(model, "__call__");
            if (function != null) {
                return invocations.invoke(function, call, arguments.withSelf(called), frame);
            }
        }
        return passes.unknown(call, call.func(), called, receiver, arguments, frame);
    }

    /** Functions that are given away are called by somebody, some time, with nobody knows what; hooks with tensors. */
    private void callBack(Arguments arguments, Expr callee, Scope frame) {
        String name = callee instanceof Expr.Attribute it ? it.attr() : file.text(callee);
        for (Value argument : arguments.all()) {
            if (argument.target() instanceof FunctionModel function && argument.may(Kind.FUNCTION)) {
                function.isCallback = true;
                if (name.contains("forward_hook") || name.contains("forward_pre_hook")) {
                    Certainty grad = frame.grad == Certainty.NO ? Certainty.NO : Certainty.LIKELY;
                    Value output = Value.of(Kind.TENSOR).withGrad(grad).on(Device.LIKELY_GPU);
                    int first = function.self() == null ? 0 : 1;
                    List<Value> given = List.of(Value.of(Kind.MODULE), output, output);
                    for (int i = 0; i < given.size() && first + i < function.parameters.size(); i++) {
                        function.addArgument(function.parameters.get(first + i).name(), given.get(i));
                    }
                    if (function.isLambda()) {
                        invocations.callLambda(function, given, frame);
                    }
                } else if (name.endsWith("_hook")) {
                    int first = function.self() == null ? 0 : 1;
                    if (first < function.parameters.size()) {
                        Value gradient = Value.of(Kind.TENSOR).on(Device.LIKELY_GPU);
                        function.addArgument(
                                function.parameters
                                        .get(function.parameters.size() - 1)
                                        .name(),
                                gradient);
                    }
                }
            }
        }
    }

    private void backward(Expr.Call call, Value receiver, String method, Arguments arguments, Scope frame) {
        Value target = method.equals("backward") && arguments.all().isEmpty()
                ? receiver
                : arguments.combined(expressions, receiver);
        noteBackward(call, target, receiver.qualified() == null, frame);
    }

    private void noteBackward(Expr.Call call, Value target, boolean isMethod, Scope frame) {
        flow.markBackward(target);
        flow.add(new FlowEvent.Backward(
                call,
                target,
                frame.function,
                frame.loop,
                call.given("retain_graph"),
                call.given("create_graph"),
                isMethod));
    }

    private @Nullable Value qualified(Expr.Call call, String name, Arguments arguments, Scope frame) {
        if (name.equals("torch.autograd.grad") || name.equals("torch.autograd.backward")) {
            Value target = arguments.places().isEmpty() ? Value.OTHER : expressions.flat(arguments.place(0));
            noteBackward(call, target, false, frame);
            Value gradient = Value.of(Kind.TENSOR).on(Device.LIKELY_GPU).from(target.sources());
            boolean keeps = call.given("create_graph") != null;
            return keeps ? gradient.withGrad(Certainty.LIKELY).withGraph(target.graph()) : gradient;
        }
        Certainty mode = Torch.gradMode(name, file.arguments(call));
        if (mode != null) {
            if (name.endsWith("set_grad_enabled")) {
                frame.grad = mode;
            }
            return Value.of(Kind.GRAD_MODE).withGrad(mode);
        }
        if (name.equals("functools.partial")) {
            Value whole = arguments.place(0);
            return whole.may(Kind.FUNCTION | Kind.CLASS | Kind.MODULE) ? whole : Value.of(Kind.FUNCTION);
        }
        if (name.equals("torch.utils.checkpoint.checkpoint")) {
            return passes.forward(call, "checkpoint", Certainty.UNKNOWN, Value.OTHER, arguments, frame);
        }
        if (name.startsWith("heapq.heap") && !arguments.nodes().isEmpty()) {
            return methods.ofHeap(call, name, arguments, frame);
        }
        Value container = builtins.container(call, name, arguments, frame);
        if (container != null) {
            return container;
        }
        if (name.startsWith("numpy.") || name.startsWith("np.")) {
            arguments.all().forEach(argument -> flow.markRead(expressions.flat(argument)));
            return Value.NUMBER.from(arguments.sources());
        }
        Value made = torch.function(name, arguments, frame);
        if (made != null
                && (name.startsWith("torch.max") || name.startsWith("torch.arg") || name.startsWith("torch.topk"))) {
            flow.markRead(arguments.combined(expressions, Value.NOTHING));
        }
        return made;
    }
}
