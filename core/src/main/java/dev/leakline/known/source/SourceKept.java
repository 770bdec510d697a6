package dev.leakline.known.source;

import dev.leakline.known.Cause;
import dev.leakline.known.edit.SourceFiles;
import dev.leakline.known.held.HeldCollection;
import dev.leakline.known.held.HeldOwner;
import dev.leakline.python.Node;
import dev.leakline.python.Stmt;
import dev.leakline.python.flow.FlowFacts.Add;
import dev.leakline.python.flow.FlowFacts.How;
import dev.leakline.python.flow.Heap;
import dev.leakline.python.flow.Program;
import dev.leakline.python.flow.SourceFile;
import dev.leakline.python.keep.Cure;
import dev.leakline.python.keep.Cures;
import dev.leakline.python.keep.Kept;
import dev.leakline.python.keep.KeptSearch;
import dev.leakline.python.keep.KeptSearch.Call;
import dev.leakline.python.keep.Registering;
import dev.leakline.python.keep.Registering.Registered;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Basis;
import dev.leakline.result.Frame;
import dev.leakline.result.Holders.Hop;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The statement of a program that keeps what a leak's line makes, by the values of its syntax tree, and the edits that end it. */
final class SourceKept {
    /** How paths of dumps name what has the hooks of a module, and the finalizers. */
    private static final String HOOKS = "_hooks";

    private static final String FINALIZERS = "._registry";

    /** Calls whose files are read; a program's own are few, and those of frameworks are not at hand. */
    private static final int MOST_CALLS = 12;

    /** Causes that say no more than that something is kept, so that the statement tells which it is. */
    private static final Set<Cause> OPEN = Set.of(
            Cause.CONTAINER,
            Cause.CACHE_GROWS,
            Cause.GRAPH_KEPT,
            Cause.GRAPH_RETAINED,
            Cause.GRAPH_CARRIED,
            Cause.NO_GRAD_MISSING,
            Cause.VIEW,
            Cause.HOOK,
            Cause.RESULTS_KEPT,
            Cause.UNSEEN);

    private final Finding finding;
    private final Cause known;
    private final SourceFiles files;

    SourceKept(Finding finding, Cause known, SourceFiles files) {
        this.finding = finding;
        this.known = known;
        this.files = files;
    }

    /** The line by the tree; a line that was found by other signs stays where it says more than that something is kept, or no tree is at hand. */
    Optional<SourceClue> find(Optional<SourceClue> searched) {
        List<Call> calls = calls();
        if (calls.isEmpty()) {
            return searched;
        }
        Program program = new Program(this::imported);
        calls.forEach(call -> program.add(call.file()));
        HeldCollection.of(finding)
                .flatMap(held ->
                        files.module(finding.site().frame(), held.owner().module()))
                .flatMap(files::parsed)
                .ifPresent(program::add);
        KeptSearch search = new KeptSearch(program, calls);
        boolean isOpen = searched.map(clue -> OPEN.contains(clue.cause())).orElse(isOpen());
        if (!isOpen) {
            return special(search, calls, searched)
                    .or(() -> kept(search, searched)
                            .filter(clue -> clue.cures().stream().limit(1).anyMatch(Cure::isSafe)))
                    .or(() -> isOfDump() ? registered(search) : Optional.empty())
                    .or(() -> searched);
        }
        boolean isHooked = HeldCollection.labels(finding).stream().anyMatch(label -> label.endsWith(HOOKS));
        Optional<SourceClue> hook = isHooked ? registered(search) : Optional.empty();
        Optional<SourceClue> found = hook.or(() -> kept(search, searched));
        boolean isShown = found.filter(clue -> !clue.cures().isEmpty()).isPresent();
        return !isShown && searched.filter(SourceKept::isCarried).isPresent()
                ? searched
                : found.or(() -> registered(search));
    }

    /** Whether other signs showed a graph that is carried on, which they also find where a class has several states. */
    private static boolean isCarried(SourceClue clue) {
        return clue.cause().id().equals(Cause.GRAPH_KEPT.id())
                && clue.edits().stream().anyMatch(edit -> !edit.changes().isEmpty());
    }

