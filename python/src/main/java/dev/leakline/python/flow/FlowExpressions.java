package dev.leakline.python.flow;

import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import dev.leakline.python.Stmt;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The values of expressions, and the assignments of them. */
final class FlowExpressions {
    /** Python's own types without tensors. */
    private static final Set<String> PLAIN_TYPES = Set.of("int", "float", "str", "bool", "bytes");

    private final ProgramFlow flow;
    private final FlowFunctions functions;
    private final FlowCalls calls;
    /** The one instance that stands for all of a class. */
    private final Map<Heap, Heap> instances = new HashMap<>();

    FlowExpressions(ProgramFlow flow) {
        this.flow = flow;
        this.functions = new FlowFunctions(flow, this);
        this.calls = new FlowCalls(flow, this, functions);
    }

    Heap instance(Heap type) {
        return instances.computeIfAbsent(type, _ -> {
            flow.news();
            return new Heap(Heap.Kind.INSTANCE, type.node, type.file, false);
        });
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
            case Expr.Attribute it -> attribute(value(it.value(), scope), it.attr(), it, scope);
            case Expr.Subscript it -> item(it, scope);
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
                assign(it.target(), value, scope);
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
            case Expr.ListDisplay it -> display(Heap.Kind.LIST, it, it.elts(), scope);
            case Expr.SetDisplay it -> display(Heap.Kind.SET, it, it.elts(), scope);
            case Expr.Tuple it -> display(Heap.Kind.TUPLE, it, it.elts(), scope);
            case Expr.Dict it -> dict(it, scope);
            case Expr.ListComp it -> comprehended(Heap.Kind.LIST, it, it.generators(), it.elt(), scope);
            case Expr.SetComp it -> comprehended(Heap.Kind.SET, it, it.generators(), it.elt(), scope);
            case Expr.GeneratorExp it -> comprehended(Heap.Kind.GENERATOR, it, it.generators(), it.elt(), scope);
            case Expr.DictComp it ->
                comprehended(Heap.Kind.DICT, it, it.generators(), it.value() == null ? it.key() : it.value(), scope);
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
                for (Expr part : java.util.Arrays.asList(it.lower(), it.upper(), it.step())) {
                    if (part != null) {
                        value(part, scope);
                    }
                }
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
        FlowValue now = owner == scope ? scope.now.get(name) : null;
        return Objects.requireNonNullElse(now != null ? now : owner.ever.get(name), FlowValue.NOTHING);
    }

    /** The value of an attribute. */
    FlowValue attribute(FlowValue of, String name, Expr at, FlowScope scope) {
        if (NameSets.has("PLAIN_NAMES", name)) {
            return FlowValue.PLAINS;
        }
        FlowValue found = FlowValue.NOTHING;
        for (Heap heap : of.heap()) {
            found = found.join(attribute(heap, name, at, scope));
        }
        if (of.heap().isEmpty()) {
            found = found.join(flow.replaced(name));
        }
        if (of.is(FlowValue.LAYER | FlowValue.TUPLE_LAYER)) {
            found = found.join(name.equals("weight") || name.equals("bias") ? FlowValue.TENSORS : FlowValue.ANY);
        }
        if (of.is(FlowValue.TENSOR)) {
            boolean isGone = NameSets.has("LET_GO", name);
            int label = isGone ? 0 : NameSets.has("VIEWS", name) ? of.label() : Math.min(of.label(), FlowValue.DERIVED);
            found = found.join(TorchResults.ofTensor(name)).labelled(label);
        } else if (of.is(FlowValue.UNKNOWN)) {
            FlowValue unknown = name.equals("grad") ? FlowValue.TENSORS : named(name);
            found = found.join(unknown).labelled(NameSets.has("LET_GO", name) ? 0 : of.label());
        }
        return found;
    }

    /** The attribute of the one class of the program that has one of this name; anything where none has, or several. */
    private FlowValue named(String name) {
        List<Heap> having = instances.values().stream()
                .filter(instance -> instance.fields().containsKey(name))
                .toList();
        return having.size() == 1 ? having.getFirst().field(name) : FlowValue.ANY;
    }

    private FlowValue attribute(Heap heap, String name, Expr at, FlowScope scope) {
        return switch (heap.kind) {
            case MODULE -> ProgramFlow.ofModule(heap, name);
            case CLASS -> ofType(heap, name, 0);
            case INSTANCE -> {
                Heap type = flow.classes.get(heap.node);
                FlowValue own = heap.field(name);
                String method = name.equals("start") && type != null && isThread(type) ? "run" : name;
                FlowValue inherited = type == null
                        ? FlowValue.NOTHING
                        : bound(ofType(type, method, 0), FlowValue.of(heap), at, scope);
                FlowValue base = type == null ? FlowValue.NOTHING : ofBases(type, name, 0);
                FlowValue all = own.join(inherited).join(base);
                yield all.equals(FlowValue.NOTHING) ? flow.open(all) : all;
            }
            default -> {
                if (!Keeping.isMethod(name)) {
                    yield FlowValue.ANY.labelled(FlowValue.of(heap).reached());
                }
                Heap method = flow.heap(Heap.Kind.METHOD, at, scope.file);
                flow.add(method, "self", FlowValue.of(heap));
                yield FlowValue.of(method).join(FlowValue.ANY);
            }
        };
    }

