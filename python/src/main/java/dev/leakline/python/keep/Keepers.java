package dev.leakline.python.keep;

import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import dev.leakline.python.Stmt;
import dev.leakline.python.edit.Edit;
import dev.leakline.python.flow.FlowFacts.Add;
import dev.leakline.python.flow.FlowFacts.How;
import dev.leakline.python.flow.Heap;
import dev.leakline.python.flow.NameSets;
import dev.leakline.python.flow.SourceFile;
import dev.leakline.python.keep.Keeper.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Searches a program for what is known to keep what it is given, beside the statements that the flow shows. */
@SuppressWarnings("ReferenceEquality") // nodes have the equality of records: two files may have equal ones
public final class Keepers {
    private final KeptSearch search;
    private final SeenProgram seen;
    private final Registering registering;
    private final Errors errors;

    public Keepers(KeptSearch search) {
        this.search = search;
        this.seen = search.seen();
        this.registering = new Registering(search);
        this.errors = new Errors(search);
    }

    /**
     * Finds what keeps objects as long as they are there, those that are sure first.
     *
     * @param isOfObjects whether it is known that objects stay, not what they are made of
     */
    public List<Keeper> ofObjects(boolean isOfObjects) {
        List<Keeper> found = Stream.of(
                        new Memos(search).ofObjects(),
                        ofContexts(),
                        registering.finalizer(),
                        registering.callback(isOfObjects))
                .flatMap(Optional::stream)
                .toList();
        return Stream.concat(
                        found.stream().filter(keeper -> !keeper.isGuess()),
                        found.stream().filter(Keeper::isGuess))
                .toList();
    }

    public Optional<Keeper> ofContexts() {
        return new Contexts(search).keeping();
    }

