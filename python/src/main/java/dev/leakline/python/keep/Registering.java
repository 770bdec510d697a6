package dev.leakline.python.keep;

import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import dev.leakline.python.Stmt;
import dev.leakline.python.edit.Edit;
import dev.leakline.python.flow.Heap;
import dev.leakline.python.flow.SourceFile;
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
public final class Registering {
    private static final Pattern HOOK = Pattern.compile("register_(\\w+_)?hook");
    /** Calls that run nothing of the program's. */
    private static final Set<String> PASSIVE = Set.of("len", "tuple", "list", "str", "float", "int");

    private final KeptSearch search;

    public Registering(KeptSearch search) {
        this.search = search;
    }

    /**
     * A registration.
     *
     * @param cures the edits that end it; none where the source does not show where
     */
    public record Registered(SourceFile file, Expr.Call call, List<Cure> cures) {
        public int line() {
            return file.line(call);
        }
    }

    /** The hook that each step registers and nothing removes. */
    public Optional<Registered> hook() {
        return calls(call -> call.func() instanceof Expr.Attribute method
                        && HOOK.matcher(method.attr()).matches())
                .filter(call -> !isRemoved(search.file(call), call))
                .findFirst()
                .map(call -> new Registered(
                        search.file(call),
                        call,
                        removed(search.file(call), call).stream().toList()));
    }

    /** The finalizer of an object that refers to the object. */
    public Optional<Registered> finalizer() {
        return calls(call -> search.file(call).text(call.func()).endsWith("finalize")
                        && call.args().size() >= 2)
                .filter(call -> search.facts().value(call.args().get(1)).isOnly(Heap.Kind.METHOD))
                .findFirst()
                .map(call -> new Registered(
                        search.file(call),
                        call,
                        released(search.file(call), call).stream().toList()));
    }

    private Stream<Expr.Call> calls(Predicate<Expr.Call> wanted) {
        List<Region> regions = search.regions();
        return search.program().files().stream()
                .flatMap(file -> file.nodes().stream())
                .filter(node -> node instanceof Expr.Call call && wanted.test(call))
                .map(Expr.Call.class::cast)
                .filter(call -> regions.stream().anyMatch(region -> region.contains(search.file(call), call)));
    }

    // ---- Hooks

    /** Whether the function that registers a hook, or anything of its file, removes what registering gives. */
    private boolean isRemoved(SourceFile file, Expr.Call call) {
        Node parent = file.parent(call);
        String handle =
                parent instanceof Stmt.Assign it ? file.text(it.targets().getFirst()) : "";
        return file.nodes().stream()
                .filter(node -> node instanceof Expr.Call it
                        && it.func() instanceof Expr.Attribute method
                        && method.attr().equals("remove")
                        && it.args().isEmpty())
                .anyMatch(node -> handle.isEmpty()
                        ? !(parent instanceof Stmt.Expression)
                        : file.text(((Expr.Attribute) ((Expr.Call) node).func()).value())
                                        .equals(handle)
                                && file.around(node, Stmt.If.class::isInstance).isEmpty());
    }

    private Optional<Cure> removed(SourceFile file, Expr.Call call) {
        Stmt statement = file.statement(call);
        Optional<Node> function = file.function(call);
        if (!(function.orElse(null) instanceof Stmt.FunctionDef def)) {
            return Optional.empty();
        }
        List<Edit> edits = new ArrayList<>();
        String handle = "handle";
        if (statement instanceof Stmt.Expression it && it.value() == call) {
            edits.add(new Edit(file, call.start(), call.start(), "handle = "));
        } else if (statement instanceof Stmt.Assign it
                && it.value() == call
                && it.targets().size() == 1
                && it.targets().getFirst() instanceof Expr.Name name) {
            handle = name.id();
        } else {
            return Optional.empty();
        }
        boolean isEnded = end(file, def, statement, handle + ".remove()", edits);
        return isEnded
                ? Optional.of(Cure.review(
                        Cure.Kind.REMOVE, edits, "The hook does not run any more when the function has ended."))
                : Optional.empty();
    }

    /** Adds a statement where a function ends after one of its statements; false where it does not reach all of these. */
    private static boolean end(
            SourceFile file, Stmt.FunctionDef function, Stmt from, String statement, List<Edit> edits) {
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
                || last instanceof Stmt.Break;
        return isLeft
                || Edit.after(file, last, List.of(statement)).map(edits::add).orElse(false);
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

    private static boolean isActive(SourceFile file, Expr value) {
        boolean[] found = {value instanceof Expr.Call call && !PASSIVE.contains(file.text(call.func()))};
        value.forEachChild(child -> found[0] |= child instanceof Expr it && isActive(file, it));
        return found[0];
    }

    // ---- Finalizers

    private Optional<Cure> released(SourceFile file, Expr.Call call) {
        Expr object = call.args().getFirst();
        Heap method = search.facts().value(call.args().get(1)).heap().iterator().next();
        List<Stmt.FunctionDef> functions = search.methods(method);
        if (functions.size() != 1 || functions.getFirst().args().args().isEmpty()) {
            return Optional.empty();
        }
        Stmt.FunctionDef function = functions.getFirst();
        SourceFile in = search.file(function);
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

    // ---- Listeners

    /** A registration that does not keep the object whose method it is given. */
    List<Cure> weak(Kept kept) {
        Set<Node> methods = search.facts().value(kept.add().value()).heap().stream()
                .filter(heap -> heap.kind() == Heap.Kind.METHOD)
                .map(Heap::node)
                .collect(Collectors.toSet());
        return methods.stream()
                .filter(node -> search.file(node).parent(node) instanceof Expr.Call)
                .limit(1)
                .map(node -> {
                    SourceFile file = search.file(node);
                    String text = "lambda *given, method=weakref.WeakMethod(" + file.text(node)
                            + "): method() and method()(*given)";
                    List<Edit> edits =
                            new ArrayList<>(Edit.importing(file, "weakref").toList());
                    edits.add(Edit.replace(file, node, text));
                    return Cure.review(
                            Cure.Kind.RELEASE,
                            edits,
                            "An object that only this registration kept ends, and does not hear any more.");
                })
                .toList();
    }
}
