package dev.leakline.python.flow;

import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import dev.leakline.python.Stmt;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Results of the functions, methods and classes of the program where something calls them. */
final class FlowFunctions {
    /** The function of a method or a partial one, and the arguments that this is given before. */
    static final String FUNCTION = "function";

    private static final String PLACE = "#";
    /** Parameters that the items of one argument are given to. */
    private static final int MOST_SPREAD = 8;

    private final ProgramFlow flow;
    private final FlowExpressions expressions;
    /** Functions whose calls are followed at this moment. */
    private final Set<Heap> open = new HashSet<>();

    FlowFunctions(ProgramFlow flow, FlowExpressions expressions) {
        this.flow = flow;
        this.expressions = expressions;
    }

    /** The result of something that is called; null where it is nothing of the program. What calls itself on the way, as partials that are given one another, gives nothing. */
    @Nullable
    FlowValue result(Heap heap, Invocation call) {
        if (!open.add(heap)) {
            return null;
        }
        try {
            return called(heap, call);
        } finally {
            open.remove(heap);
        }
    }

    private @Nullable FlowValue called(Heap heap, Invocation call) {
        return switch (heap.kind) {
            case FUNCTION -> {
                if (heap.scope == null) {
                    yield partly(heap, call);
                }
                call.callees().add(heap.node);
                yield function(heap, call.spread(MOST_SPREAD), call.named());
            }
            case METHOD -> {
                List<FlowValue> all = new ArrayList<>(List.of(heap.field("self")));
                all.addAll(call.spread(MOST_SPREAD));
                FlowValue found = FlowValue.NOTHING;
                for (Heap function : heap.functions()) {
                    call.callees().add(function.node);
                    found = found.join(function(
                            function, function.isDecorated("staticmethod") ? call.given() : all, call.named()));
                }
                yield found;
            }
            case CLASS -> {
                Heap instance = expressions.attributes.instance(heap);
                if (call.at() instanceof Expr.Call it) {
                    flow.facts.construct(heap.node, it);
                }
                construct(heap, instance, call);
                yield FlowValue.of(instance);
            }
            case INSTANCE -> {
                FlowValue found = null;
                for (String name : List.of("__call__", "forward")) {
                    FlowValue method = expressions.attributes.of(FlowValue.of(heap), name, call.at(), call.scope());
                    if (!method.heap().isEmpty() && found == null) {
                        for (Heap each : method.heap()) {
                            FlowValue result = result(each, call);
                            found = result == null ? found : found == null ? result : found.join(result);
                        }
                    }
                }
                yield found;
            }
            default -> null;
        };
    }

    /** The results of all that may be called. */
    FlowValue joined(Stream<Heap> functions, Invocation call) {
        return functions
                .map(function -> result(function, call))
                .filter(Objects::nonNull)
                .reduce(FlowValue.NOTHING, FlowValue::join);
    }

    /** The result where a value is called by something that is no call of the source, such as a decorator. */
    FlowValue given(Expr at, FlowValue callee, List<FlowValue> given, FlowScope scope) {
        Invocation call = new Invocation(at, given, Map.of(), scope);
        FlowValue found = joined(callee.heap().stream(), call);
        if (at instanceof Expr.Subscript || at instanceof Expr.Attribute) {
            flow.facts.callees.put(at, List.copyOf(call.callees()));
        }
        return found;
    }

    /** The method of a name of the program's objects that a value may be; nothing for others. */
    FlowValue method(FlowValue of, String name, Expr at, FlowScope scope) {
        return of.isOnly(Heap.Kind.INSTANCE) && expressions.attributes.hasMethod(of, name)
                ? expressions.attributes.of(of, name, at, scope)
                : FlowValue.NOTHING;
    }

    /** A function with arguments that it is given before it is called. */
    FlowValue partial(Invocation call) {
        Heap heap = flow.heap(Heap.Kind.FUNCTION, call.at(), call.scope().file);
        for (int i = 0; i < call.given().size(); i++) {
            flow.add(heap, i == 0 ? FUNCTION : PLACE + (i - 1), call.given().get(i));
        }
        call.named().forEach((name, value) -> flow.add(heap, name, value));
        return FlowValue.of(heap);
    }

