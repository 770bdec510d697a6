package dev.leakline.python.keep;

import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import dev.leakline.python.Stmt;
import dev.leakline.python.edit.Edit;
import dev.leakline.python.flow.Heap;
import dev.leakline.python.flow.NameSets;
import dev.leakline.python.flow.SourceFile;
import dev.leakline.python.keep.Keeper.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Calls that hand something over to be called later, which keeps it until that is taken back: hooks, finalizers, listeners. */
@SuppressWarnings("ReferenceEquality") // nodes have the equality of records: two files may have equal ones
final class Registering {
    private static final Pattern HOOK = Pattern.compile("register_(\\w+_)?hook");
    /** Calls that run nothing of the program's. */
    private static final Set<String> PASSIVE = Set.of("len", "tuple", "list", "str", "float", "int");

    private static final Pattern ENDED = Pattern.compile(
            "unregister|unsubscribe|off|disconnect|unlisten|unobserve|remove_\\w+|removeHandler|cancel|detach|pop_all|close");
    /** Calls through which a removal is followed. */
    private static final int DEPTH = 3;

    private final KeptSearch search;
    private final SeenProgram seen;

    Registering(KeptSearch search) {
        this.search = search;
        this.seen = search.seen();
    }

    /** The hook that each step registers and nothing removes; a guess where it is removed under a condition. */
    Optional<Keeper> hook() {
        return calls(Registering::isHook)
                .filter(call -> removals(call).noneMatch(this::isRun))
                .findFirst()
                .map(call -> new Keeper(
                        Kind.STEP_HOOKS,
                        seen.file(call),
                        call,
                        removed(seen.file(call), call).stream().toList(),
                        removals(call).anyMatch(search.code()::isRepeated)));
    }

    /** The edits for a hook that is registered, or a finalizer that refers to its object. */
    List<Cure> at(Predicate<Node> isThere) {
        return seen.all(Expr.Call.class)
                .filter(isThere)
                .flatMap(call -> {
                    SourceFile file = seen.file(call);
                    return isHook(call)
                            ? removed(file, call).stream()
                            : isFinalizer(call) ? released(file, call).stream() : Stream.empty();
                })
                .limit(1)
                .toList();
    }

    /** The finalizer of an object that refers to the object. */
    Optional<Keeper> finalizer() {
        return calls(this::isFinalizer)
                .findFirst()
                .map(call -> new Keeper(
                        Kind.FINALIZER,
                        seen.file(call),
                        call,
                        released(seen.file(call), call).stream().toList(),
                        seen.isConditional(call)));
    }

    /** The finalizer whose arguments are what the calls make. */
    Optional<Keeper> arguments() {
        return calls(call -> isFinalizing(call) && call.args().stream().skip(2).anyMatch(this::isKept))
                .findFirst()
                .map(call -> Keeper.sure(
                        Kind.REGISTERED,
                        seen.file(call),
                        call,
                        ended(call, false).stream().toList()));
    }

    private boolean isFinalizing(Expr.Call call) {
        return seen.file(call).text(call.func()).endsWith("finalize");
    }

    private boolean isFinalizer(Expr.Call call) {
        return isFinalizing(call)
                && call.args().size() >= 2
                && isReferring(call.args().get(1), call.args().getFirst());
    }

    /** Returns whether a callback is a method of an object, or a function that names it. */
    private boolean isReferring(Expr callback, Expr object) {
        SourceFile file = seen.file(callback);
        return switch (callback) {
            case Expr.Attribute method -> file.text(method.value()).equals(file.text(object));
            case Expr.Lambda it -> file.has(it, file.text(object));
            default -> false;
        };
    }

    private Stream<Expr.Call> calls(Predicate<Expr.Call> wanted) {
        return seen.all(Expr.Call.class).filter(wanted).filter(search.code()::isRepeated);
    }

    // ---- Hooks

    private static boolean isHook(Expr.Call call) {
        return call.func() instanceof Expr.Attribute method
                && HOOK.matcher(method.attr()).matches();
    }