    /** The cache of a function that the calls run. */
    public Optional<Keeper> ofResults() {
        return new Memos(search).ofResults();
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
                        registering.at(isThere),
                        new Metrics(search).at(isThere),
                        errors.at(isThere),
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
        return ofContexts()
                .filter(keeper -> isThere.test(keeper.at()))
                .map(Keeper::cures)
                .orElseGet(() -> registering.at(isThere));
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

    /** The handler of what the calls raise that keeps the exception; any behind them where {@code isKnown}. */
    public Optional<Keeper> ofErrors(boolean isKnown) {
        return errors.handled(isKnown);
    }

    /** Finds what such a handler keeps besides. */
    public Optional<Kept> besideErrors(boolean isKnown) {
        return errors.besides(isKnown);
    }

    /** Any handler that keeps exceptions. */
    public Optional<Keeper> ofAnyError() {
        return errors.any();
    }

    /** A hook that refers to what the innermost call makes. */
    public Optional<Keeper> referring() {
        return registering.referring();
    }

    /** A hook that each step registers. */
    public Optional<Keeper> piled() {
        return registering.hook();
    }

    /** The finalizer of an object. */
    public Optional<Keeper> finalizer() {
        return registering.finalizer().or(registering::arguments);
    }

    /** A metric that is never reset. */
    public Optional<Keeper> ofMetrics() {
        return new Metrics(search).unreset();
    }

    /** Finds what a hook stores of what it sees. */
    public Optional<Kept> ofHook() {
        return registering.storing();
    }

    /** Gradients that keep graphs, of a backward pass of the calls' functions or of what they call. */
    public Optional<Keeper> ofGradients() {
        boolean isCleared = seen.all(Node.class)
                .filter(node -> switch (node) {
                    case Expr.Call call ->
                        call.func() instanceof Expr.Attribute method
                                && method.attr().equals("zero_grad");
                    case Stmt.Assign it ->
                        it.targets().getFirst() instanceof Expr.Attribute target
                                && target.attr().equals("grad")
                                && seen.file(node).text(it.value()).equals("None");
                    default -> false;
                })
                .anyMatch(node -> isRun(node) && !seen.isConditional(node));
        return isCleared
                ? Optional.empty()
                : seen.all(Expr.Call.class)
                        .filter(this::isRun)
                        .filter(call -> call.func() instanceof Expr.Attribute method
                                && method.attr().equals("backward")
                                && call.keywords().stream()
                                        .anyMatch(keyword -> "create_graph".equals(keyword.arg())
                                                && seen.file(call)
                                                        .text(keyword.value())
                                                        .equals("True")))
                        .findFirst()
                        .map(call -> new Keeper(
                                Kind.GRADIENT_CYCLES,
                                seen.file(call),
                                call,
                                differentiated(call).stream().toList(),
                                seen.isConditional(call)));
    }

    private boolean isRun(Node node) {
        Optional<Node> function = seen.file(node).function(node);
        return search.code().isRepeated(node)
                || function.filter(own -> search.calls().functions().stream().anyMatch(each -> each == own))
                        .isPresent();
    }

    /** The gradients as results, where nothing reads them from the parameters. */
    private Optional<Cure> differentiated(Expr.Call backward) {
        SourceFile file = seen.file(backward);
        boolean isRead = seen.all(Expr.Attribute.class).anyMatch(it -> it.attr().equals("grad"));
        Optional<Expr.Attribute> owner = file.nodes().stream()
                .filter(node -> node instanceof Expr.Attribute it && it.attr().equals("parameters"))
                .map(Expr.Attribute.class::cast)
                .filter(it -> file.function(it).equals(file.function(backward)))
                .findFirst();
        return isRead || !(file.parent(backward) instanceof Stmt.Expression)
                ? Optional.empty()
                : owner.map(it -> Cure.review(
                        Cure.Kind.DETACH,
                        List.of(Edit.replace(
                                file,
                                backward,
                                "gradients = torch.autograd.grad("
                                        + file.text(((Expr.Attribute) backward.func()).value()) + ", list("
                                        + file.text(it) + "()), create_graph=True)")),
                        "Nothing of the source reads .grad; an optimizer would."));
    }

    /** A call that keeps what it goes through, to give it again. */
    public Optional<Keeper> ofIterators() {
        return seen.all(Expr.Call.class)
                .filter(call -> NameSets.has("REPEATING", seen.file(call).fullName(call.func()))
                        && !call.args().isEmpty()
                        && search.calls().isMade(call.args().getFirst()))
                .findFirst()
                .map(call -> Keeper.sure(
                        Kind.CONTAINER,
                        seen.file(call),
                        call,
                        again(call).stream().toList()));
    }

    /** The items in the place of kept ones, made by going through their source again; not where that is a generator that has ended. */
    private Optional<Cure> again(Expr.Call call) {
        SourceFile file = seen.file(call);
        Expr source = call.args().getFirst();
        boolean isEnded =
                source instanceof Expr.Name && seen.facts().value(source).isOnly(Heap.Kind.GENERATOR);
        String cycle = file.text(call.func());
        return isEnded || !file.fullName(call.func()).equals("itertools.cycle")
                ? Optional.empty()
                : Optional.of(Cure.review(
                        Cure.Kind.ANEW,
                        List.of(Edit.replace(
                                file, call, "(item for _ in iter(int, 1) for item in " + file.text(source) + ")")),
                        cycle + " keeps each item to give it again; this goes through " + file.text(source)
                                + " again, which may give others."));
    }

    /** Finds what is known to keep what it is given: metrics, tasks, dicts with weak keys, logs, dicts of objects. */
    public Optional<Keeper> ofKnown() {
        return new Metrics(search)
                .unreset()
                .or(() -> new Tasks(search).kept())
                .or(() -> new WeakKeys(seen).referringBack())
                .or(() -> ofLogs(false))
                .or(this::ofIterators)
                .or(this::ofOwner);
    }

    /** The statement that keeps a task which runs one of the calls. */
    public Optional<Keeper> ofTasks() {
        return new Tasks(search).kept();
    }

    /** A call that logs a tensor; where it is {@code isKnown} that records stay, of any tensor. */
    public Optional<Keeper> ofLogs(boolean isKnown) {
        return new Logs(search).keeping(isKnown);
    }

    /** The call by which each step adds parameters to an optimizer. */
    public Optional<Keeper> ofParameters() {
        return seen.facts().adds().stream()
                .map(Add::at)
                .filter(at -> at instanceof Expr.Call call
                        && call.func() instanceof Expr.Attribute method
                        && method.attr().equals("add_param_group")
                        && search.code().isRepeated(at))
                .findFirst()
                .map(at -> Keeper.sure(Kind.PARAM_GROUPS, seen.file(at), at, List.of()));
    }

    /** A value of a dict with weak keys that refers to its key. */
    public Optional<Keeper> ofWeakKeys() {
        return new WeakKeys(seen).referringBack();
    }

    /** Returns whether something is added to a dict with weak keys. */
    public static boolean isWeak(Kept kept) {
        return kept.add().to().heap().stream().anyMatch(WeakKeys::isWeak);
    }

    /** The dict from which the object was taken that the innermost call works with. */
    private Optional<Keeper> ofOwner() {
        return search.calls().statements().stream()
                .limit(1)
                .flatMap(this::boxes)
                .flatMap(box -> seen.facts().adds().stream()
                        .filter(add -> add.how() == How.ITEM
                                && add.kind() == Heap.Kind.DICT
                                && add.to().heap().stream()
                                        .anyMatch(seen.facts().value(box).heap()::contains)))
                .flatMap(add -> search.kept(add, seen.facts()).stream())
                .filter(kept -> !search.isEmptied(kept))
                .findFirst()
                .map(kept -> Keeper.guess(
                        Kind.CACHE_GROWS, kept.file(), kept.statement(), Cures.of(search, kept, null, true, false)));
    }

    /** The collections from which the function of a statement took objects by keys that the statement names. */
    private Stream<Expr> boxes(Stmt statement) {
        SourceFile file = seen.file(statement);
        return file.nodes().stream()
                .filter(node -> node instanceof Stmt.Assign && node.end() <= statement.start())
                .filter(node -> file.function(node).equals(file.function(statement)))
                .map(Stmt.Assign.class::cast)
                .filter(it -> it.targets().getFirst() instanceof Expr.Name
                        && file.has(statement, file.text(it.targets().getFirst())))
                .flatMap(it -> box(it.value()).stream());
    }

    private static Optional<Expr> box(Expr value) {
        return switch (value) {
            case Expr.Subscript it -> Optional.of(it.value());
            case Expr.Await it -> box(it.value());
            case Expr.Call it
            when it.func() instanceof Expr.Attribute method
                    && (method.attr().equals("get") || method.attr().equals("setdefault")) ->
                Optional.of(method.value());
            default -> Optional.empty();
        };
    }

    /** Autocast around the loop in which a call stands. */
    public Optional<Keeper> ofAutocast() {
        return search.calls().statements().stream()
                .flatMap(statement -> Region.loop(seen.file(statement), statement).stream())
                .flatMap(loop -> seen.file(loop).around(loop, Stmt.With.class::isInstance).stream())
                .flatMap(with -> ((Stmt.With) with).items().stream())
                .filter(item -> item.contextExpr() instanceof Expr.Call call
                        && seen.file(item).fullName(call.func()).endsWith("autocast")
                        && call.keywords().stream().noneMatch(keyword -> "cache_enabled".equals(keyword.arg())))
                .findFirst()
                .map(item -> {
                    SourceFile file = seen.file(item);
                    int end = item.contextExpr().end() - 1;
                    boolean isEmpty = file.text(item.contextExpr()).endsWith("()");
                    Edit edit = new Edit(file, end, end, (isEmpty ? "" : ", ") + "cache_enabled=False");
                    return Keeper.sure(
                            Kind.AUTOCAST_CACHE,
                            file,
                            item,
                            List.of(Cure.review(
                                    Cure.Kind.UNCACHE,
                                    List.of(edit),
                                    "Weights are converted at each use, which takes time where a step uses"
                                            + " them several times.")));
                });
    }

    /** A collector that is switched off, and not called. */
    public Optional<Keeper> ofCollector() {
        return search.calls()
                .near()
                .filter(file -> file.nodes().stream()
                        .noneMatch(node -> file.isCollection(node)
                                || (node instanceof Expr.Call call
                                        && file.fullName(call.func()).equals("gc.enable"))))
                .flatMap(file -> file.nodes().stream()
                        .filter(node -> node instanceof Expr.Call call
                                && file.fullName(call.func()).equals("gc.disable"))
                        .map(node -> Keeper.guess(Kind.COLLECTOR_OFF, file, node, List.of())))
                .findFirst();
    }

    /** Finds what keeps the generator or coroutine in which the innermost call stands; its own line where nothing shows that. */
    public Optional<Keeper> suspended() {
        return search.calls().functions().stream()
                .limit(1)
                .filter(function ->
                        isSuspended(function, search.calls().statements().getFirst()))
                .findFirst()
                .map(function -> search.kept(seen.all(Expr.Call.class)
                                .filter(call ->
                                        seen.facts().callees(call).stream().anyMatch(each -> each == function))
                                .toList())
                        .max(Comparator.comparing(Kept::isMade))
                        .map(kept -> Keeper.sure(
                                Kind.GENERATOR_SUSPENDED,
                                kept.file(),
                                kept.statement(),
                                closed(kept).stream().toList()))
                        .orElseGet(() -> Keeper.sure(
                                Kind.GENERATOR_SUSPENDED,
                                seen.file(function),
                                search.calls().statements().getFirst(),
                                List.of())));
    }

    /** The registration of a kept method, which is no collection of what is kept. */
    public Optional<Keeper> registered(Kept kept) {
        return seen.facts().value(kept.add().value()).isOnly(Heap.Kind.METHOD)
                ? registering.registered(kept)
                : Optional.empty();
    }

    /** A kept generator or coroutine. */
    public Optional<Keeper> ofGenerator(Kept kept) {
        return seen.facts().value(kept.add().value()).isOnly(Heap.Kind.GENERATOR)
                ? Optional.of(Keeper.sure(
                        Kind.GENERATOR_SUSPENDED,
                        kept.file(),
                        kept.statement(),
                        closed(kept).stream().toList()))
                : Optional.empty();
    }

    /** The statement that keeps the gradients which the calls make. */
    public Optional<Kept> gradientsKept() {
        return seen.facts().adds().stream()
                .filter(add -> search.calls().functions().stream()
                        .anyMatch(function -> add.file().isIn(add.at(), function)))
                .filter(add -> hasGradient(add.value()))
                .flatMap(add -> search.kept(add, seen.facts()).stream())
                .findFirst();
    }

    private static boolean hasGradient(Node value) {
        boolean[] found = {value instanceof Expr.Attribute it && it.attr().equals("grad")};
        value.forEachChild(child -> found[0] |= hasGradient(child));
        return found[0];
    }

    /** Returns whether a function may stop at a statement or after it. */
    private boolean isSuspended(Node function, Stmt statement) {
        SourceFile file = seen.file(function);
        return file.nodes().stream()
                .filter(node ->
                        node instanceof Expr.Await || node instanceof Expr.Yield || node instanceof Expr.YieldFrom)
                .anyMatch(node -> node.end() > statement.start()
                        && file.function(node)
                                .filter(around -> around == function)
                                .isPresent());
    }

    /** A task ended when the caller ends that keeps it. */
    private static Optional<Cure> cancelled(Kept kept) {
        SourceFile file = kept.file();
        List<Edit> edits = new ArrayList<>();
        boolean isEnded = file.function(kept.add().at()).orElse(null) instanceof Stmt.FunctionDef function
                && Registering.end(
                        file, function, kept.statement(), file.text(kept.add().value()) + ".cancel()", "", edits);
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
                && Registering.end(file, function, kept.statement(), removed, box, edits)
                && !edits.isEmpty();
        return isEnded
                ? Optional.of(Cure.review(Cure.Kind.TAKE, edits, "Nobody may go on with the call after this."))
                : Optional.empty();
    }
}
