package dev.leakline.python.flow;

import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import dev.leakline.python.Stmt;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Results of calls, and their effects on what they are called on. */
@SuppressWarnings("ReferenceEquality") // nodes have the equality of records: two files may have equal ones
final class FlowCalls {
    /** The function of a method or a partial one, and the arguments that this is given before. */
    private static final String FUNCTION = "function";

    private static final String PLACE = "#";

    private final ProgramFlow flow;
    private final FlowExpressions expressions;

    FlowCalls(ProgramFlow flow, FlowExpressions expressions) {
        this.flow = flow;
        this.expressions = expressions;
    }

    FlowValue value(Expr.Call call, FlowScope scope) {
        List<FlowValue> given =
                call.args().stream().map(each -> expressions.value(each, scope)).toList();
        Map<String, FlowValue> named = new HashMap<>();
        for (Node.Keyword keyword : call.keywords()) {
            named.put(Objects.requireNonNullElse(keyword.arg(), "**"), expressions.value(keyword.value(), scope));
            Expr same = keyword.arg() == null ? null : attribute(keyword.value(), keyword.arg());
            if (same != null) {
                flow.noteSelf(keyword.value(), same, keyword.value(), scope);
            }
        }
        FlowValue on = call.func() instanceof Expr.Attribute method
                ? expressions.value(method.value(), scope)
                : FlowValue.NOTHING;
        FlowValue callee = expressions.value(call.func(), scope);
        String name = fullName(call.func(), scope);
        Expr alias = alias(callee);
        if (alias instanceof Expr.Attribute method && alias != call.func()) {
            noteAdded(call, alias, "", expressions.value(method.value(), scope), given, scope);
        } else if (name.equals("map")
                && given.size() == 2
                && alias(given.getFirst()) instanceof Expr.Attribute method) {
            FlowValue items = expressions.iterated(call.args().getLast(), scope);
            noteAdded(call, method, "", expressions.value(method.value(), scope), List.of(items, items), scope);
        } else {
            noteAdded(call, call.func(), name, on, given, scope);
        }
        if (call.func() instanceof Expr.Attribute method && method.attr().equals("backward") && on.reached() > 0) {
            flow.facts.backward.add(call);
        }
        if (call.func() instanceof Expr.Attribute method && ProgramFlow.isOfErrors(method.attr())) {
            given.stream()
                    .flatMap(value -> value.heap().stream())
                    .filter(heap -> heap.scope != null)
                    .forEach(heap -> flow.giveError(heap.scope, heap.node));
        }
        noteMixed(call, callee, given, named);
        FlowValue known = collection(call, name, given, named, scope);
        if (known == null) {
            known = name.equals("super") ? ofSuper(scope) : TorchResults.called(name);
        }
        if (name.equals("getattr") && call.args().size() > 1 && call.args().get(1) instanceof Expr.Constant it) {
            FlowValue read = expressions.attribute(given.getFirst(), unquoted(it, scope), call, scope);
            return given.size() > 2 && !given.getFirst().isTensor() ? read.join(given.get(2)) : read;
        }
        Optional<FlowValue> replaced = name.equals("dataclasses.replace") && !given.isEmpty()
                ? Optional.of(given.getFirst())
                : Optional.of(on)
                        .filter(_ -> call.func() instanceof Expr.Attribute it
                                && it.attr().equals("_replace"));
        if (replaced.isPresent()) {
            replaced.get().heap().forEach(heap -> named.forEach((field, value) -> flow.add(heap, field, value)));
            return replaced.get();
        }
        if (known != null) {
            boolean isGone = (name.indexOf('.') < 0 && NameSets.has("PLAIN_BUILTINS", name)) || known.isPlain();
            return isGone ? known : known.labelled(Math.min(labels(given, named), FlowValue.DERIVED));
        }
        if (call.func() instanceof Expr.Attribute method && isFluent(on, callee, method.attr())) {
            return on;
        }
        if (call.func() instanceof Expr.Attribute method) {
            FlowValue builtin = ofMethod(call, method.attr(), on, given, scope);
            if (builtin != null) {
                return builtin;
            }
        }
        if (callee.heap().isEmpty() && isStarting(call.func())) {
            return task(call, opaque(call, on, given, named), given, named, scope);
        }
        FlowValue found = FlowValue.NOTHING;
        boolean isOwn = false;
        List<Node> callees = new ArrayList<>();
        for (Heap heap : callee.heap()) {
            FlowValue result = called(heap, call, given, named, scope, callees);
            if (result != null) {
                isOwn = true;
                found = found.join(result);
            }
        }
        flow.facts.callees.put(call, List.copyOf(callees));
        if (callee.is(FlowValue.LAYER)) {
            found = found.join(FlowValue.TENSORS.labelled(Math.min(labels(given, named), FlowValue.DERIVED)));
        } else if (callee.is(FlowValue.TUPLE_LAYER)) {
            found = found.join(
                    tensors(Heap.Kind.TUPLE, call, Math.min(labels(given, named), FlowValue.DERIVED), scope));
        } else if (callee.is(FlowValue.UNKNOWN) || !isOwn) {
            boolean isUnsettled =
                    callee.equals(FlowValue.NOTHING) && flow.open(callee).equals(FlowValue.NOTHING) && name.isEmpty();
            found = isUnsettled ? found : found.join(opaque(call, on, given, named));
        }
        return found;
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

    private static boolean isStarting(Expr called) {
        return (called instanceof Expr.Attribute method && NameSets.has("STARTING", method.attr()))
                || (called instanceof Expr.Name name && NameSets.has("STARTING", name.id()));
    }

    /** A task that calls the first function that it is given with what comes behind, or runs a coroutine. */
    private FlowValue task(
            Expr.Call call, FlowValue other, List<FlowValue> given, Map<String, FlowValue> named, FlowScope scope) {
        List<Node> callees = new ArrayList<>();
        Optional<FlowValue> first = given.stream()
                .filter(value -> value.isCalled() || value.isOnly(Heap.Kind.GENERATOR))
                .findFirst();
        List<FlowValue> rest = first.map(value -> given.subList(given.indexOf(value) + 1, given.size()))
                .orElse(given);
        FlowValue result = first.map(value -> value.isCalled()
                        ? joined(value.heap().stream(), call, rest, named, scope, callees)
                        : value.items())
                .orElse(other);
        flow.facts.callees.put(call, List.copyOf(callees));
        Heap task = flow.heap(Heap.Kind.TASK, call, scope.file);
        flow.add(task, Heap.ITEMS, result);
        first.ifPresent(value -> flow.add(task, FUNCTION, value));
        return FlowValue.of(task);
    }

    private static boolean isFluent(FlowValue on, FlowValue callee, String name) {
        boolean isModule = on.is(FlowValue.LAYER | FlowValue.TUPLE_LAYER) || on.isOnly(Heap.Kind.INSTANCE);
        return isModule && callee.heap().isEmpty() && NameSets.has("FLUENT", name);
    }

    /** The result of an unknown call: anything, made of what it was given. */
    private static FlowValue opaque(Expr.Call call, FlowValue on, List<FlowValue> given, Map<String, FlowValue> named) {
        boolean isMethod = call.func() instanceof Expr.Attribute;
        int label = Math.min(Math.max(labels(given, named), isMethod ? on.reached() : 0), FlowValue.DERIVED);
        boolean isGone = call.func() instanceof Expr.Attribute method && NameSets.has("LET_GO", method.attr());
        return isGone ? FlowValue.ANY : FlowValue.ANY.labelled(label);
    }

    private static int labels(List<FlowValue> given, Map<String, FlowValue> named) {
        int label = 0;
        for (FlowValue value : given) {
            label = Math.max(label, value.reached());
        }
        for (FlowValue value : named.values()) {
            label = Math.max(label, value.reached());
        }
        return label;
    }

    /** Notes that something labelled is given to a layer, whose weights are on the device, or together with other tensors. */
    private void noteMixed(Expr.Call call, FlowValue callee, List<FlowValue> given, Map<String, FlowValue> named) {
        List<FlowValue> all = new ArrayList<>(given);
        all.addAll(named.values());
        boolean isLabelled = all.stream().anyMatch(value -> value.reached() > 0);
        boolean isLayer = callee.is(FlowValue.LAYER | FlowValue.TUPLE_LAYER);
        boolean isOpaque = callee.heap().isEmpty();
        boolean isOther = isOpaque
                && all.stream()
                        .anyMatch(value -> value.reached() == 0
                                && value.is(FlowValue.TENSOR)
                                && value.heap().isEmpty());
        if (isLabelled && (isLayer || isOther)) {
            flow.facts.mixed.add(call);
        }
    }

    private FlowValue ofSuper(FlowScope scope) {
        Heap type = scope.parent == null ? null : flow.classes.get(scope.parent.node);
        return type != null
                ? bases(type).stream()
                        .map(expressions::instance)
                        .map(FlowValue::of)
                        .reduce(FlowValue.NOTHING, FlowValue::join)
                        .join(FlowValue.ANY)
                : FlowValue.ANY;
    }

    private FlowValue tensors(Heap.Kind kind, Expr at, int label, FlowScope scope) {
        Heap heap = flow.heap(kind, at, scope.file);
        flow.add(heap, Heap.ITEMS, FlowValue.TENSORS.labelled(label));
        return FlowValue.of(heap);
    }

    /** The collection that a call makes. */
    private @Nullable FlowValue collection(
            Expr.Call call, String name, List<FlowValue> given, Map<String, FlowValue> named, FlowScope scope) {
        FlowValue items = given.isEmpty()
                ? FlowValue.NOTHING
                : given.getFirst().items().labelled(given.getFirst().label());
        if (!given.isEmpty() && given.getFirst().is(FlowValue.UNKNOWN)) {
            items = items.join(FlowValue.ANY).labelled(given.getFirst().label());
        }
        if (!given.isEmpty() && given.getFirst().isOnly(Heap.Kind.DICT) && !NameSets.has("MAPPINGS", name)) {
            items = FlowValue.PLAINS; // the keys
        }
        String maker = call.func() instanceof Expr.Call it ? fullName(it.func(), scope) : name;
        if (NameSets.has("MEMOS", maker)
                && given.size() == 1
                && given.getFirst().isCalled()) {
            return given.getFirst();
        }
        if (name.equals("functools.partial")) {
            return partial(call, given, named, scope);
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
            case DEQUE -> isLimit(named.get("maxlen"), second);
            case QUEUE -> isLimit(named.get("maxsize"), first);
            default -> false;
        };
        Heap heap = flow.heap(kind, call, scope.file, isBounded);
        if (name.equals("collections.defaultdict")) {
            flow.add(heap, Heap.ITEMS, factory(call, scope));
        } else if (kind == Heap.Kind.HOLDER) {
            flow.add(heap, Heap.ITEMS, Objects.requireNonNullElse(named.get("default"), FlowValue.NOTHING));
        } else if (kind != Heap.Kind.QUEUE) {
            flow.add(heap, Heap.ITEMS, name.equals("map") ? FlowValue.ANY : items);
        }
        return FlowValue.of(heap);
    }

    /** A function with arguments that it is given before it is called. */
    private FlowValue partial(Expr.Call call, List<FlowValue> given, Map<String, FlowValue> named, FlowScope scope) {
        Heap heap = flow.heap(Heap.Kind.FUNCTION, call, scope.file);
        for (int i = 0; i < given.size(); i++) {
            flow.add(heap, i == 0 ? FUNCTION : PLACE + (i - 1), given.get(i));
        }
        named.forEach((name, value) -> flow.add(heap, name, value));
        return FlowValue.of(heap);
    }

    /** The result of a partial function, which is given what it has been given before. */
    private FlowValue partly(
            Heap heap,
            Expr call,
            List<FlowValue> given,
            Map<String, FlowValue> named,
            FlowScope scope,
            List<Node> callees) {
        List<FlowValue> all = new ArrayList<>();
        while (heap.fields().containsKey(PLACE + all.size())) {
            all.add(heap.field(PLACE + all.size()));
        }
        all.addAll(given);
        return joined(heap.functions().stream().filter(function -> function != heap), call, all, named, scope, callees);
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
            return given(first, callee, List.of(), scope);
        }
        return FlowValue.of(flow.heap(kind, first, scope.file));
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

    /** Notes what a call that is known to keep an argument adds to what. */
    private void noteAdded(
            Expr.Call call, Expr called, String name, FlowValue on, List<FlowValue> given, FlowScope scope) {
        Keeping row = Keeping.of(called, name);
        Expr written = row == null ? null : row.value(call.args(), given);
        Expr holder = row == null
                ? null
                : row.holder() == Keeping.SELF
                        ? called instanceof Expr.Attribute method ? method.value() : null
                        : Keeping.argument(call.args(), row.holder());
        if (row == null || written == null || holder == null) {
            return;
        }
        FlowValue to = row.holder() == Keeping.SELF ? on : given.get(row.holder());
        if (!isKeeping(row, to, call)) {
            return;
        }
        FlowValue value = given.get(call.args().indexOf(written));
        FlowValue added = row.isEach() ? value.items().labelled(value.label()) : value;
        Expr key = Keeping.argument(call.args(), row.key());
        String field = row.in() != Keeping.In.OBJECT ? Heap.ITEMS : key instanceof Expr.Constant it ? unquoted(it, scope) : "";
        if (!field.isEmpty()) {
            to.heap().forEach(heap -> flow.add(heap, field, added));
        }
        flow.note(new FlowFacts.Add(
                scope.file,
                call,
                holder,
                written,
                key,
                to,
                added,
                key == null ? FlowFacts.How.CALL : FlowFacts.How.ITEM));
    }

    private static String unquoted(Expr.Constant name, FlowScope scope) {
        String text = scope.file.text(name);
        return text.substring(1, Math.max(text.length() - 1, 1));
    }

    /** Returns whether what a call gives something to may be one that keeps it, and is no object whose class says what the call does. */
    private boolean isKeeping(Keeping row, FlowValue to, Expr.Call call) {
        boolean isCollection = to.heap().stream().anyMatch(heap -> !heap.kind.isNamespace());
        boolean isDerived =
                to.isOnly(Heap.Kind.INSTANCE) && flow.facts.value(call.func()).equals(FlowValue.ANY);
        return switch (row.in()) {
            case OBJECT -> true;
            case KNOWN -> isCollection;
            case COLLECTION -> isCollection || isDerived || (to.heap().isEmpty() && !to.is(FlowValue.TENSOR));
        };
    }

    /** The result of a method of a tensor or of a collection; null for others. */
    private @Nullable FlowValue ofMethod(
            Expr.Call call, String name, FlowValue on, List<FlowValue> given, FlowScope scope) {
        boolean isMeant = on.isOpen() && on.heap().isEmpty() && TorchResults.isTensorMethod(name, on.label() > 0);
        if (on.isTensor() || isMeant) {
            if (NameSets.has("SEVERAL", name)) {
                return tensors(Heap.Kind.TUPLE, call, on.label(), scope);
            }
            int label = NameSets.has("LET_GO", name)
                    ? 0
                    : NameSets.has("VIEWS", name)
                            ? on.label()
                            : Math.min(Math.max(on.label(), labels(given, Map.of())), FlowValue.DERIVED);
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
                    .forEach(read -> flow.noteSelf(call, (Expr) read, written, scope));
        }
        return FlowValue.ANY;
    }

    /** The result where a value is called by something that is no call of the source, such as a decorator. */
    FlowValue given(Expr at, FlowValue callee, List<FlowValue> given, FlowScope scope) {
        List<Node> callees = new ArrayList<>();
        FlowValue found = joined(callee.heap().stream(), at, given, Map.of(), scope, callees);
        if (at instanceof Expr.Subscript || at instanceof Expr.Attribute) {
            flow.facts.callees.put(at, List.copyOf(callees));
        }
        return found;
    }

    /** The results of all that may be called. */
    private FlowValue joined(
            Stream<Heap> functions,
            Expr call,
            List<FlowValue> given,
            Map<String, FlowValue> named,
            FlowScope scope,
            List<Node> callees) {
        return functions
                .map(function -> called(function, call, given, named, scope, callees))
                .filter(Objects::nonNull)
                .reduce(FlowValue.NOTHING, FlowValue::join);
    }

    private @Nullable FlowValue called(
            Heap heap,
            Expr call,
            List<FlowValue> given,
            Map<String, FlowValue> named,
            FlowScope scope,
            List<Node> callees) {
        return switch (heap.kind) {
            case FUNCTION -> {
                if (heap.scope == null) {
                    yield partly(heap, call, given, named, scope, callees);
                }
                callees.add(heap.node);
                yield function(heap, given, named);
            }
            case METHOD -> {
                List<FlowValue> all = new ArrayList<>(List.of(heap.field("self")));
                all.addAll(given);
                FlowValue found = FlowValue.NOTHING;
                for (Heap function : heap.functions()) {
                    callees.add(function.node);
                    boolean isStatic = isStatic(function.node);
                    found = found.join(function(function, isStatic ? given : all, named));
                }
                yield found;
            }
            case CLASS -> {
                Heap instance = expressions.instance(heap);
                if (call instanceof Expr.Call it) {
                    flow.facts.construct(heap.node, it);
                }
                construct(heap, instance, given, named, call, scope, callees);
                yield FlowValue.of(instance);
            }
            case INSTANCE -> {
                FlowValue found = null;
                for (String name : List.of("__call__", "forward")) {
                    FlowValue method = expressions.attribute(FlowValue.of(heap), name, call, scope);
                    if (!method.heap().isEmpty() && found == null) {
                        for (Heap each : method.heap()) {
                            FlowValue result = called(each, call, given, named, scope, callees);
                            found = result == null ? found : found == null ? result : found.join(result);
                        }
                    }
                }
                yield found;
            }
            default -> null;
        };
    }

    private static boolean isStatic(Node function) {
        return function instanceof Stmt.FunctionDef it
                && it.decoratorList().stream()
                        .anyMatch(each ->
                                each instanceof Expr.Name name && name.id().equals("staticmethod"));
    }

    /** Gives the arguments of a constructor to __init__, or to the fields that a data class names. */
    private void construct(
            Heap type,
            Heap instance,
            List<FlowValue> given,
            Map<String, FlowValue> named,
            Expr call,
            FlowScope scope,
            List<Node> callees) {
        FlowValue init = expressions.attribute(FlowValue.of(type), "__init__", call, scope);
        List<FlowValue> all = new ArrayList<>(List.of(FlowValue.of(instance)));
        all.addAll(given);
        boolean isOwn = false;
        for (Heap function : init.heap()) {
            if (function.kind == Heap.Kind.FUNCTION) {
                callees.add(function.node);
                function(function, all, named);
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
                if (given.get(i).heap().contains(instance) && call instanceof Expr.Call it) {
                    Expr next = it.args().get(i);
                    flow.note(new FlowFacts.Add(
                            scope.file,
                            it,
                            next,
                            next,
                            null,
                            FlowValue.of(instance),
                            given.get(i),
                            FlowFacts.How.CHAINED));
                }
            }
            named.forEach((name, value) -> flow.add(instance, name, value));
        }
    }

    private FlowValue function(Heap heap, List<FlowValue> given, Map<String, FlowValue> named) {
        FlowScope scope = heap.scope;
        if (scope == null) {
            return FlowValue.ANY;
        }
        Node.Arguments arguments =
                heap.node instanceof Stmt.FunctionDef it ? it.args() : ((Expr.Lambda) heap.node).args();
        List<Node.Arg> places = new ArrayList<>(arguments.posonlyargs());
        places.addAll(arguments.args());
        for (int i = 0; i < given.size(); i++) {
            if (i < places.size()) {
                flow.give(scope, places.get(i).arg(), given.get(i));
            } else if (arguments.vararg() != null) {
                flow.give(scope, arguments.vararg().arg(), given.get(i));
            }
        }
        named.forEach((name, value) -> flow.give(scope, name, value));
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

    List<Heap> bases(Heap type) {
        if (!(type.node instanceof Stmt.ClassDef definition) || type.scope == null || type.scope.parent == null) {
            return List.of();
        }
        return definition.bases().stream()
                .flatMap(base -> flow.facts.value(base).heap().stream())
                .filter(heap -> heap.kind == Heap.Kind.CLASS && heap != type)
                .toList();
    }

    /** The full name of what an expression refers to, by the imports of its file; empty for what the program makes itself. */
    static String fullName(Expr expression, FlowScope scope) {
        return switch (expression) {
            case Expr.Name it ->
                scope.file.imports().containsKey(it.id()) || scope.of(it.id()) == null ? scope.file.fullName(it) : "";
            case Expr.Attribute it -> {
                String of = fullName(it.value(), scope);
                yield of.isEmpty() ? "" : of + "." + it.attr();
            }
            default -> "";
        };
    }
}
