package dev.leakline.python.keep;

import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import dev.leakline.python.Stmt;
import dev.leakline.python.edit.Edit;
import dev.leakline.python.flow.SourceFile;
import dev.leakline.python.keep.Keeper.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Finds hooks: those that each step registers, that refer to what a step makes, and that store what they are given. */
public final class Hooks {
    private static final Pattern HOOK = Pattern.compile("register_(\\w+_)?hook");

    /** Calls through which a removal is followed. */
    private static final int DEPTH = 3;

    private final KeptSearch search;
    private final SeenProgram seen;

    /** Looks in the program of a search. */
    public Hooks(KeptSearch search) {
        this.search = search;
        this.seen = search.seen();
    }

    /** The hook that each step registers and nothing removes; a guess where it is removed under a condition. */
    public Optional<Keeper> piled() {
        return seen.all(Expr.Call.class)
                .filter(Hooks::isHook)
                .filter(search.code()::isRepeated)
                .filter(call -> removals(call).noneMatch(this::isRun))
                .findFirst()
                .map(call -> seen.keeper(
                        Kind.STEP_HOOKS, call, removed(call), removals(call).anyMatch(search.code()::isRepeated)));
    }

    /** The edits for a hook that is registered. */
    List<Cure> at(Predicate<Node> isThere) {
        return seen.all(Expr.Call.class)
                .filter(call -> isThere.test(call) && isHook(call))
                .flatMap(call -> removed(call).stream())
                .limit(1)
                .toList();
    }

    private static boolean isHook(Expr.Call call) {
        return HOOK.matcher(call.method()).matches();
    }

    /** The calls that remove what registering gives. */
    private Stream<Node> removals(Expr.Call call) {
        SourceFile file = seen.file(call);
        Node parent = file.parent(call);
        String handle =
                parent instanceof Stmt.Assign it ? file.text(it.targets().getFirst()) : "";
        return file.all(Node.class)
                .filter(node -> node instanceof Expr.Call it
                        && it.receiver() instanceof Expr of
                        && it.method().equals("remove")
                        && it.args().isEmpty()
                        && (handle.isEmpty()
                                ? !(parent instanceof Stmt.Expression)
                                : file.text(of).equals(handle)));
    }

    /** Returns whether each step runs a node: under no condition, and in what it calls under none. */
    private boolean isRun(Node node) {
        return isRun(node, DEPTH);
    }

    private boolean isRun(Node node, int depth) {
        SourceFile file = seen.file(node);
        Node function = file.function(node).orElse(null);
        boolean isOwn = search.calls().isCalled(node);
        boolean isExit = function instanceof Stmt.FunctionDef it && it.name().endsWith("exit__");
        return !seen.isConditional(node)
                && (isExit
                        || (search.code().isRepeated(node)
                                && (isOwn
                                        || depth == 0
                                        || seen.all(Expr.Call.class)
                                                .filter(call -> seen.isCalling(call, function))
                                                .anyMatch(call -> isRun(call, depth - 1)))));
    }

    /** The hook that refers to what the innermost call gives a name, in the same function. */
    public Optional<Keeper> referring() {
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
                .filter(call -> file.isBeside(call, made))
                .filter(call -> call.args().stream()
                        .anyMatch(hook -> names.stream()
                                .anyMatch(name -> file.has(hook, name)
                                        || seen.functions(hook)
                                                .anyMatch(body ->
                                                        file.isIn(body, function(made)) && file.has(body, name)))))
                .findFirst()
                .map(call -> seen.keeper(Kind.HOOKS_KEEP, call, removed(call), false));
    }

    private Node function(Stmt statement) {
        return seen.file(statement).function(statement).orElse(statement);
    }

    /** The place where a hook stores what it is given. */
    public Optional<Kept> storing() {
        return seen.all(Expr.Call.class)
                .filter(call -> isHook(call) && search.calls().near().anyMatch(file -> file == seen.file(call)))
                .flatMap(call -> call.args().stream().flatMap(seen::functions))
                .filter(Stmt.FunctionDef.class::isInstance)
                .map(Stmt.FunctionDef.class::cast)
                .flatMap(hook -> search.kept(hook.all(Expr.Name.class)
                                .filter(name ->
                                        !name.id().equals("self") && hook.args().has(name.id()))
                                .toList())
                        .filter(kept -> kept.file().isIn(kept.at(), hook)))
                .findFirst();
    }

    /** A name that the function does not have, one for each of its hooks. */
    private static String handle(Expr.Call call, Stmt.FunctionDef function) {
        long before = function.all(Expr.Call.class)
                .filter(other -> isHook(other) && other.start() < call.start())
                .count();
        String[] name = {before == 0 ? "handle" : "handle_" + (before + 1)};
        while (function.all(Expr.Name.class).anyMatch(it -> it.id().equals(name[0]))) {
            name[0] += "_";
        }
        return name[0];
    }

    private Optional<Cure> removed(Expr.Call call) {
        SourceFile file = seen.file(call);
        Stmt statement = file.statement(call);
        if (!(file.function(call).orElse(null) instanceof Stmt.FunctionDef def)) {
            return Optional.empty();
        }
        if (statement instanceof Stmt.Return) {
            return callers(def).size() == 1 ? removed(callers(def).getFirst()) : Optional.empty();
        }
        List<Edit> edits = new ArrayList<>();
        String handle = handle(call, def);
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
        boolean isUsed = def.all(Expr.Call.class).anyMatch(node -> node.start() > call.end());
        boolean isEnded = isUsed && Exits.end(file, def, statement, handle + ".remove()", "", edits);
        return isEnded
                ? Optional.of(Cure.review(
                        Cure.Kind.REMOVE, edits, "The hook does not run any more when the function has ended."))
                : replaced(file, call, def);
    }

    private List<Expr.Call> callers(Stmt.FunctionDef function) {
        return seen.all(Expr.Call.class)
                .filter(call -> seen.isCalling(call, function))
                .toList();
    }

    /** The hook of a method in the place of the one that it registered before, on the same module. */
    private Optional<Cure> replaced(SourceFile file, Expr.Call call, Stmt.FunctionDef method) {
        String self = method.args().first();
        boolean isSame = file.parent(method) instanceof Stmt.ClassDef
                && file.parent(call) instanceof Stmt.Expression
                && Region.loop(file, call).isEmpty()
                && callers(method).size() == 1
                && call.func() instanceof Expr.Attribute hook
                && hook.value().all(Expr.Name.class).allMatch(name -> name.id().equals(self));
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
}
