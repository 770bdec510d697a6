package dev.leakline.python.flow;

import dev.leakline.python.Expr;
import java.util.List;

/** Gives values to what assignments name. */
final class FlowTargets {
    private final ProgramFlow flow;
    private final FlowExpressions expressions;
    private final FlowFunctions functions;

    FlowTargets(ProgramFlow flow, FlowExpressions expressions, FlowFunctions functions) {
        this.flow = flow;
        this.expressions = expressions;
        this.functions = functions;
    }

    void assign(Expr target, FlowValue value, FlowScope scope) {
        switch (target) {
            case Expr.Name it -> {
                flow.facts.values.merge(it, value, FlowValue::join);
                flow.assign(scope, it.id(), value);
            }
            case Expr.Attribute it -> {
                FlowValue of = expressions.value(it.value(), scope);
                if (of.heap().isEmpty()) {
                    flow.replace(it.attr(), value);
                }
                FlowValue setter = expressions.attributes.setter(of, it.attr());
                if (!setter.equals(FlowValue.NOTHING)) {
                    functions.given(it, expressions.attributes.bound(setter, of, it, scope), List.of(value), scope);
                }
                for (Heap heap : of.heap()) {
                    if (heap.kind == Heap.Kind.MODULE && heap.scope != null) {
                        flow.assign(heap.scope, it.attr(), value);
                    } else {
                        flow.add(heap, it.attr(), value);
                    }
                }
            }
            case Expr.Subscript it -> {
                FlowValue key = expressions.value(it.slice(), scope);
                FlowValue of = expressions.value(it.value(), scope);
                if (expressions.attributes.hasMethod(of, "__setitem__")) {
                    functions.given(
                            it, expressions.attributes.of(of, "__setitem__", it, scope), List.of(key, value), scope);
                } else {
                    of.heap().forEach(heap -> flow.add(heap, Heap.ITEMS, value));
                }
            }
            case Expr.Starred it -> assign(it.value(), value, scope);
            case Expr.Tuple it -> unpack(it.elts(), value, scope);
            case Expr.ListDisplay it -> unpack(it.elts(), value, scope);
            default -> {}
        }
    }

    private void unpack(List<Expr> targets, FlowValue value, FlowScope scope) {
        for (int i = 0; i < targets.size(); i++) {
            FlowValue part = value.is(FlowValue.TENSOR) ? FlowValue.TENSORS : FlowValue.NOTHING;
            for (Heap heap : value.heap()) {
                part = part.join(heap.item("[" + i + "]"));
            }
            boolean isOpen = value.is(FlowValue.UNKNOWN) || (value.heap().isEmpty() && !value.is(FlowValue.TENSOR));
            assign(targets.get(i), (isOpen ? part.join(flow.open(value)) : part).labelled(value.label()), scope);
        }
    }
}
