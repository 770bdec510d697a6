package dev.leakline.python.flow;

import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Results of calls, and their effects on what they are called on. */
final class FlowCalls {
    private final ProgramFlow flow;
    private final FlowExpressions expressions;
    private final FlowFunctions functions;
    private final FlowCollections collections;
    private final FlowAdditions additions;

    FlowCalls(ProgramFlow flow, FlowExpressions expressions, FlowFunctions functions) {
        this.flow = flow;
        this.expressions = expressions;
        this.functions = functions;
        this.collections = new FlowCollections(flow, expressions, functions);
        this.additions = new FlowAdditions(flow);
    }

    FlowValue value(Expr.Call call, FlowScope scope) {
        List<FlowValue> given =
                call.args().stream().map(each -> argument(each, scope)).toList();
        Map<String, FlowValue> named = new HashMap<>();
        for (Node.Keyword keyword : call.keywords()) {
            named.put(Objects.requireNonNullElse(keyword.arg(), "**"), expressions.value(keyword.value(), scope));
            Expr same = keyword.arg() == null ? null : attribute(keyword.value(), keyword.arg());
            if (same != null) {
                flow.carried.note(keyword.value(), same, keyword.value(), scope);
            }
        }
        FlowValue on = call.func() instanceof Expr.Attribute method
                ? expressions.value(method.value(), scope)
                : FlowValue.NOTHING;
        FlowValue callee = expressions.value(call.func(), scope);
        String name = fullName(call.func(), scope);
        Expr alias = alias(callee);
        if (alias instanceof Expr.Attribute method && alias != call.func()) {
            additions.note(call, alias, "", expressions.value(method.value(), scope), given, scope);
        } else if (name.equals("map")
                && given.size() == 2
                && alias(given.getFirst()) instanceof Expr.Attribute method) {
            FlowValue items = expressions.items.iterated(call.args().getLast(), scope);
            additions.note(call, method, "", expressions.value(method.value(), scope), List.of(items, items), scope);
        } else {
            additions.note(call, call.func(), name, on, given, scope);
        }
        if (call.method().equals("backward") && on.reached() > 0) {
            flow.facts.backward.add(call);
        }
        if (ProgramFlow.isOfErrors(call.method())) {
            given.stream()
                    .flatMap(value -> value.heap().stream())
                    .filter(heap -> heap.scope != null)
                    .forEach(heap -> flow.giveError(heap.scope, heap.node));
        }
        Invocation invocation = new Invocation(call, given, named, scope);
        noteMixed(callee, invocation);
        FlowValue known = collections.made(call, name, invocation);
        if (known == null) {
            known = name.equals("super") ? functions.ofSuper(scope) : TorchResults.called(name);
        }
        if (name.equals("getattr") && call.args().size() > 1 && call.args().get(1) instanceof Expr.Constant it) {
            FlowValue read =
                    expressions.attributes.of(given.getFirst(), FlowAdditions.unquoted(it, scope), call, scope);
            return given.size() > 2 && !given.getFirst().isTensor() ? read.join(given.get(2)) : read;
        }
        if (name.equals("getattr") && call.args().size() > 1) {
            return flow.texts().stream()
                    .map(method -> functions.method(given.getFirst(), method, call, scope))
                    .reduce(FlowValue.ANY, FlowValue::join);
        }
        boolean isReplacing = name.equals("dataclasses.replace") && !given.isEmpty();
        if (isReplacing || call.method().equals("_replace")) {
            FlowValue replaced = isReplacing ? given.getFirst() : on;
            replaced.heap().forEach(heap -> named.forEach((field, value) -> flow.add(heap, field, value)));
            return replaced;
        }
        if (known != null) {
            boolean isGone = (name.indexOf('.') < 0 && NameSets.has("PLAIN_BUILTINS", name)) || known.isPlain();
            return isGone ? known : known.labelled(invocation.derived());
        }
        if (isFluent(on, callee, call.method())) {
            return on;
        }
        if (call.func() instanceof Expr.Attribute method) {
            FlowValue builtin = collections.ofMethod(call, method.attr(), on, invocation);
            if (builtin != null) {
                return builtin;
            }
        }
        if (callee.heap().isEmpty() && NameSets.has("STARTING", call.name())) {
            return task(invocation, opaque(call, on, invocation));
        }
        FlowValue found = FlowValue.NOTHING;
        boolean isOwn = false;
        for (Heap heap : callee.heap()) {
            FlowValue result = functions.result(heap, invocation);
            if (result != null) {
                isOwn = true;
                found = found.join(result);
            }
        }
        flow.facts.callees.put(call, List.copyOf(invocation.callees()));
        if (callee.is(FlowValue.LAYER)) {
            found = found.join(FlowValue.TENSORS.labelled(invocation.derived()));
        } else if (callee.is(FlowValue.TUPLE_LAYER)) {
            found = found.join(collections.tensors(Heap.Kind.TUPLE, call, invocation.derived(), scope));
        } else if (callee.is(FlowValue.UNKNOWN) || !isOwn) {
            boolean isUnsettled =
                    callee.equals(FlowValue.NOTHING) && flow.open(callee).equals(FlowValue.NOTHING) && name.isEmpty();
            found = isUnsettled ? found : found.join(opaque(call, on, invocation));
        }
        return found;
    }

