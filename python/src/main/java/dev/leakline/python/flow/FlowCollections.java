package dev.leakline.python.flow;

import dev.leakline.python.Expr;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Collections that calls make, and results of the methods of tensors and of collections. */
final class FlowCollections {
    private final ProgramFlow flow;
    private final FlowExpressions expressions;
    private final FlowFunctions functions;

    FlowCollections(ProgramFlow flow, FlowExpressions expressions, FlowFunctions functions) {
        this.flow = flow;
        this.expressions = expressions;
        this.functions = functions;
    }

    /** The collection that a call makes. */
    @Nullable
    FlowValue made(Expr.Call call, String name, Invocation invocation) {
        List<FlowValue> given = invocation.given();
        FlowScope scope = invocation.scope();
        FlowValue items = given.isEmpty()
                ? FlowValue.NOTHING
                : given.getFirst().items().labelled(given.getFirst().label());
        if (!given.isEmpty() && given.getFirst().is(FlowValue.UNKNOWN)) {
            items = items.join(FlowValue.ANY).labelled(given.getFirst().label());
        }
        if (!given.isEmpty() && given.getFirst().isOnly(Heap.Kind.DICT) && !NameSets.has("MAPPINGS", name)) {
            items = FlowValue.PLAINS; // the keys
        }
        String maker = call.func() instanceof Expr.Call it ? FlowCalls.fullName(it.func(), scope) : name;
        if (NameSets.has("MEMOS", maker)
                && given.size() == 1
                && given.getFirst().isCalled()) {
            return given.getFirst();
        }
        if (name.equals("functools.partial")) {
            return functions.partial(invocation);
        }
        Heap.Kind kind = switch (name) {
            case "list", "sorted", "reversed" -> Heap.Kind.LIST;
            case "tuple" -> Heap.Kind.TUPLE;
            case "set", "frozenset" -> Heap.Kind.SET;
            case "iter", "map", "filter" -> Heap.Kind.GENERATOR;
            case "collections.deque" -> Heap.Kind.DEQUE;
            case "collections.defaultdict" -> Heap.Kind.DICT;
            default ->
                NameSets.has("QUEUES", name)
                        ? Heap.Kind.QUEUE
                        : NameSets.has("MAPPINGS", name)
                                ? Heap.Kind.DICT
                                : NameSets.has("HOLDERS", name) ? Heap.Kind.HOLDER : null;
        };
        if (kind == null) {
            return null;
        }
        FlowValue second = given.size() > 1 ? given.get(1) : null;
        FlowValue first = given.isEmpty() ? null : given.getFirst();
        boolean isBounded = switch (kind) {
            case DEQUE -> isLimit(invocation.named().get("maxlen"), second);
            case QUEUE -> isLimit(invocation.named().get("maxsize"), first);
            default -> false;
        };
        Heap heap = flow.heap(kind, call, scope.file, isBounded);
        if (name.equals("collections.defaultdict")) {
            flow.add(heap, Heap.ITEMS, factory(call, scope));
        } else if (kind == Heap.Kind.HOLDER) {
            flow.add(
                    heap,
                    Heap.ITEMS,
                    Objects.requireNonNullElse(invocation.named().get("default"), FlowValue.NOTHING));
        } else if (kind != Heap.Kind.QUEUE) {
            flow.add(heap, Heap.ITEMS, name.equals("map") ? FlowValue.ANY : items);
        }
        return FlowValue.of(heap);
    }

    private static boolean isLimit(@Nullable FlowValue... given) {
        for (FlowValue value : given) {
            if (value != null && !value.isNone()) {
                return true;
            }
        }
        return false;
    }