    /** The calls that remove what registering gives. */
    private Stream<Node> removals(Expr.Call call) {
        SourceFile file = seen.file(call);
        Node parent = file.parent(call);
        String handle =
                parent instanceof Stmt.Assign it ? file.text(it.targets().getFirst()) : "";
        return file.nodes().stream()
                .filter(node -> node instanceof Expr.Call it
                        && it.func() instanceof Expr.Attribute method
                        && method.attr().equals("remove")
                        && it.args().isEmpty()
                        && (handle.isEmpty()
                                ? !(parent instanceof Stmt.Expression)
                                : file.text(method.value()).equals(handle)));
    }

    /** Returns whether each step runs a node: under no condition, and in what it calls under none. */
    private boolean isRun(Node node) {
        return isRun(node, DEPTH);
    }

    private boolean isRun(Node node, int depth) {
        SourceFile file = seen.file(node);
        Node function = file.function(node).orElse(null);
        boolean isOwn = search.calls().statements().stream()
                .anyMatch(call -> seen.file(call).function(call).orElse(null) == function);
        boolean isExit = function instanceof Stmt.FunctionDef it && it.name().endsWith("exit__");
        return !seen.isConditional(node)
                && (isExit
                        || (search.code().isRepeated(node)
                                && (isOwn
                                        || depth == 0
                                        || seen.all(Expr.Call.class)
                                                .filter(call -> seen.facts().callees(call).stream()
                                                        .anyMatch(each -> each == function))
                                                .anyMatch(call -> isRun(call, depth - 1)))));
    }

    /** The hook that refers to what the innermost call gives a name, in the same function. */
    Optional<Keeper> referring() {
        Stmt made = search.calls().statements().isEmpty()
                ? null
                : search.calls().statements().getFirst();
        if (!(made instanceof Stmt.Assign it)) {
            return Optional.empty();
        }
        SourceFile file = seen.file(made);
        List<String> names = it.targets().stream()
                .filter(Expr.Name.class::isInstance)
                .map(file::text)
                .toList();
        return seen.all(Expr.Call.class)
                .filter(call -> isHook(call) && seen.file(call) == file && call.start() > made.end())
                .filter(call -> file.function(call).equals(file.function(made)))
                .filter(call -> call.args().stream()
                        .anyMatch(hook -> names.stream()
                                .anyMatch(name -> file.has(hook, name)
                                        || seen.functions(hook)
                                                .anyMatch(body ->
                                                        file.isIn(body, function(made)) && file.has(body, name)))))
                .findFirst()
                .map(call -> Keeper.sure(
                        Kind.HOOKS_KEEP,
                        file,
                        call,
                        removed(file, call).stream().toList()));
    }

    private Node function(Stmt statement) {
        return seen.file(statement).function(statement).orElse(statement);
    }

    /** The place where a hook stores what it is given. */
    Optional<Kept> storing() {
        return seen.all(Expr.Call.class)
                .filter(call -> isHook(call) && search.calls().near().anyMatch(file -> file == seen.file(call)))
                .flatMap(call -> call.args().stream().flatMap(seen::functions))
                .filter(Stmt.FunctionDef.class::isInstance)
                .map(Stmt.FunctionDef.class::cast)
                .flatMap(hook -> {
                    SourceFile file = seen.file(hook);
                    Set<String> given = hook.args().args().stream()
                            .map(Node.Arg::arg)
                            .filter(name -> !name.equals("self"))
                            .collect(Collectors.toSet());
                    return search.kept(file.nodes().stream()
                                    .filter(node -> node instanceof Expr.Name name
                                            && given.contains(name.id())
                                            && file.isIn(node, hook))
                                    .toList())
                            .filter(kept ->
                                    kept.file() == file && file.isIn(kept.add().at(), hook));
                })
                .findFirst();
    }

    /** A name that the function does not have, one for each of its hooks. */
    private static String handle(SourceFile file, Expr.Call call, Stmt.FunctionDef function) {
        long before = file.nodes().stream()
                .filter(node -> node instanceof Expr.Call other
                        && isHook(other)
                        && other.start() < call.start()
                        && file.isIn(other, function))
                .count();
        String[] name = {before == 0 ? "handle" : "handle_" + (before + 1)};
        while (file.nodes().stream()
                .anyMatch(node -> node instanceof Expr.Name it && it.id().equals(name[0]) && file.isIn(it, function))) {
            name[0] += "_";
        }
        return name[0];
    }

