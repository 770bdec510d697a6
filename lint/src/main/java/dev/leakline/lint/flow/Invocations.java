package dev.leakline.lint.flow;

import dev.leakline.lint.flow.ClassModel.Instantiation;
import dev.leakline.lint.flow.FunctionModel.CallSite;
import dev.leakline.lint.flow.FunctionModel.Parameter;
import dev.leakline.lint.flow.Value.Kind;
import dev.leakline.python.Expr;
import dev.leakline.python.flow.Certainty;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Calls of what the file defines: functions get arguments and give back what they return; classes make instances. */
final class Invocations {
    private final Expressions expressions;
    private final FileModel file;
    private final Flow flow;

    Invocations(Expressions expressions) {
        this.expressions = expressions;
        this.file = expressions.file;
        this.flow = expressions.flow;
    }

    Value callFunction(Expr.Call call, Value called, FunctionModel function, Arguments arguments, Scope frame) {
        if (function.isLambda()) {
            return callLambda(function, arguments.places(), frame);
        }
        boolean bound = function.self() != null && !called.items().isEmpty();
        boolean onClass = bound
                && called.items().getFirst().may(Kind.CLASS)
                && !called.items().getFirst().may(Kind.INSTANCE)
                && !function.isDecoratedAs("classmethod");
        return invoke(
                function,
                call,
                bound && !onClass ? arguments.withSelf(called.items().getFirst()) : arguments,
                frame);
    }

    /** Calls a function of this file: it gets the arguments in the next round, and gives back what it gave back in the last. */
    Value invoke(FunctionModel function, Expr call, Arguments arguments, Scope frame) {
        List<Value> places = arguments.places();
        function.callers.add(new CallSite(call, frame.function, frame.loop, frame.grad));
        for (int i = 0; i < function.parameters.size(); i++) {
            Parameter parameter = function.parameters.get(i);
            if (i == 0 && parameter.name().equals(function.self())) {
                continue;
            }
            if (parameter.stars() == 1) {
                for (int rest = i; rest < places.size(); rest++) {
                    function.addArgument(parameter.name(), places.get(rest));
                }
                break;
            }
            if (i < places.size()) {
                function.addArgument(parameter.name(), places.get(i));
            } else {
                arguments.spread().forEach(value -> function.addArgument(parameter.name(), value));
            }
        }
        for (Map.Entry<String, Value> entry : arguments.names().entrySet()) {
            boolean known = function.parameters.stream()
                    .anyMatch(p -> p.stars() == 0 && p.name().equals(entry.getKey()));
            for (Parameter parameter : function.parameters) {
                if (known ? parameter.name().equals(entry.getKey()) : parameter.stars() == 2) {
                    function.addArgument(parameter.name(), entry.getValue());
                }
            }
        }
        if (function.name.equals("forward") && function.owner != null && function.owner.isModule()) {
            return function.returned();
        }
        Value returned = function.returned().kinds() == 0 ? Value.NONE : function.returned();
        boolean manager = function.isDecoratedAs("contextmanager");
        if (manager) {
            return returned.withTarget(function);
        }
        if (function.isGenerator) {
            return flow.holding(call, "yields", frame, returned);
        }
        boolean mixed = frame.grad == Certainty.NO && function.entryGrad == Certainty.LIKELY;
        return (mixed ? detached(returned, function, call, frame) : returned).readFrom(null);
    }

    /** A returned value without its graph, as a call under no_grad gives it, in the function's own lists and dicts, too. */
    private Value detached(Value returned, FunctionModel function, Expr call, Scope frame) {
        Set<HeapContainer> containers = new LinkedHashSet<>();
        for (HeapContainer container : returned.containers()) {
            HeapContainer own = container.function == function
                    ? flow.container(call, container.site, frame, container.isSlice)
                    : container;
            if (own != container) {
                own.put(container.element().detachedThroughout());
            }
            containers.add(own);
        }
        return returned.detachedThroughout().withContainers(containers);
    }

    Value instantiate(Expr.Call call, ClassModel model, Arguments arguments, Scope frame) {
        model.instantiations.add(new Instantiation(call, frame.function, frame.loop));
        FunctionModel constructor = file.method(model, "__init__");
        Value instance = Value.of(Kind.INSTANCE | (model.isModule() ? Kind.MODULE : 0), model);
        if (constructor != null) {
            invoke(constructor, call, arguments.withSelf(instance), frame);
        } else {
            List<String> fields = new ArrayList<>(model.attributes.keySet());
            for (int i = 0; i < arguments.places().size() && i < fields.size(); i++) {
                model.attribute(fields.get(i))
                        .assign(call, frame.function, arguments.places().get(i).readFrom(null));
            }
            arguments
                    .names()
                    .forEach((name, value) -> model.attribute(name).assign(call, frame.function, value.readFrom(null)));
        }
        return frame.loop == null ? instance : instance.from(Set.of(frame.loop));
    }

    /** The result of a lambda that is called with these. */
    Value callLambda(FunctionModel function, List<Value> arguments, Scope frame) {
        Scope inner = new Scope(function, frame.grad);
        if (function.outer == frame.function) {
            inner.enter(frame.state().copy());
        }
        for (int i = 0; i < function.parameters.size(); i++) {
            Value value = i < arguments.size() ? arguments.get(i) : Value.OTHER;
            inner.variables.put(function.parameters.get(i).name(), value);
        }
        return function.node instanceof Expr.Lambda it ? expressions.evaluate(it.body(), inner) : Value.OTHER;
    }
}
