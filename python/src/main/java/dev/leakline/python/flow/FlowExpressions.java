package dev.leakline.python.flow;

import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** The values of expressions. */
final class FlowExpressions {
    /** Python's own types without tensors. */
    private static final Set<String> PLAIN_TYPES = Set.of("int", "float", "str", "bool", "bytes");

    private final ProgramFlow flow;

    private final FlowFunctions functions;

    private final FlowCalls calls;
    final FlowAttributes attributes;
    final FlowItems items;
    final FlowTargets targets;

    FlowExpressions(ProgramFlow flow) {
        this.flow = flow;
        this.functions = new FlowFunctions(flow, this);
        this.attributes = new FlowAttributes(flow, functions);
        this.items = new FlowItems(flow, this, functions);
        this.targets = new FlowTargets(flow, this, functions);
        this.calls = new FlowCalls(flow, this, functions);
    }

    /** The value of an expression, which is noted. */
    FlowValue value(Expr expression, FlowScope scope) {
        if (flow.isTired()) {
            return FlowValue.ANY;
        }
        FlowValue value = evaluate(expression, scope);
        if (flow.seeds.contains(expression)) {
            value = value.labelled(FlowValue.SAME);
        }
        FlowValue before = flow.facts.value(expression);
        FlowValue joined = before.join(value);
        if (!joined.equals(before)) {
            flow.facts.values.put(expression, joined);
        }
        return value;
    }

    private FlowValue evaluate(Expr expression, FlowScope scope) {
        return switch (expression) {
            case Expr.Constant it ->
                it.kind() == Expr.Constant.Kind.NONE ? FlowValue.of(FlowValue.NONE) : FlowValue.PLAINS;
            case Expr.Name it -> name(it.id(), scope);
            case Expr.Attribute it -> attributes.of(value(it.value(), scope), it.attr(), it, scope);
            case Expr.Subscript it -> items.item(it, scope);
            case Expr.Call it -> calls.value(it, scope);
            case Expr.BinOp it -> operated(it, value(it.left(), scope), value(it.right(), scope), scope);
            case Expr.UnaryOp it -> operated(it, value(it.operand(), scope), FlowValue.NOTHING, scope);
            case Expr.Compare it -> {
                FlowValue left = value(it.left(), scope);
                List<FlowValue> others = it.comparators().stream()
                        .map(each -> value(each, scope))
                        .toList();
                FlowValue all = others.stream().reduce(left, FlowValue::join);
                boolean isElementwise =
                        it.ops().stream().allMatch(FlowExpressions::isElementwise) && all.is(FlowValue.TENSOR);
                if (isElementwise) {
                    others.forEach(other -> noteMixed(it, left, other));
                }
                yield isElementwise
                        ? FlowValue.of(FlowValue.TENSOR).labelled(Math.min(all.label(), FlowValue.DERIVED))
                        : FlowValue.PLAINS;
            }
            case Expr.BoolOp it ->
                it.values().stream().map(each -> value(each, scope)).reduce(FlowValue.NOTHING, FlowValue::join);
            case Expr.IfExp it -> {
                value(it.test(), scope);
                yield value(it.body(), scope).join(value(it.orelse(), scope));
            }
            case Expr.NamedExpr it -> {
                FlowValue value = value(it.value(), scope);
                targets.assign(it.target(), value, scope);
                yield value;
            }
            case Expr.Await it -> {
                FlowValue awaited = value(it.value(), scope);
                yield awaited.isOnly(Heap.Kind.GENERATOR) || awaited.isOnly(Heap.Kind.TASK) ? awaited.items() : awaited;
            }
            case Expr.Starred it -> value(it.value(), scope);
            case Expr.Yield it -> {
                flow.yielded(scope, it.value() == null ? FlowValue.of(FlowValue.NONE) : value(it.value(), scope));
                yield FlowValue.ANY;
            }
            case Expr.YieldFrom it -> {
                flow.yielded(scope, value(it.value(), scope).items());
                yield FlowValue.ANY;
            }
            case Expr.ListDisplay it -> items.display(Heap.Kind.LIST, it, it.elts(), scope);
            case Expr.SetDisplay it -> items.display(Heap.Kind.SET, it, it.elts(), scope);
            case Expr.Tuple it -> items.display(Heap.Kind.TUPLE, it, it.elts(), scope);
            case Expr.Dict it -> items.dict(it, scope);
            case Expr.ListComp it -> items.comprehended(Heap.Kind.LIST, it, it.generators(), it.elt(), scope);
            case Expr.SetComp it -> items.comprehended(Heap.Kind.SET, it, it.generators(), it.elt(), scope);
            case Expr.GeneratorExp it -> items.comprehended(Heap.Kind.GENERATOR, it, it.generators(), it.elt(), scope);
            case Expr.DictComp it ->
                items.comprehended(
                        Heap.Kind.DICT, it, it.generators(), it.value() == null ? it.key() : it.value(), scope);
            case Expr.Lambda it -> {
                Heap heap = flow.heap(Heap.Kind.FUNCTION, it, scope.file);
                heap.scope = flow.scope(it, scope);
                flow.capture(heap, scope);
                yield FlowValue.of(heap);
            }
            case Expr.JoinedStr it -> {
                it.values().forEach(each -> value(each, scope));
                yield FlowValue.PLAINS;
            }
            case Expr.FormattedValue it -> {
                value(it.value(), scope);
                yield FlowValue.PLAINS;
            }
            case Expr.Slice it -> {
                it.forEachChild(part -> value((Expr) part, scope));
                yield FlowValue.PLAINS;
            }
            default -> FlowValue.PLAINS;
        };
    }

