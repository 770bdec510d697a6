package dev.leakline.python.keep;

import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import dev.leakline.python.Stmt;
import dev.leakline.python.edit.Edit;
import dev.leakline.python.flow.SourceFile;
import dev.leakline.python.keep.Keeper.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Finds finalizers that keep the object whose end they wait for, or what they are given. */
public final class Finalizers {
    private final KeptSearch search;
    private final SeenProgram seen;
    private final Registering registering;

    /** Looks in the program of a search. */
    public Finalizers(KeptSearch search) {
        this.search = search;
        this.seen = search.seen();
        this.registering = new Registering(search);
    }

    /** The finalizer of an object that refers to the object. */
    Optional<Keeper> referring() {
        return calls(this::isFinalizer)
                .findFirst()
                .map(call -> seen.keeper(Kind.FINALIZER, call, released(call), seen.isConditional(call)));
    }

    /** The finalizer of an object, or that of what the calls make. */
    public Optional<Keeper> keeping() {
        return referring().or(this::arguments);
    }

    /** The edits for a finalizer that refers to its object. */
    List<Cure> at(Predicate<Node> isThere) {
        return seen.all(Expr.Call.class)
                .filter(call -> isThere.test(call) && isFinalizer(call))
                .flatMap(call -> released(call).stream())
                .limit(1)
                .toList();
    }

    private Stream<Expr.Call> calls(Predicate<Expr.Call> wanted) {
        return seen.all(Expr.Call.class).filter(wanted).filter(search.code()::isRepeated);
    }

    /** The finalizer whose arguments are what the calls make. */
    private Optional<Keeper> arguments() {
        return calls(call -> isFinalizing(call) && call.args().stream().skip(2).anyMatch(registering::isKept))
                .findFirst()
                .map(call -> seen.keeper(Kind.REGISTERED, call, registering.ended(call, false), false));
    }

    private boolean isFinalizing(Expr.Call call) {
        return seen.file(call).text(call.func()).endsWith("finalize");
    }

    private boolean isFinalizer(Expr.Call call) {
        return isFinalizing(call)
                && call.args().size() >= 2
                && isReferring(
                        seen.file(call),
                        call.args().get(1),
                        seen.file(call).text(call.args().getFirst()));
    }

    /** Returns whether what a finalizer is given is an object, a method of it, or a function that names it. */
    public static boolean isReferring(SourceFile file, Expr given, String object) {
        return switch (given) {
            case Expr.Attribute method when file.text(method.value()).equals(object) -> true;
            case Expr.Lambda it -> file.has(it.body(), object);
            default -> file.text(given).equals(object);
        };
    }

    private Optional<Cure> released(Expr.Call call) {
        SourceFile file = seen.file(call);
        Expr object = call.args().getFirst();
        List<Stmt.FunctionDef> functions = seen.facts().value(call.args().get(1)).heap().stream()
                .flatMap(heap -> seen.methods(heap).stream())
                .toList();
        if (functions.size() != 1 || functions.getFirst().args().first().isEmpty()) {
            return Optional.empty();
        }
        Stmt.FunctionDef function = functions.getFirst();
        SourceFile in = seen.file(function);
        Map<String, String> read = new LinkedHashMap<>();
        for (Expr.Name name : function.all(Expr.Name.class).toList()) {
            if (name.id().equals(function.args().first())) {
                if (!(in.parent(name) instanceof Expr.Attribute it) || in.isCalled(it) || in.isTarget(it)) {
                    return Optional.empty();
                }
                read.put(it.attr(), file.text(object) + "." + it.attr());
            }
        }
        Optional<Stmt.ClassDef> type = in.type(function);
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
                type.get().name() + "." + function.name() + ", types.SimpleNamespace(" + given + ")"));
        return Optional.of(
                Cure.review(
                        Cure.Kind.RELEASE,
                        edits,
                        "The finalizer gets what it reads as it is now, and not the object: see that this does not change later."));
    }
}
