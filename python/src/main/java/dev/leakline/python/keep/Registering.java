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
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Calls that hand something over to be called later, which keeps it until that is taken back: listeners, callbacks, exit functions. */
final class Registering {
    private static final Pattern ENDED = Pattern.compile(
            "unregister|unsubscribe|off|disconnect|unlisten|unobserve|remove_\\w+|removeHandler|cancel|detach|pop_all|close");

    private final KeptSearch search;
    private final SeenProgram seen;

    Registering(KeptSearch search) {
        this.search = search;
        this.seen = search.seen();
    }

    /** The registration of what the calls make, to be called later, which nothing ends. */
    Optional<Keeper> callback(boolean isOfObjects) {
        return seen.all(Expr.Call.class)
                .filter(call -> NameSets.has("VERBS", call.name())
                        && seen.facts().callees(call).isEmpty())
                .filter(call -> search.code().isRun(call))
                .filter(call -> call.given().anyMatch(this::isKept) && !isEnded(call))
                .findFirst()
                .map(call -> seen.keeper(Kind.REGISTERED, call, ended(call, isOfObjects), true));
    }

    /** Returns whether an argument, or what a function in its place refers to, is what the calls make. */
    boolean isKept(Expr given) {
        if (given instanceof Expr.Lambda it) {
            return it.all(Expr.Name.class).anyMatch(this::isKept);
        }
        return !seen.facts().value(given).isPlain() && search.calls().isMade(given);
    }

    private boolean isEnded(Expr.Call call) {
        SourceFile file = seen.file(call);
        return file.all(Expr.Call.class)
                .filter(it -> ENDED.matcher(it.name()).matches())
                .anyMatch(it -> file.isBeside(it, call) && !seen.isConditional(it));
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
        List<Edit> edits = call.given()
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
        return Exits.end(file, function, statement, "atexit.unregister(registered)", "", edits)
                ? Optional.of(Cure.review(
                        Cure.Kind.UNREGISTER, edits, "It is not called at the exit when the function has ended."))
                : Optional.empty();
    }

    /** A registration that the flow shows, of a method whose object it keeps. */
    Optional<Keeper> registered(Kept kept) {
        return method(kept).map(node -> seen.keeper(Kind.REGISTERED, node, Optional.of(weakened(node)), false));
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
        String self = method.args().first();
        return !method.isAsync()
                && method.body().stream().allMatch(statement -> switch (statement) {
                    case Stmt.Assign it ->
                        it.targets().stream().allMatch(target -> isAttribute(target, self)) && isCalm(it.value());
                    case Stmt.AugAssign it -> isAttribute(it.target(), self) && isCalm(it.value());
                    case Stmt.Expression it -> it.value() instanceof Expr.Constant;
                    case Stmt.Pass _ -> true;
                    default -> false;
                });
    }

    private boolean isAttribute(Expr target, String self) {
        return target instanceof Expr.Attribute it
                && it.value().isName(self)
                && seen.all(Stmt.FunctionDef.class)
                        .noneMatch(setter -> setter.name().equals(it.attr()));
    }

    private static boolean isCalm(Node value) {
        return !value.has(
                node -> node instanceof Expr.Call || node instanceof Expr.Yield || node instanceof Expr.NamedExpr);
    }

    /** Returns whether no other line has the method as a value, to take it out again, and none that calls it gives it names. */
    private boolean isRegisteredOnce(Stmt.FunctionDef method) {
        long values = seen.all(Expr.Attribute.class)
                .filter(it -> it.attr().equals(method.name()) && !seen.file(it).isCalled(it))
                .count();
        return values == 1
                && seen.all(Expr.Call.class)
                        .filter(call -> seen.isCalling(call, method))
                        .allMatch(call -> call.keywords().isEmpty());
    }

    private Optional<Node> method(Kept kept) {
        return seen.facts().value(kept.value()).heap().stream()
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