    private Optional<SourceClue> kept(KeptSearch search, Optional<SourceClue> searched) {
        Optional<HeldCollection> held = isOfDump() ? HeldCollection.of(finding) : Optional.empty();
        boolean isPile = !HeldCollection.names(finding).isEmpty();
        Optional<Kept> kept = isOfDump() && (isPile || !isGraph()) ? named(search) : search.find(true);
        return kept.or(() -> isOfDump() ? Optional.empty() : searched.flatMap(clue -> at(search, clue)))
                .map(found -> clue(search, found, held.orElse(null), searched.orElse(null)));
    }

    /** The statement that other signs led to, if it adds what may be tensors. */
    private Optional<Kept> at(KeptSearch search, SourceClue clue) {
        return calls().stream()
                .map(Call::file)
                .distinct()
                .flatMap(file -> search.at(file, clue.line()).stream())
                .filter(kept -> kept.file().text().lineText(kept.line()).strip().equals(clue.shown()))
                .filter(kept -> kept.add().added().mayHaveTensor())
                .findFirst();
    }

    /** What each step registers and nothing takes back, where a dump shows that or nothing else keeps what a module makes. */
    private Optional<SourceClue> registered(KeptSearch search) {
        Registering registering = new Registering(search);
        boolean isHook = HeldCollection.labels(finding).stream().anyMatch(label -> label.endsWith(HOOKS));
        boolean isFinalizer = HeldCollection.labels(finding).contains(FINALIZERS);
        if (isHook || !isOfDump()) {
            return registering.hook().map(found -> clue(isHook ? known : Cause.STEP_HOOKS, found));
        }
        return isFinalizer ? registering.finalizer().map(found -> clue(Cause.FINALIZER, found)) : Optional.empty();
    }

    private SourceClue clue(Cause cause, Registered found) {
        String path = found.file().name();
        String shown = found.file().text().lineText(found.line()).strip();
        String place = isOfDump() ? new Frame(path, found.line(), "").fileAndLine() : "";
        return new SourceClue(cause, found.line(), shown, List.of(), place, !isOfDump(), found.cures(), path);
    }

    /** The statement of a line that was found by other signs, where the tree shows how that ends. */
    private static Optional<SourceClue> special(KeptSearch search, List<Call> calls, Optional<SourceClue> searched) {
        return searched.filter(clue -> clue.cause().equals(Cause.EXCEPTION))
                .flatMap(clue -> search.at(calls.getFirst().file(), clue.line())
                        .map(kept -> clue.cured(
                                Cures.of(search, kept, null, false, false),
                                kept.file().name()))
                        .filter(cured -> cured.cures().stream().anyMatch(cure -> cure.kind() == Cure.Kind.FRAMES)));
    }

    /** The statement that adds to the collection that a dump names; else to what has that. */
    private Optional<Kept> named(KeptSearch search) {
        Optional<Kept> own = HeldCollection.of(finding)
                .flatMap(held -> search.named(held.name(), add -> isOwn(search, add, held.owner())));
        return own.or(() -> HeldCollection.names(finding).stream()
                .skip(HeldCollection.of(finding).isPresent() ? 1 : 0)
                .flatMap(name -> search.named(name, _ -> true).stream())
                .findFirst());
    }

    private static boolean isOwn(KeptSearch search, Add add, HeldOwner owner) {
        return switch (owner.kind()) {
            case CLASS -> search.isOf(add, owner.name());
            case CALL ->
                add.file().statementAt(Integer.parseInt(owner.name())).stream()
                        .anyMatch(statement -> isWithin(add, statement));
            case MODULE -> true;
        };
    }

    /** Whether something is added in the function of a statement, or in one that this defines or stands in. */
    private static boolean isWithin(Add add, Stmt statement) {
        Node function = statement instanceof Stmt.FunctionDef
                ? statement
                : add.file().function(statement).orElse(null);
        return function == null
                || add.file().isIn(add.at(), function)
                || add.file()
                        .function(function)
                        .filter(around -> add.file().isIn(add.at(), around))
                        .isPresent();
    }