    /** An argument; the items of one that is spread. */
    private FlowValue argument(Expr written, FlowScope scope) {
        FlowValue value = expressions.value(written, scope);
        return written instanceof Expr.Starred && !value.heap().isEmpty()
                ? value.items().labelled(value.label())
                : value;
    }

    /** An attribute of a name within an expression, such as that which a copy of an object is given anew. */
    private static @Nullable Expr attribute(Expr expression, String name) {
        return switch (expression) {
            case Expr.Attribute it when it.attr().equals(name) -> it;
            case Expr.BinOp it -> attribute(List.of(it.left(), it.right()), name);
            case Expr.Tuple it -> attribute(it.elts(), name);
            case Expr.ListDisplay it -> attribute(it.elts(), name);
            case Expr.Starred it -> attribute(it.value(), name);
            default -> null;
        };
    }

    private static @Nullable Expr attribute(List<Expr> elements, String name) {
        return elements.stream()
                .flatMap(each -> Stream.ofNullable(attribute(each, name)))
                .findFirst()
                .orElse(null);
    }

    /** A task that calls the first function that it is given with what comes behind, or runs a coroutine. */
    private FlowValue task(Invocation call, FlowValue other) {
        List<FlowValue> given = call.given();
        Optional<FlowValue> first = given.stream()
                .filter(value -> value.isCalled() || value.isOnly(Heap.Kind.GENERATOR))
                .findFirst();
        List<FlowValue> rest = first.map(value -> given.subList(given.indexOf(value) + 1, given.size()))
                .orElse(given);
        FlowValue result = first.map(value ->
                        value.isCalled() ? functions.joined(value.heap().stream(), call.with(rest)) : value.items())
                .orElse(other);
        flow.facts.callees.put(call.at(), List.copyOf(call.callees()));
        Heap task = flow.heap(Heap.Kind.TASK, call.at(), call.scope().file);
        flow.add(task, Heap.ITEMS, result);
        first.ifPresent(value -> flow.add(task, FlowFunctions.FUNCTION, value));
        return FlowValue.of(task);
    }

    private static boolean isFluent(FlowValue on, FlowValue callee, String name) {
        boolean isModule = on.is(FlowValue.LAYER | FlowValue.TUPLE_LAYER) || on.isOnly(Heap.Kind.INSTANCE);
        return isModule && callee.heap().isEmpty() && NameSets.has("FLUENT", name);
    }

    /** The result of an unknown call: anything, made of what it was given. */
    private static FlowValue opaque(Expr.Call call, FlowValue on, Invocation invocation) {
        int label = Math.min(Math.max(invocation.label(), on.reached()), FlowValue.DERIVED);
        return NameSets.has("LET_GO", call.method()) ? FlowValue.ANY : FlowValue.ANY.labelled(label);
    }

    /** Notes that something labelled is given to a layer, whose weights are on the device, or together with other tensors. */
    private void noteMixed(FlowValue callee, Invocation call) {
        boolean isLabelled = call.label() > 0;
        boolean isLayer = callee.is(FlowValue.LAYER | FlowValue.TUPLE_LAYER);
        boolean isOpaque = callee.heap().isEmpty();
        boolean isOther = isOpaque
                && call.all()
                        .anyMatch(value -> value.reached() == 0
                                && value.is(FlowValue.TENSOR)
                                && value.heap().isEmpty());
        if (isLabelled && (isLayer || isOther)) {
            flow.facts.mixed.add(call.at());
        }
    }

    /** The method of a collection that a value is; null where it is none, or may be several. */
    private static @Nullable Expr alias(FlowValue callee) {
        List<Node> methods = callee.heap().stream()
                .filter(heap ->
                        heap.kind == Heap.Kind.METHOD && heap.functions().isEmpty())
                .map(heap -> heap.node)
                .toList();
        return callee.heap().size() == 1 && methods.size() == 1 && methods.getFirst() instanceof Expr.Attribute method
                ? method
                : null;
    }

    /** The full name of what an expression refers to, by the imports of its file; empty for what the program makes itself. */
    static String fullName(Expr expression, FlowScope scope) {
        return switch (expression) {
            case Expr.Name it ->
                scope.file.isImported(it.id()) || scope.of(it.id()) == null ? scope.file.fullName(it) : "";
            case Expr.Attribute it -> {
                String of = fullName(it.value(), scope);
                yield of.isEmpty() ? "" : of + "." + it.attr();
            }
            default -> "";
        };
    }
}