    private Optional<Cure> removed(SourceFile file, Expr.Call call) {
        Stmt statement = file.statement(call);
        Optional<Node> function = file.function(call);
        if (!(function.orElse(null) instanceof Stmt.FunctionDef def)) {
            return Optional.empty();
        }
        if (statement instanceof Stmt.Return) {
            return callers(def).size() == 1
                    ? removed(seen.file(callers(def).getFirst()), callers(def).getFirst())
                    : Optional.empty();
        }
        List<Edit> edits = new ArrayList<>();
        String handle = handle(file, call, def);
        if (statement instanceof Stmt.Expression it && it.value() == call) {
            edits.add(new Edit(file, call.start(), call.start(), handle + " = "));
        } else if (statement instanceof Stmt.Assign it
                && it.value() == call
                && it.targets().size() == 1
                && it.targets().getFirst() instanceof Expr.Name name) {
            handle = name.id();
        } else {
            return Optional.empty();
        }
        boolean isUsed = file.nodes().stream()
                .anyMatch(node -> node instanceof Expr.Call && node.start() > call.end() && file.isIn(node, def));
        boolean isEnded = isUsed && end(file, def, statement, handle + ".remove()", "", edits);
        return isEnded
                ? Optional.of(Cure.review(
                        Cure.Kind.REMOVE, edits, "The hook does not run any more when the function has ended."))
                : replaced(file, call, def);
    }

    private List<Expr.Call> callers(Stmt.FunctionDef function) {
        return seen.all(Expr.Call.class)
                .filter(call -> seen.facts().callees(call).stream().anyMatch(each -> each == function))
                .toList();
    }

    /** The hook of a method in the place of the one that it registered before, on the same module. */
    private Optional<Cure> replaced(SourceFile file, Expr.Call call, Stmt.FunctionDef method) {
        String self = method.args().args().isEmpty()
                ? ""
                : method.args().args().getFirst().arg();
        boolean isSame = file.parent(method) instanceof Stmt.ClassDef
                && file.parent(call) instanceof Stmt.Expression
                && Region.loop(file, call).isEmpty()
                && callers(method).size() == 1
                && call.func() instanceof Expr.Attribute hook
                && file.nodes().stream()
                        .filter(node -> node instanceof Expr.Name && file.isIn(node, hook.value()))
                        .allMatch(name -> file.text(name).equals(self));
        String handle = self + "._handle";
        List<String> lines =
                List.of("if getattr(" + self + ", \"_handle\", None) is not None:", "    " + handle + ".remove()");
        return !isSame || file.text().text().contains("_handle")
                ? Optional.empty()
                : Edit.before(file, file.statement(call), lines)
                        .map(edit -> Cure.review(
                                Cure.Kind.REMOVE,
                                List.of(edit, new Edit(file, call.start(), call.start(), handle + " = ")),
                                "Each hook takes the place of the one before it: see that only the newest is wanted."));
    }

    /**
     * Adds a statement where a function ends after one of its statements; false where it does not reach all of these.
     *
     * @param box what the statement takes something from; where something above an exit does that, none is added. Empty for none
     */
    static boolean end(
            SourceFile file, Stmt.FunctionDef function, Stmt from, String statement, String box, List<Edit> edits) {
        Optional<Node> loop = Region.loop(file, from);
        List<Stmt> body = loop.map(Region::body).orElse(function.body());
        if (file.parent(from) != loop.map(Node.class::cast).orElse(function)) {
            return false;
        }
        List<Stmt> exits = file.nodes().stream()
                .filter(node -> node instanceof Stmt.Return || node instanceof Stmt.Continue)
                .map(Stmt.class::cast)
                .filter(node -> node.start() > from.end() && file.isIn(node, function))
                .filter(node ->
                        file.function(node).filter(around -> around == function).isPresent())
                .filter(node -> loop.isEmpty() || file.isIn(node, loop.get()))
                .filter(node -> box.isEmpty() || !isGone(file, node, box))
                .toList();
        for (Stmt exit : exits) {
            if (!leave(file, exit, statement, edits)) {
                return false;
            }
        }
        Stmt last = body.getLast();
        boolean isLeft = last instanceof Stmt.Return
                || last instanceof Stmt.Raise
                || last instanceof Stmt.Continue
                || last instanceof Stmt.Break
                || (!box.isEmpty() && isTaking(file, last, box));
        return isLeft
                || Edit.after(file, last, List.of(statement)).map(edits::add).orElse(false);
    }