    /** Whether the cause that is known leaves open what keeps the memory. */
    private boolean isOpen() {
        return OPEN.contains(known)
                || known.equals(Cause.BACKLOG)
                || HeldCollection.labels(finding).stream()
                        .anyMatch(label -> label.endsWith(HOOKS) || label.equals(FINALIZERS));
    }

    private boolean isOfDump() {
        return finding.explanation() != null && finding.explanation().basis() == Basis.DUMP;
    }

    private boolean isGraph() {
        return known.id().equals(Cause.GRAPH_KEPT.id());
    }

    private List<Call> calls() {
        List<Frame> frames = new ArrayList<>(finding.stack());
        frames.remove(finding.site().frame());
        frames.addFirst(finding.site().frame());
        return frames.stream()
                .filter(frame -> frame.line() > 0)
                .flatMap(frame -> files.parsed(frame).stream()
                        .filter(file -> frame.line() <= file.text().lines())
                        .map(file -> new Call(file, frame.line())))
                .limit(MOST_CALLS)
                .toList();
    }

    /** The file of a module beside one that imports it. */
    private @Nullable SourceFile imported(SourceFile from, String module) {
        Frame call = Stream.concat(Stream.of(finding.site().frame()), finding.stack().stream())
                .filter(frame -> files.parsed(frame).filter(from::equals).isPresent())
                .findFirst()
                .orElse(finding.site().frame());
        return files.module(call, module).flatMap(files::parsed).orElse(null);
    }

    private SourceClue clue(
            KeptSearch search, Kept kept, @Nullable HeldCollection held, @Nullable SourceClue searched) {
        List<Hop> items = held == null ? List.of() : held.items();
        boolean isTensor =
                !items.isEmpty() && items.size() <= 2 && items.getLast().isTensor();
        String shownAt =
                !isTensor ? null : items.size() == 1 ? "" : items.getLast().label();
        boolean isCache = held != null && known.equals(Cause.CACHE_GROWS);
        List<Cure> cures = Cures.of(search, kept, shownAt, isCache, isGraph());
        boolean isDoubted = held == null && !known.equals(Cause.BACKLOG) && Cures.isEmptied(search, kept);
        boolean isGuess = searched != null && searched.line() == kept.line() && searched.isGuess();
        String path = kept.file().name();
        String shown = kept.file().text().lineText(kept.line()).strip();
        String place = held == null ? "" : new Frame(path, kept.line(), "").fileAndLine();
        return new SourceClue(
                cause(search, kept, cures, held, searched),
                kept.line(),
                shown,
                List.of(),
                place,
                isDoubted || isGuess,
                cures,
                path);
    }

    private Cause cause(
            KeptSearch search,
            Kept kept,
            List<Cure> cures,
            @Nullable HeldCollection held,
            @Nullable SourceClue searched) {
        boolean isHook = searched != null && searched.cause().equals(Cause.HOOK);
        if (held != null) {
            return known;
        }
        if (isHook) {
            return Cause.HOOK;
        }
        boolean isCarried = kept.add().how() == How.CARRIED
                || (kept.add().how() == How.SUM && kept.add().kind() == null);
        if ((isGraph() && !search.isFreed(kept)) || isCarried) {
            return kept.file().text().text().contains("retain_graph=True") ? Cause.GRAPH_RETAINED : Cause.GRAPH_KEPT;
        }
        if ((searched != null && searched.cause().equals(Cause.VIEW))
                || cures.stream().limit(1).anyMatch(cure -> cure.kind() == Cure.Kind.COPY)) {
            return Cause.VIEW;
        }
        boolean isEntry = kept.add().how() == How.ITEM;
        return isEntry || kept.add().kind() == Heap.Kind.DICT ? Cause.CACHE_GROWS : Cause.CONTAINER;
    }
}