    private FlowValue factory(Expr.Call call, FlowScope scope) {
        if (call.args().isEmpty()) {
            return FlowValue.ANY;
        }
        Expr first = call.args().getFirst();
        Heap.Kind kind = switch (scope.file.text(first)) {
            case "list" -> Heap.Kind.LIST;
            case "dict" -> Heap.Kind.DICT;
            case "set" -> Heap.Kind.SET;
            case "deque", "collections.deque" -> Heap.Kind.DEQUE;
            default -> null;
        };
        if (kind == null) {
            FlowValue callee = expressions.value(first, scope);
            return functions.given(first, callee, List.of(), scope);
        }
        return FlowValue.of(flow.heap(kind, first, scope.file));
    }

    /** The result of a method of a tensor or of a collection; null for others. */
    @Nullable
    FlowValue ofMethod(Expr.Call call, String name, FlowValue on, Invocation invocation) {
        List<FlowValue> given = invocation.given();
        FlowScope scope = invocation.scope();
        boolean isMeant = on.isOpen() && on.heap().isEmpty() && TorchResults.isTensorMethod(name, on.label() > 0);
        if (on.isTensor() || isMeant) {
            if (NameSets.has("SEVERAL", name)) {
                return tensors(Heap.Kind.TUPLE, call, on.label(), scope);
            }
            int label = NameSets.has("LET_GO", name)
                    ? 0
                    : NameSets.has("VIEWS", name)
                            ? on.label()
                            : Math.min(
                                    Math.max(
                                            on.label(),
                                            invocation.given().stream()
                                                    .mapToInt(FlowValue::reached)
                                                    .max()
                                                    .orElse(0)),
                                    FlowValue.DERIVED);
            return TorchResults.ofTensor(name).labelled(label);
        }
        boolean isCollection = on.kinds() == 0
                && !on.heap().isEmpty()
                && on.heap().stream().noneMatch(heap -> heap.kind.isNamespace());
        if (!isCollection) {
            return null;
        }
        if (name.equals("setdefault") || NameSets.has("TAKING", name)) {
            FlowValue items = on.items();
            boolean isDefaulted = name.equals("setdefault") || (name.equals("get") && on.isOnly(Heap.Kind.DICT));
            FlowValue other =
                    given.size() > 1 ? given.get(1) : isDefaulted ? FlowValue.of(FlowValue.NONE) : FlowValue.NOTHING;
            return (isDefaulted ? items.join(other) : items).labelled(on.label());
        }
        if (name.equals("copy") || name.equals("new_child") || NameSets.has("FLUENT", name)) {
            return on;
        }
        if (on.isOnly(Heap.Kind.HOLDER)) {
            return set(call, name, on, given, scope);
        }
        if (name.equals("values")) {
            Heap values = flow.heap(Heap.Kind.GENERATOR, call, scope.file);
            flow.add(values, Heap.ITEMS, on.items());
            return FlowValue.of(values);
        }
        return name.equals("items") || name.equals("keys") ? FlowValue.ANY.labelled(on.reached()) : FlowValue.PLAINS;
    }

    /** The result of another method of an object of a library; a variable of a context is set. */
    private FlowValue set(Expr.Call call, String name, FlowValue on, List<FlowValue> given, FlowScope scope) {
        if (name.equals("set") && given.size() == 1 && call.func() instanceof Expr.Attribute method) {
            on.heap().forEach(heap -> flow.add(heap, Heap.ITEMS, given.getFirst()));
            Expr written = call.args().getFirst();
            scope.file.nodes().stream()
                    .filter(node -> node instanceof Expr.Call read
                            && scope.file.isIn(read, written)
                            && scope.file.text(read).equals(scope.file.text(method.value()) + ".get()"))
                    .limit(1)
                    .forEach(read -> flow.carried.note(call, (Expr) read, written, scope));
        }
        return FlowValue.ANY;
    }

    /** A collection of tensors. */
    FlowValue tensors(Heap.Kind kind, Expr at, int label, FlowScope scope) {
        Heap heap = flow.heap(kind, at, scope.file);
        flow.add(heap, Heap.ITEMS, FlowValue.TENSORS.labelled(label));
        return FlowValue.of(heap);
    }
}