    /** The result of a partial function, which is given what it has been given before. */
    private FlowValue partly(Heap heap, Invocation call) {
        List<FlowValue> all = new ArrayList<>();
        while (heap.fields().containsKey(PLACE + all.size())) {
            all.add(heap.field(PLACE + all.size()));
        }
        all.addAll(call.given());
        return joined(heap.functions().stream(), call.with(all));
    }

    /** Gives the arguments of a constructor to __init__, or to the fields that a data class names. */
    private void construct(Heap type, Heap instance, Invocation call) {
        List<FlowValue> given = call.spread(MOST_SPREAD);
        FlowValue init = expressions.attributes.of(FlowValue.of(type), "__init__", call.at(), call.scope());
        List<FlowValue> all = new ArrayList<>(List.of(FlowValue.of(instance)));
        all.addAll(given);
        boolean isOwn = false;
        for (Heap function : init.heap()) {
            if (function.kind == Heap.Kind.FUNCTION) {
                call.callees().add(function.node);
                function(function, all, call.named());
                isOwn = true;
            }
        }
        if (!isOwn && type.node instanceof Stmt.ClassDef definition) {
            List<String> fields = definition.body().stream()
                    .filter(Stmt.AnnAssign.class::isInstance)
                    .map(Stmt.AnnAssign.class::cast)
                    .map(Stmt.AnnAssign::target)
                    .filter(Expr.Name.class::isInstance)
                    .map(target -> ((Expr.Name) target).id())
                    .toList();
            for (int i = 0; i < given.size() && i < fields.size(); i++) {
                flow.add(instance, fields.get(i), given.get(i));
                if (given.get(i).heap().contains(instance) && call.at() instanceof Expr.Call it) {
                    Expr next = it.args().get(Math.min(i, it.args().size() - 1));
                    flow.note(new FlowFacts.Add(
                            call.scope().file,
                            it,
                            next,
                            next,
                            null,
                            FlowValue.of(instance),
                            given.get(i),
                            FlowFacts.How.CHAINED));
                }
            }
            call.named().forEach((name, value) -> flow.add(instance, name, value));
        }
    }

    private FlowValue function(Heap heap, List<FlowValue> given, Map<String, FlowValue> named) {
        FlowScope scope = heap.scope;
        if (scope == null) {
            return FlowValue.ANY;
        }
        Node.Arguments arguments =
                heap.node instanceof Stmt.FunctionDef it ? it.args() : ((Expr.Lambda) heap.node).args();
        List<Node.Arg> places = arguments.places();
        for (int i = 0; i < given.size(); i++) {
            if (i < places.size()) {
                flow.give(scope, places.get(i).arg(), given.get(i));
            } else if (arguments.vararg() != null) {
                flow.give(scope, arguments.vararg().arg(), given.get(i));
            }
        }
        Node.Arg rest = arguments.kwarg();
        named.forEach(
                (name, value) -> flow.give(scope, rest == null || arguments.has(name) ? name : rest.arg(), value));
        boolean isGenerator = !scope.yielded.equals(FlowValue.NOTHING);
        boolean isCoroutine = heap.node instanceof Stmt.FunctionDef it && it.isAsync();
        if (isGenerator || isCoroutine) {
            Heap suspended = flow.heap(Heap.Kind.GENERATOR, arguments, heap.file);
            flow.add(suspended, Heap.ITEMS, isGenerator ? scope.yielded : scope.returned);
            scope.given.forEach((name, value) -> flow.add(suspended, name, value));
            return FlowValue.of(suspended);
        }
        return scope.returned;
    }

    FlowValue ofSuper(FlowScope scope) {
        Heap type = scope.parent == null ? null : flow.classes.get(scope.parent.node);
        return type != null
                ? bases(type).stream()
                        .map(expressions.attributes::instance)
                        .map(FlowValue::of)
                        .reduce(FlowValue.NOTHING, FlowValue::join)
                        .join(FlowValue.ANY)
                : FlowValue.ANY;
    }

    List<Heap> bases(Heap type) {
        if (!(type.node instanceof Stmt.ClassDef definition) || type.scope == null || type.scope.parent == null) {
            return List.of();
        }
        return definition.bases().stream()
                .flatMap(base -> flow.facts.value(base).heap().stream())
                .filter(heap -> heap.kind == Heap.Kind.CLASS && heap != type)
                .toList();
    }
}