    /** Returns whether the statement above an exit takes something from a box. */
    private static boolean isGone(SourceFile file, Stmt exit, String box) {
        return file.nodes().stream()
                .filter(node -> node instanceof Stmt && file.parent(node) == file.parent(exit))
                .filter(node -> node.end() <= exit.start())
                .reduce((_, last) -> last)
                .filter(above -> isTaking(file, above, box))
                .isPresent();
    }

    private static boolean isTaking(SourceFile file, Node statement, String box) {
        String text = file.text(statement);
        return text.startsWith("del " + box + "[")
                || Stream.of(".pop(", ".remove(", ".discard(").anyMatch(taking -> text.startsWith(box + taking));
    }

    /** Adds a statement behind another; where that returns, before it does, after what it computes. */
    static boolean follow(SourceFile file, Stmt statement, String next, List<Edit> edits) {
        return statement instanceof Stmt.Return
                ? leave(file, statement, next, edits)
                : Edit.after(file, statement, List.of(next)).map(edits::add).orElse(false);
    }

    /** Adds a statement before a return, after what that computes. */
    private static boolean leave(SourceFile file, Stmt exit, String statement, List<Edit> edits) {
        if (exit instanceof Stmt.Return it && it.value() != null && isActive(file, it.value())) {
            int end = it.value().start();
            edits.add(new Edit(file, it.start(), end, "result = "));
            return Edit.after(file, it, List.of(statement, "return result"))
                    .map(edits::add)
                    .orElse(false);
        }
        return Edit.before(file, exit, List.of(statement)).map(edits::add).orElse(false);
    }

    static boolean isActive(SourceFile file, Expr value) {
        boolean[] found = {
            value instanceof Expr.NamedExpr
                    || (value instanceof Expr.Call call && !PASSIVE.contains(file.text(call.func())))
        };
        value.forEachChild(child -> found[0] |= child instanceof Expr it && isActive(file, it));
        return found[0];
    }

    // ---- Finalizers

    private Optional<Cure> released(SourceFile file, Expr.Call call) {
        Expr object = call.args().getFirst();
        List<Stmt.FunctionDef> functions = seen.facts().value(call.args().get(1)).heap().stream()
                .flatMap(heap -> seen.methods(heap).stream())
                .toList();
        if (functions.size() != 1 || functions.getFirst().args().args().isEmpty()) {
            return Optional.empty();
        }
        Stmt.FunctionDef function = functions.getFirst();
        SourceFile in = seen.file(function);
        String self = function.args().args().getFirst().arg();
        Map<String, String> read = new LinkedHashMap<>();
        for (Node node : in.nodes()) {
            if (node instanceof Expr.Name name && name.id().equals(self) && in.isIn(node, function)) {
                boolean isRead = in.parent(node) instanceof Expr.Attribute it
                        && !(in.parent(it) instanceof Expr.Call called && called.func() == it)
                        && !(in.parent(it) instanceof Stmt.Assign assign
                                && assign.targets().contains(it));
                if (!isRead) {
                    return Optional.empty();
                }
                String attribute = ((Expr.Attribute) Objects.requireNonNull(in.parent(node))).attr();
                read.put(attribute, file.text(object) + "." + attribute);
            }
        }
        Optional<Node> type = in.around(function, Stmt.ClassDef.class::isInstance);
        if (type.isEmpty()) {
            return Optional.empty();
        }
        String given = read.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .collect(Collectors.joining(", "));
        List<Edit> edits = new ArrayList<>(Edit.importing(file, "types").toList());
        edits.add(Edit.replace(
                file,
                call.args().get(1),
                ((Stmt.ClassDef) type.get()).name() + "." + function.name() + ", types.SimpleNamespace(" + given
                        + ")"));
        return Optional.of(
                Cure.review(
                        Cure.Kind.RELEASE,
                        edits,
                        "The finalizer gets what it reads as it is now, and not the object: see that this does not change later."));
    }

