package dev.leakline.python.keep;

import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import dev.leakline.python.Stmt;
import dev.leakline.python.edit.Edit;
import dev.leakline.python.flow.FlowFacts.Add;
import dev.leakline.python.flow.Heap;
import dev.leakline.python.flow.SourceFile;
import dev.leakline.python.keep.Keeper.Kind;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Searches a program for what is known to keep what it is given, of kinds that no class is about alone, and for all that end what a rule has found. */
public final class Keepers {
    private final KeptSearch search;

    private final SeenProgram seen;

    private final Registering registering;

    public Keepers(KeptSearch search) {
        this.search = search;
        this.seen = search.seen();
        this.registering = new Registering(search);
    }

    /**
     * Finds what keeps objects as long as they are there, those that are sure first.
     *
     * @param isOfObjects whether it is known that objects stay, not what they are made of
     */
    public List<Keeper> ofObjects(boolean isOfObjects) {
        List<Keeper> found = Stream.of(
                        new Memos(search).ofObjects(),
                        new Contexts(search).keeping(),
                        new Finalizers(search).referring(),
                        registering.callback(isOfObjects))
                .flatMap(Optional::stream)
                .toList();
        return Stream.concat(
                        found.stream().filter(keeper -> !keeper.isGuess()),
                        found.stream().filter(Keeper::isGuess))
                .toList();
    }

    /**
     * Finds the edits for what a rule has found to keep something, the best first; those that depend on who reads what is kept are only safe
     * where nobody else can.
     *
     * @param isTensor whether the rule knows that a tensor is kept, and nothing else
     * @param isGraph whether it is an autograd graph that grows
     */
    public List<Cure> cures(SourceFile file, int start, int end, boolean isTensor, boolean isGraph) {
        Predicate<Node> isThere = isWithin(file, start, end);
        Optional<Kept> kept = search.within(file, start, end);
        boolean isVisible = seen.isWhole()
                || kept.filter(it -> !(it.add().target() instanceof Expr.Attribute))
                        .isPresent();
        return Stream.of(
                        new Memos(search).at(isThere),
                        new Hooks(search).at(isThere),
                        new Finalizers(search).at(isThere),
                        new Metrics(search).at(isThere),
                        new Errors(search).at(isThere),
                        kept.map(it -> Cures.of(search, it, isTensor ? "" : null, false, isGraph))
                                .orElse(List.of()),
                        comprehended(isThere))
                .filter(cures -> !cures.isEmpty())
                .findFirst()
                .orElse(List.of())
                .stream()
                .map(cure -> isVisible || cure.kind() == Cure.Kind.FRAMES ? cure : cure.unproven())
                .toList();
    }

    /** Finds the edits for what a rule has found to close a cycle: a context, a finalizer. */
    public List<Cure> cycles(SourceFile file, int start, int end) {
        Predicate<Node> isThere = isWithin(file, start, end);
        return new Contexts(search)
                .keeping()
                .filter(keeper -> isThere.test(keeper.at()))
                .map(Keeper::cures)
                .orElseGet(() -> new Finalizers(search).at(isThere));
    }

    private Predicate<Node> isWithin(SourceFile file, int start, int end) {
        return node -> seen.file(node) == file && node.start() >= start && node.end() <= end;
    }

    /** The elements of a comprehension in CPU memory. */
    private List<Cure> comprehended(Predicate<Node> isThere) {
        return seen.all(Expr.ListComp.class)
                .filter(isThere)
                .map(it -> Moving.of(seen.facts(), seen.file(it), it, Entries.MOVED, null, false))
                .filter(edits -> !edits.isEmpty())
                .map(edits -> Cure.review(Cure.Kind.TO_HOST, edits, Entries.ON_HOST))
                .limit(1)
                .toList();
    }

    /** Finds what is known to keep what it is given: metrics, tasks, dicts with weak keys, logs, dicts of objects. */
    public Optional<Keeper> ofKnown() {
        return new Metrics(search)
                .unreset()
                .or(() -> new Tasks(search).kept())
                .or(() -> new WeakKeys(search).referringBack())
                .or(() -> new Logs(search).keeping(false))
                .or(() -> new Iterators(search).repeating())
                .or(() -> new Owners(search).keeping());
    }

    /** The call by which each step adds parameters to an optimizer. */
    public Optional<Keeper> ofParameters() {
        return seen.facts().adds().stream()
                .map(Add::at)
                .filter(at -> at instanceof Expr.Call call
                        && call.method().equals("add_param_group")
                        && search.code().isRepeated(at))
                .findFirst()
                .map(at -> seen.keeper(Kind.PARAM_GROUPS, at, Optional.empty(), false));
    }

    /** Returns whether something is added to a dict with weak keys. */
    public static boolean isWeak(Kept kept) {
        return kept.add().to().heap().stream().anyMatch(WeakKeys::isWeak);
    }

    /** Autocast around the loop in which a call stands. */
    public Optional<Keeper> ofAutocast() {
        return search.calls().statements().stream()
                .flatMap(statement -> Region.loop(seen.file(statement), statement).stream())
                .flatMap(loop -> seen.file(loop).around(loop, Stmt.With.class::isInstance).stream())
                .flatMap(with -> ((Stmt.With) with).items().stream())
                .filter(item -> item.contextExpr() instanceof Expr.Call call
                        && seen.file(item).fullName(call.func()).endsWith("autocast")
                        && call.given("cache_enabled") == null)
                .findFirst()
                .map(item -> {
                    SourceFile file = seen.file(item);
                    int end = item.contextExpr().end() - 1;
                    boolean isEmpty = file.text(item.contextExpr()).endsWith("()");
                    Edit edit = new Edit(file, end, end, (isEmpty ? "" : ", ") + "cache_enabled=False");
                    Cure uncached = Cure.review(
                            Cure.Kind.UNCACHE,
                            List.of(edit),
                            "Weights are converted at each use, which takes time where a step uses them several times.");
                    return seen.keeper(Kind.AUTOCAST_CACHE, item, Optional.of(uncached), false);
                });
    }

    /** A collector that is switched off, and not called. */
    public Optional<Keeper> ofCollector() {
        return search.calls()
                .near()
                .filter(file -> file.all(Expr.Call.class)
                        .noneMatch(call -> file.isCollection(call)
                                || file.fullName(call.func()).equals("gc.enable")))
                .flatMap(file -> file.all(Expr.Call.class)
                        .filter(call -> file.fullName(call.func()).equals("gc.disable"))
                        .map(call -> seen.keeper(Kind.COLLECTOR_OFF, call, Optional.empty(), true)))
                .findFirst();
    }

    /** The registration of a kept method, which is no collection of what is kept. */
    public Optional<Keeper> registered(Kept kept) {
        return seen.facts().value(kept.value()).isOnly(Heap.Kind.METHOD)
                ? registering.registered(kept)
                : Optional.empty();
    }
}