    /** Returns whether objects of a class run their method {@code run} when they are started. */
    private boolean isThread(Heap type) {
        return type.node instanceof Stmt.ClassDef definition
                && (definition.bases().stream().anyMatch(base -> NameSets.has("THREADS", type.file.fullName(base)))
                        || functions.bases(type).stream().anyMatch(this::isThread));
    }

    private FlowValue ofBases(Heap type, String name, int depth) {
        FlowValue found = FlowValue.NOTHING;
        if (depth < 4) {
            for (Heap base : functions.bases(type)) {
                found = found.join(instance(base).field(name)).join(ofBases(base, name, depth + 1));
            }
        }
        return found;
    }

    private FlowValue ofType(Heap type, String name, int depth) {
        FlowValue own = type.field(name);
        if (!own.equals(FlowValue.NOTHING) || depth > 4) {
            return own;
        }
        return functions.bases(type).stream()
                .map(base -> ofType(base, name, depth + 1))
                .reduce(FlowValue.NOTHING, FlowValue::join);
    }

    /** Functions of a class as methods of an object. */
    private FlowValue bound(FlowValue value, FlowValue self, Expr at, FlowScope scope) {
        FlowValue all = new FlowValue(value.kinds(), value.label(), Set.of());
        for (Heap heap : value.heap()) {
            if (isDecorated(heap, "property")) {
                all = all.join(functions.given(at, FlowValue.of(heap), List.of(self), scope));
            } else if (heap.kind == Heap.Kind.FUNCTION) {
                Heap method = flow.heap(Heap.Kind.METHOD, at, scope.file);
                flow.add(method, "self", self);
                flow.add(method, "function", FlowValue.of(heap));
                all = all.join(FlowValue.of(method));
            } else {
                all = all.join(FlowValue.of(heap));
            }
        }
        return all;
    }