    // ---- What is called later

    /** The registration of what the calls make, to be called later, which nothing ends. */
    Optional<Keeper> callback(boolean isOfObjects) {
        return seen.all(Expr.Call.class)
                .filter(call -> NameSets.has("VERBS", name(call))
                        && seen.facts().callees(call).isEmpty())
                .filter(call -> search.code().isRepeated(call)
                        || search.calls().functions().stream()
                                .anyMatch(function -> function
                                        == seen.file(call).function(call).orElse(null)))
                .filter(call -> given(call).anyMatch(this::isKept) && !isEnded(call))
                .findFirst()
                .map(call -> Keeper.guess(
                        Kind.REGISTERED,
                        seen.file(call),
                        call,
                        ended(call, isOfObjects).stream().toList()));
    }

    private static String name(Expr.Call call) {
        return call.func() instanceof Expr.Attribute method
                ? method.attr()
                : call.func() instanceof Expr.Name name ? name.id() : "";
    }

    private static Stream<Expr> given(Expr.Call call) {
        return Stream.concat(call.args().stream(), call.keywords().stream().map(Node.Keyword::value));
    }

    private boolean isKept(Expr given) {
        if (given instanceof Expr.Lambda it) {
            return seen.all(Expr.Name.class)
                    .anyMatch(name ->
                            seen.file(name) == seen.file(it) && seen.file(it).isIn(name, it) && isKept(name));
        }
        return !seen.facts().value(given).isPlain() && search.calls().isMade(given);
    }

    private boolean isEnded(Expr.Call call) {
        SourceFile file = seen.file(call);
        return file.nodes().stream()
                .filter(node ->
                        node instanceof Expr.Call it && ENDED.matcher(name(it)).matches())
                .filter(node -> file.function(node).equals(file.function(call)))
                .anyMatch(node -> !seen.isConditional(node));
    }

    Optional<Cure> ended(Expr.Call call, boolean isOfObjects) {
        SourceFile file = seen.file(call);
        Expr last = call.args().isEmpty() ? call : call.args().getLast();
        if (file.fullName(call.func()).equals("atexit.register")) {
            return unregistered(file, call);
        }
        if (seen.facts().value(last).heap().stream()
                .anyMatch(heap ->
                        heap.kind() == Heap.Kind.METHOD && !heap.functions().isEmpty())) {
            return Optional.of(weak(file, last));
        }
        List<Edit> edits = given(call)
                .filter(this::isKept)
                .flatMap(given -> Moving.of(seen.facts(), file, given, Entries.MOVED, null, false).stream())
                .toList();
        return isOfObjects || edits.isEmpty()
                ? Optional.empty()
                : Optional.of(Cure.review(
                        Cure.Kind.TO_HOST,
                        edits,
                        "What is called finds the tensors in CPU memory, without gradients."));
    }

    /** The cure that unregisters a callback of the exit: before it is registered anew, or where the function ends. */
    private Optional<Cure> unregistered(SourceFile file, Expr.Call call) {
        List<Edit> edits = new ArrayList<>();
        Stmt statement = file.statement(call);
        String callback = file.text(call.args().getFirst());
        boolean isGlobal = seen.functions(call.args().getFirst())
                        .anyMatch(node -> file.function(node).isEmpty())
                || seen.facts().value(call.args().getFirst()).isOpen();
        if (call.args().getFirst() instanceof Expr.Name && isGlobal) {
            return Edit.before(file, statement, List.of("atexit.unregister(" + callback + ")"))
                    .map(edit -> Cure.review(
                            Cure.Kind.UNREGISTER,
                            List.of(edit),
                            "Only what was registered last is called at the exit."));
        }
        if (!(file.function(call).orElse(null) instanceof Stmt.FunctionDef function)
                || !(statement instanceof Stmt.Expression)) {
            return Optional.empty();
        }
        edits.add(new Edit(file, call.start(), call.start(), "registered = "));
        return end(file, function, statement, "atexit.unregister(registered)", "", edits)
                ? Optional.of(Cure.review(
                        Cure.Kind.UNREGISTER, edits, "It is not called at the exit when the function has ended."))
                : Optional.empty();
    }

