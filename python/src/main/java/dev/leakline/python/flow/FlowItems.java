package dev.leakline.python.flow;

import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import java.util.List;
import java.util.Set;

/** Displays and comprehensions, and the items that subscripts and loops take. */
final class FlowItems {
    private final ProgramFlow flow;
    private final FlowExpressions expressions;
    private final FlowFunctions functions;

    FlowItems(ProgramFlow flow, FlowExpressions expressions, FlowFunctions functions) {
        this.flow = flow;
        this.expressions = expressions;
        this.functions = functions;
    }

    FlowValue item(Expr.Subscript it, FlowScope scope) {
        FlowValue of = expressions.value(it.value(), scope);
        FlowValue key = expressions.value(it.slice(), scope);
        if (expressions.attributes.hasMethod(of, "__getitem__")) {
            return functions.given(it, expressions.attributes.of(of, "__getitem__", it, scope), List.of(key), scope);
        }
        if (it.slice() instanceof Expr.Slice) {
            FlowValue same = of.is(FlowValue.TENSOR) || of.is(FlowValue.UNKNOWN)
                    ? of
                    : new FlowValue(of.kinds(), of.label(), Set.of());
            for (Heap heap : of.heap()) {
                Heap part = flow.heap(heap.kind == Heap.Kind.TUPLE ? Heap.Kind.TUPLE : Heap.Kind.LIST, it, scope.file);
                flow.add(part, Heap.ITEMS, heap.field(Heap.ITEMS));
                same = same.join(FlowValue.of(part));
            }
            return same;
        }
        String place = it.slice() instanceof Expr.Constant constant && constant.kind() == Expr.Constant.Kind.INT
                ? "[" + scope.file.text(constant) + "]"
                : "";
        if (of.is(FlowValue.LAYER)) {
            return FlowValue.of(FlowValue.LAYER);
        }
        if (of.reached() > 0 && of.is(FlowValue.TENSOR) && key.is(FlowValue.TENSOR)) {
            expressions.noteMixed(it, of, key); // a mask or places of another device
        }
        FlowValue found = of.is(FlowValue.TENSOR) ? FlowValue.TENSORS : FlowValue.NOTHING;
        for (Heap heap : of.heap()) {
            found = found.join(heap.item(place));
        }
        boolean isOpen = of.is(FlowValue.UNKNOWN) || (of.heap().isEmpty() && !of.is(FlowValue.TENSOR));
        return (isOpen ? found.join(flow.open(of)) : found).labelled(of.label());
    }

    FlowValue display(Heap.Kind kind, Expr at, List<Expr> elements, FlowScope scope) {
        Heap heap = flow.heap(kind, at, scope.file);
        for (int i = 0; i < elements.size(); i++) {
            FlowValue value = expressions.value(elements.get(i), scope);
            FlowValue item =
                    elements.get(i) instanceof Expr.Starred ? value.items().labelled(value.label()) : value;
            flow.add(heap, Heap.ITEMS, item);
            if (kind == Heap.Kind.TUPLE) {
                flow.add(heap, "[" + i + "]", item);
            }
        }
        return FlowValue.of(heap);
    }

    FlowValue dict(Expr.Dict it, FlowScope scope) {
        Heap heap = flow.heap(Heap.Kind.DICT, it, scope.file);
        for (int i = 0; i < it.values().size(); i++) {
            FlowValue value = expressions.value(it.values().get(i), scope);
            Expr key = it.keys().get(i);
            if (key != null) {
                expressions.value(key, scope);
                flow.add(heap, Heap.ITEMS, value);
            } else {
                flow.add(heap, Heap.ITEMS, value.items());
            }
        }
        return FlowValue.of(heap);
    }

    FlowValue comprehended(
            Heap.Kind kind, Expr at, List<Node.Comprehension> generators, Expr element, FlowScope scope) {
        for (Node.Comprehension generator : generators) {
            expressions.targets.assign(generator.target(), iterated(generator.iter(), scope), scope);
            generator.ifs().forEach(each -> expressions.value(each, scope));
        }
        if (at instanceof Expr.DictComp it) {
            expressions.value(it.key(), scope);
        }
        Heap heap = flow.heap(kind, at, scope.file);
        flow.add(heap, Heap.ITEMS, expressions.value(element, scope));
        return FlowValue.of(heap);
    }

    /** The items that going through an expression gives. */
    FlowValue iterated(Expr expression, FlowScope scope) {
        FlowValue of = expressions.value(expression, scope);
        return iterated(of, expression, scope);
    }

    private FlowValue iterated(FlowValue of, Expr expression, FlowScope scope) {
        if (expression instanceof Expr.Call call && call.func() instanceof Expr.Attribute method) {
            FlowValue on = expressions.value(method.value(), scope);
            if (on.isOnly(Heap.Kind.DICT)) {
                return switch (method.attr()) {
                    case "items" ->
                        pair(expression, FlowValue.PLAINS, on.items().labelled(on.label()), scope);
                    case "values" -> on.items().labelled(on.label());
                    case "keys" -> FlowValue.PLAINS;
                    default -> FlowValue.ANY;
                };
            }
        }
        if (expression instanceof Expr.Call call
                && call.func() instanceof Expr.Name name
                && !call.args().isEmpty()) {
            if (name.id().equals("enumerate")) {
                return pair(expression, FlowValue.PLAINS, iterated(call.args().getFirst(), scope), scope);
            }
            if (name.id().equals("range")) {
                return FlowValue.PLAINS;
            }
            if (name.id().equals("zip")) {
                Heap tuple = flow.heap(Heap.Kind.TUPLE, call.func(), scope.file);
                for (int i = 0; i < call.args().size(); i++) {
                    FlowValue items = iterated(call.args().get(i), scope);
                    flow.add(tuple, "[" + i + "]", items);
                    flow.add(tuple, Heap.ITEMS, items);
                }
                return FlowValue.of(tuple);
            }
        }
        if (of.isOnly(Heap.Kind.DICT)) {
            return FlowValue.PLAINS;
        }
        FlowValue items =
                of.is(FlowValue.TENSOR) ? of.items().join(FlowValue.TENSORS.labelled(of.label())) : of.items();
        return of.is(FlowValue.UNKNOWN) || (of.heap().isEmpty() && !of.is(FlowValue.TENSOR))
                ? items.join(flow.open(of)).labelled(of.label())
                : items.labelled(of.label());
    }

    private FlowValue pair(Expr at, FlowValue first, FlowValue second, FlowScope scope) {
        Heap tuple = flow.heap(Heap.Kind.TUPLE, at, scope.file);
        flow.add(tuple, "[0]", first);
        flow.add(tuple, "[1]", second);
        flow.add(tuple, Heap.ITEMS, first.join(second));
        return FlowValue.of(tuple);
    }
}
