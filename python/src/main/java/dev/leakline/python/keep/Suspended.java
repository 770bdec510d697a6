package dev.leakline.python.keep;

import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import dev.leakline.python.Stmt;
import dev.leakline.python.edit.Edit;
import dev.leakline.python.flow.FlowFacts.Add;
import dev.leakline.python.flow.FlowFacts.How;
import dev.leakline.python.flow.Heap;
import dev.leakline.python.flow.SourceFile;
import dev.leakline.python.keep.Keeper.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Finds what keeps generators and coroutines that are suspended, and with them all their variables. */
public final class Suspended {
    private final KeptSearch search;
    private final SeenProgram seen;

    /** Looks in the program of a search. */
    public Suspended(KeptSearch search) {
        this.search = search;
        this.seen = search.seen();
    }

    /** Finds what keeps the generator or coroutine in which the innermost call stands; its own line where nothing shows that. */
    public Optional<Keeper> keeping() {
        return search.calls().functions().stream()
                .limit(1)
                .filter(function ->
                        isSuspended(function, search.calls().statements().getFirst()))
                .findFirst()
                .map(function -> search.kept(seen.all(Expr.Call.class)
                                .filter(call -> seen.isCalling(call, function))
                                .toList())
                        .max(Comparator.comparing(Kept::isMade))
                        .map(this::suspended)
                        .orElseGet(() -> suspended(search.calls().statements().getFirst(), Optional.empty())));
    }

    /** A kept generator or coroutine. */
    public Optional<Keeper> of(Kept kept) {
        return seen.facts().value(kept.value()).isOnly(Heap.Kind.GENERATOR)
                ? Optional.of(suspended(kept))
                : Optional.empty();
    }

    private Keeper suspended(Kept kept) {
        return suspended(kept.statement(), closed(kept));
    }

    private Keeper suspended(Stmt at, Optional<Cure> cure) {
        return seen.keeper(Kind.GENERATOR_SUSPENDED, at, cure, false);
    }

    /** Returns whether a function may stop at a statement or after it. */
    private boolean isSuspended(Node function, Stmt statement) {
        return function.has(
                node -> (node instanceof Expr.Await || node instanceof Expr.Yield || node instanceof Expr.YieldFrom)
                        && node.end() > statement.start()
                        && seen.file(node).function(node).orElse(null) == function);
    }

    /** A task ended when the caller ends that keeps it. */
    private static Optional<Cure> cancelled(Kept kept) {
        SourceFile file = kept.file();
        List<Edit> edits = new ArrayList<>();
        boolean isEnded = file.function(kept.at()).orElse(null) instanceof Stmt.FunctionDef function
                && Exits.end(file, function, kept.statement(), file.text(kept.value()) + ".cancel()", "", edits);
        return isEnded
                ? Optional.of(Cure.review(Cure.Kind.TAKE, edits, "A task that has not ended by then does not go on."))
                : Optional.empty();
    }

    /** The cure that takes a call out of where it is kept when its caller ends. */
    private Optional<Cure> closed(Kept kept) {
        SourceFile file = kept.file();
        Add add = kept.add();
        String box = file.text(add.target());
        boolean isNamed = add.value() instanceof Expr.Name;
        if (isNamed && !seen.facts().value(add.value()).isOnly(Heap.Kind.GENERATOR)) {
            return cancelled(kept);
        }
        boolean isSet = add.at() instanceof Expr.Call it && file.text(it.func()).endsWith(".add");
        String removed = add.how() == How.ITEM && add.key() != null
                ? box + ".pop(" + file.text(add.key()) + ", None)"
                : isNamed ? box + (isSet ? ".discard(" : ".remove(") + file.text(add.value()) + ")" : "";
        List<Edit> edits = new ArrayList<>();
        boolean isEnded = !removed.isEmpty()
                && file.function(add.at()).orElse(null) instanceof Stmt.FunctionDef function
                && Exits.end(file, function, kept.statement(), removed, box, edits)
                && !edits.isEmpty();
        return isEnded
                ? Optional.of(Cure.review(Cure.Kind.TAKE, edits, "Nobody may go on with the call after this."))
                : Optional.empty();
    }
}