    /** A registration that the flow shows, of a method whose object it keeps. */
    Optional<Keeper> registered(Kept kept) {
        return method(kept).map(node -> Keeper.sure(Kind.REGISTERED, seen.file(node), node, List.of(weakened(node))));
    }

    /** A registration that does not keep the object whose method it is given. */
    List<Cure> weak(Kept kept) {
        return method(kept).map(this::weakened).stream().toList();
    }

    /** A weak registration within the program, which changes nothing where the method changes its own object alone. */
    private Cure weakened(Node node) {
        Cure weak = weak(seen.file(node), node);
        List<Stmt.FunctionDef> methods = seen.facts().value(node).heap().stream()
                .flatMap(heap -> seen.methods(heap).stream())
                .toList();
        boolean isUnseen = seen.isWhole()
                && !methods.isEmpty()
                && methods.stream().allMatch(method -> isOfSelf(method) && isRegisteredOnce(method));
        return isUnseen
                ? Cure.safe(
                        Cure.Kind.RELEASE,
                        weak.edits(),
                        "The method changes attributes of its own object alone, which nobody sees when only this registration kept it.")
                : weak;
    }

    /** Returns whether a method does nothing but set attributes of its object, without calls. */
    private boolean isOfSelf(Stmt.FunctionDef method) {
        SourceFile file = seen.file(method);
        String self = method.args().args().isEmpty()
                ? ""
                : method.args().args().getFirst().arg();
        return !method.isAsync()
                && method.body().stream().allMatch(statement -> switch (statement) {
                    case Stmt.Assign it ->
                        it.targets().stream().allMatch(target -> isAttribute(file, target, self)) && isCalm(it.value());
                    case Stmt.AugAssign it -> isAttribute(file, it.target(), self) && isCalm(it.value());
                    case Stmt.Expression it -> it.value() instanceof Expr.Constant;
                    case Stmt.Pass _ -> true;
                    default -> false;
                });
    }

    private boolean isAttribute(SourceFile file, Expr target, String self) {
        return target instanceof Expr.Attribute it
                && file.text(it.value()).equals(self)
                && seen.all(Stmt.FunctionDef.class)
                        .noneMatch(setter -> setter.name().equals(it.attr()));
    }

    private static boolean isCalm(Node value) {
        boolean[] found = {value instanceof Expr.Call || value instanceof Expr.Yield || value instanceof Expr.NamedExpr
        };
        value.forEachChild(child -> found[0] |= !isCalm(child));
        return !found[0];
    }

    /** Returns whether no other line has the method as a value, to take it out again, and none that calls it gives it names. */
    private boolean isRegisteredOnce(Stmt.FunctionDef method) {
        long values = seen.all(Expr.Attribute.class)
                .filter(it -> it.attr().equals(method.name())
                        && !(seen.file(it).parent(it) instanceof Expr.Call call && call.func() == it))
                .count();
        return values == 1
                && seen.all(Expr.Call.class)
                        .filter(call -> seen.facts().callees(call).stream().anyMatch(each -> each == method))
                        .allMatch(call -> call.keywords().isEmpty());
    }

    private Optional<Node> method(Kept kept) {
        return seen.facts().value(kept.add().value()).heap().stream()
                .filter(heap -> heap.kind() == Heap.Kind.METHOD)
                .map(Heap::node)
                .filter(node -> seen.file(node).parent(node) instanceof Expr.Call)
                .findFirst();
    }

    private static Cure weak(SourceFile file, Node method) {
        List<Edit> edits = new ArrayList<>(Edit.importing(file, "weakref").toList());
        edits.add(Edit.replace(
                file,
                method,
                "lambda *given, method=weakref.WeakMethod(" + file.text(method) + "): method() and method()(*given)"));
        return Cure.review(
                Cure.Kind.RELEASE,
                edits,
                "An object that only this registration kept ends, and does not hear any more.");
    }
}