    private static boolean isElementwise(Expr.CmpOp op) {
        return switch (op) {
            case IS, IS_NOT, IN, NOT_IN -> false;
            default -> true;
        };
    }

    private FlowValue name(String name, FlowScope scope) {
        FlowScope owner = scope.of(name);
        if (owner == null) {
            return FlowValue.ANY;
        }
        FlowValue now = owner == scope ? scope.variables.get(name) : null;
        return Objects.requireNonNullElse(now != null ? now : owner.ever.get(name), FlowValue.NOTHING);
    }

    private FlowValue operated(Expr at, FlowValue left, FlowValue right, FlowScope scope) {
        FlowValue both = left.join(right);
        int label = Math.min(both.label(), FlowValue.DERIVED);
        noteMixed(at, left, right);
        boolean isMeant = both.isOpen() && both.heap().isEmpty() && label > 0;
        if (both.is(FlowValue.TENSOR) || isMeant) {
            return FlowValue.TENSORS.labelled(label);
        }
        boolean isSum = at instanceof Expr.BinOp it
                && (it.op() == Expr.Operator.ADD || it.op() == Expr.Operator.MULT || it.op() == Expr.Operator.BIT_OR);
        Optional<Heap.Kind> kind = both.heap().stream()
                .map(heap -> heap.kind)
                .filter(Heap.Kind::isSummed)
                .min(Comparator.naturalOrder());
        if (isSum && kind.isPresent()) {
            Heap sum = flow.heap(kind.get(), at, scope.file);
            flow.add(sum, Heap.ITEMS, both.items());
            return FlowValue.of(sum);
        }
        return both.isPlain()
                ? FlowValue.PLAINS
                : FlowValue.of(both.kinds() | FlowValue.UNKNOWN).labelled(label);
    }

    /** Notes that something labelled is computed with what may be a tensor that must be on the same device. */
    void noteMixed(Node at, FlowValue left, FlowValue right) {
        FlowValue other = left.reached() == 0 ? left : right;
        if (left.reached() == 0 != (right.reached() == 0) && other.mayBeTensor()) {
            flow.facts.mixed.add(at);
        }
    }

    /** The value that an annotation describes. */
    FlowValue annotated(Expr annotation, FlowScope scope) {
        String name = FlowCalls.fullName(annotation, scope);
        if (name.equals("torch.Tensor") || name.endsWith(".Tensor")) {
            return FlowValue.TENSORS;
        }
        if (PLAIN_TYPES.contains(name)) {
            return FlowValue.PLAINS;
        }
        if (annotation instanceof Expr.Name && value(annotation, scope).isOnly(Heap.Kind.CLASS)) {
            return value(annotation, scope).heap().stream()
                    .map(attributes::instance)
                    .map(FlowValue::of)
                    .reduce(FlowValue.NOTHING, FlowValue::join);
        }
        return FlowValue.NOTHING;
    }

    /** The result of a function's decorator. */
    FlowValue decorated(Expr decorator, FlowValue function, FlowScope scope) {
        return functions.given(decorator, value(decorator, scope), List.of(function), scope);
    }
}