    private FlowValue item(Expr.Subscript it, FlowScope scope) {
        FlowValue of = value(it.value(), scope);
        FlowValue key = value(it.slice(), scope);
        if (hasMethod(of, "__getitem__")) {
            return functions.given(it, attribute(of, "__getitem__", it, scope), List.of(key), scope);
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
            noteMixed(it, of, key); // a mask or places of another device
        }
        FlowValue found = of.is(FlowValue.TENSOR) ? FlowValue.TENSORS : FlowValue.NOTHING;
        for (Heap heap : of.heap()) {
            found = found.join(heap.item(place));
        }
        boolean isOpen = of.is(FlowValue.UNKNOWN) || (of.heap().isEmpty() && !of.is(FlowValue.TENSOR));
        return (isOpen ? found.join(flow.open(of)) : found).labelled(of.label());
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

    private FlowValue display(Heap.Kind kind, Expr at, List<Expr> elements, FlowScope scope) {
        Heap heap = flow.heap(kind, at, scope.file);
        for (int i = 0; i < elements.size(); i++) {
            FlowValue value = value(elements.get(i), scope);
            FlowValue item =
                    elements.get(i) instanceof Expr.Starred ? value.items().labelled(value.label()) : value;
            flow.add(heap, Heap.ITEMS, item);
            if (kind == Heap.Kind.TUPLE) {
                flow.add(heap, "[" + i + "]", item);
            }
        }
        return FlowValue.of(heap);
    }

    private FlowValue dict(Expr.Dict it, FlowScope scope) {
        Heap heap = flow.heap(Heap.Kind.DICT, it, scope.file);
        for (int i = 0; i < it.values().size(); i++) {
            FlowValue value = value(it.values().get(i), scope);
            Expr key = it.keys().get(i);
            if (key != null) {
                value(key, scope);
                flow.add(heap, Heap.ITEMS, value);
            } else {
                flow.add(heap, Heap.ITEMS, value.items());
            }
        }
        return FlowValue.of(heap);
    }

    private FlowValue comprehended(
            Heap.Kind kind, Expr at, List<Node.Comprehension> generators, Expr element, FlowScope scope) {
        for (Node.Comprehension generator : generators) {
            assign(generator.target(), iterated(generator.iter(), scope), scope);
            generator.ifs().forEach(each -> value(each, scope));
        }
        if (at instanceof Expr.DictComp it) {
            value(it.key(), scope);
        }
        Heap heap = flow.heap(kind, at, scope.file);
        flow.add(heap, Heap.ITEMS, value(element, scope));
        return FlowValue.of(heap);
    }

    /** The items that going through an expression gives. */
    FlowValue iterated(Expr expression, FlowScope scope) {
        FlowValue of = value(expression, scope);
        return iterated(of, expression, scope);
    }

    private FlowValue iterated(FlowValue of, Expr expression, FlowScope scope) {
        if (expression instanceof Expr.Call call && call.func() instanceof Expr.Attribute method) {
            FlowValue on = value(method.value(), scope);
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

    void assign(Expr target, FlowValue value, FlowScope scope) {
        switch (target) {
            case Expr.Name it -> {
                flow.facts.values.merge(it, value, FlowValue::join);
                flow.assign(scope, it.id(), value);
            }
            case Expr.Attribute it -> {
                FlowValue of = value(it.value(), scope);
                if (of.heap().isEmpty()) {
                    flow.replace(it.attr(), value);
                }
                FlowValue setter = setter(of, it.attr());
                if (!setter.equals(FlowValue.NOTHING)) {
                    functions.given(it, bound(setter, of, it, scope), List.of(value), scope);
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
                FlowValue key = value(it.slice(), scope);
                FlowValue of = value(it.value(), scope);
                if (hasMethod(of, "__setitem__")) {
                    functions.given(it, attribute(of, "__setitem__", it, scope), List.of(key, value), scope);
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

    /** Returns whether two expressions are the same place of the same object. */
    boolean isSame(Expr one, Expr other, FlowScope scope) {
        return scope.file.text(one).equals(scope.file.text(other));
    }

    /** The function that the program's own class of a value calls where an attribute is set. */
    private FlowValue setter(FlowValue of, String name) {
        Set<Heap> setters = types(of)
                .flatMap(type -> ofType(type, name, 0).heap().stream())
                .filter(heap -> isDecorated(heap, "setter"))
                .collect(Collectors.toSet());
        return new FlowValue(0, 0, setters);
    }

    private static boolean isDecorated(Heap heap, String name) {
        return heap.node instanceof Stmt.FunctionDef function
                && function.decoratorList().stream()
                        .anyMatch(each ->
                                (each instanceof Expr.Attribute it && it.attr().equals(name))
                                        || (each instanceof Expr.Name plain
                                                && plain.id().equals(name)));
    }

    /** Returns whether the program's own class of a value has a method. */
    boolean hasMethod(FlowValue of, String name) {
        return types(of).anyMatch(type -> !ofType(type, name, 0).heap().isEmpty());
    }

    /** The classes of the program whose objects a value may be. */
    private Stream<Heap> types(FlowValue of) {
        return of.heap().stream()
                .filter(heap -> heap.kind == Heap.Kind.INSTANCE)
                .flatMap(heap -> Optional.ofNullable(flow.classes.get(heap.node)).stream());
    }

    /** The part of a sum or a display that is not what a place has: of {@code x + y} and {@code [*x, y]}; null for others. */
    @Nullable
    Expr added(Expr written, Expr place, FlowScope scope) {
        return switch (written) {
            case Expr.BinOp it
            when it.op() == Expr.Operator.ADD || it.op() == Expr.Operator.BIT_OR -> {
                Expr nested = isSame(it.left(), place, scope) ? it.right() : added(it.left(), place, scope);
                yield nested == null && isSame(it.right(), place, scope) ? it.left() : nested;
            }
            case Expr.ListDisplay it when isSpread(it.elts()) -> spread(it.elts(), place, scope);
            case Expr.Tuple it when isSpread(it.elts()) -> spread(it.elts(), place, scope);
            case Expr.Dict it when it.keys().stream().anyMatch(Objects::isNull) -> spread(it.values(), place, scope);
            default -> null;
        };
    }

    private static boolean isSpread(List<Expr> elements) {
        return elements.stream().anyMatch(Expr.Starred.class::isInstance);
    }

    /** The other element of a display that begins with all of a place. */
    private @Nullable Expr spread(List<Expr> elements, Expr place, FlowScope scope) {
        List<Expr> others = elements.stream()
                .filter(each -> !isSame(each instanceof Expr.Starred it ? it.value() : each, place, scope))
                .toList();
        return others.isEmpty() || others.size() == elements.size()
                ? null
                : others.stream()
                        .filter(each -> value(each, scope).reached() > 0)
                        .findFirst()
                        .orElse(others.getFirst());
    }

    /** Returns whether an expression has a place in it, outside of what only asks. */
    boolean isMadeOf(Expr expression, Expr place, FlowScope scope) {
        if (isSame(expression, place, scope)) {
            return false;
        }
        boolean[] found = new boolean[1];
        expression.forEachChild(child -> find(child, place, scope, found));
        return found[0];
    }

    private void find(Node node, Expr place, FlowScope scope, boolean[] found) {
        if (node instanceof Expr it && isSame(it, place, scope)) {
            found[0] = true;
        } else if (!(node instanceof Expr.Lambda)) {
            node.forEachChild(child -> find(child, place, scope, found));
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
                    .map(this::instance)
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
