package dev.leakline.known.source;

import dev.leakline.known.Cause;
import dev.leakline.known.ModuleCall;
import dev.leakline.known.held.HeldCollection;
import dev.leakline.known.held.HeldOwner;
import dev.leakline.python.flow.FlowFacts.How;
import dev.leakline.python.flow.Heap;
import dev.leakline.python.flow.Program;
import dev.leakline.python.flow.SourceFile;
import dev.leakline.python.keep.Contexts;
import dev.leakline.python.keep.Cure;
import dev.leakline.python.keep.Cures;
import dev.leakline.python.keep.Errors;
import dev.leakline.python.keep.Finalizers;
import dev.leakline.python.keep.Gradients;
import dev.leakline.python.keep.Hooks;
import dev.leakline.python.keep.Iterators;
import dev.leakline.python.keep.Keeper;
import dev.leakline.python.keep.Keepers;
import dev.leakline.python.keep.Kept;
import dev.leakline.python.keep.KeptSearch;
import dev.leakline.python.keep.KeptSearch.Call;
import dev.leakline.python.keep.Logs;
import dev.leakline.python.keep.Memos;
import dev.leakline.python.keep.Metrics;
import dev.leakline.python.keep.Suspended;
import dev.leakline.python.keep.WeakKeys;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Basis;
import dev.leakline.result.FindingHolder;
import dev.leakline.result.Frame;
import dev.leakline.result.Holders.Accumulation;
import dev.leakline.result.Holders.Hop;
import dev.leakline.result.Site;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The statement of a program that keeps what a leak's line makes, by the values of its syntax tree, and the edits that end it. */
final class SourceKept {
    /** How paths of dumps name what has the hooks of a module, and the finalizers. */
    private static final String HOOKS = "_hooks";

    private static final String FINALIZER = "._registry";
    private static final String GRAPH = ".grad_fn";
    /** The type of what logs keep, in paths of dumps. */
    private static final String RECORD = "logging.LogRecord";

    private static final Set<String> SUSPENDED = Set.of("generator", "coroutine", "async_generator");

    private static final String PYTHON = ".py";
    private static final String FUNCTIONAL = "torch/nn/functional.py";

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
    /** A line of a call within the finding's own. */
    private final @Nullable Frame inner;

    private final Cause known;
    private final SourceFiles files;

    SourceKept(Finding finding, @Nullable Frame inner, Cause known, SourceFiles files) {
        this.finding = finding;
        this.inner = inner;
        this.known = known;
        this.files = files;
    }

    /** The line that shows the cause; empty where none does, or the source is not at hand. */
    Optional<SourceClue> find() {
        List<Call> calls = calls();
        if (calls.isEmpty()) {
            return Optional.empty();
        }
        Program program = new Program(this::imported);
        calls.forEach(call -> program.add(call.file()));
        HeldCollection.of(finding)
                .flatMap(held ->
                        files.module(finding.site().frame(), held.owner().module()))
                .ifPresent(program::add);
        KeptSearch search = new KeptSearch(program, calls);
        long entries = finding.holders().stream()
                .limit(1)
                .flatMap(holder -> Optional.ofNullable(holder.accumulation()).stream())
                .mapToLong(Accumulation::items)
                .sum();
        search.setEntries(entries, finding.blocks());
        Keepers keepers = new Keepers(search);
        return isOfDump() ? dumped(search, keepers) : recorded(search, keepers);
    }

    /** By what a holder dump says of who keeps the memory. */
    private Optional<SourceClue> dumped(KeptSearch search, Keepers keepers) {
        List<String> labels = HeldCollection.labels(finding);
        Optional<SourceClue> hook = labels.stream().anyMatch(label -> label.endsWith(HOOKS))
                ? new Hooks(search).piled().map(keeper -> clue(keeper, known))
                : Optional.empty();
        boolean isOpen = OPEN.contains(known) || known.equals(Cause.BACKLOG) || known.isOfAllocation();
        boolean isUnnamed = HeldCollection.names(finding).isEmpty() && isGraph();
        boolean isLogged = finding.holders().stream()
                .limit(1)
                .flatMap(holder -> holder.path().stream())
                .anyMatch(hop -> hop.type().equals(RECORD));
        return hook.or(() -> isLogged ? new Logs(search).keeping(true).map(this::clue) : Optional.empty())
                .or(() -> isLocalOfSuspended()
                        ? named(search).map(kept -> clue(search, kept, Cause.CONTAINER))
                        : Optional.empty())
                .or(() -> (labels.contains(FINALIZER) ? new Finalizers(search).keeping() : keeper(search))
                        .map(this::clue))
                .or(() -> !isOpen
                        ? Optional.empty()
                        : (isUnnamed ? search.find(true) : named(search))
                                .map(kept -> keepers.registered(kept)
                                        .map(registered -> clue(registered, known))
                                        .orElseGet(() -> clue(search, kept))))
                .or(() -> isOpen ? new Iterators(search).repeating().map(this::clue) : Optional.empty())
                .or(() -> known.equals(Cause.CACHE_GROWS)
                        ? new Memos(search).ofResults().map(this::clue)
                        : Optional.empty());
    }

    /** Returns whether it is a collection of a suspended call that grows, which would grow as well if somebody read on. */
    private boolean isLocalOfSuspended() {
        return known.equals(Cause.GENERATOR_SUSPENDED)
                && finding.holders().stream()
                        .limit(1)
                        .anyMatch(holder -> isLocalOfSuspended(holder, holder.accumulation()));
    }

    private static boolean isLocalOfSuspended(FindingHolder holder, @Nullable Accumulation pile) {
        return pile != null
                && pile.hop() > 0
                && SUSPENDED.contains(holder.path().get(pile.hop() - 1).type());
    }

    private Optional<Keeper> keeper(KeptSearch search) {
        if (known.equals(Cause.EXCEPTION)) {
            return new Errors(search).handled(true).or(new Errors(search)::any);
        }
        return known.equals(Cause.WEAK_KEYS)
                ? new WeakKeys(search).referringBack()
                : known.equals(Cause.GENERATOR_SUSPENDED)
                        ? named(search).flatMap(new Suspended(search)::of).or(new Suspended(search)::keeping)
                        : known.equals(Cause.MEMO_GROWS) ? new Memos(search).ofResults() : Optional.empty();
    }

    /** By what the calls of a recording do; what is sure before what is likely. */
    private Optional<SourceClue> recorded(KeptSearch search, Keepers keepers) {
        if (known.equals(Cause.CYCLE)) {
            return new Contexts(search).keeping().map(this::clue);
        }
        if (known.equals(Cause.OPTIMIZER)) {
            return keepers.ofParameters().map(this::clue);
        }
        if (known.equals(Cause.METRIC)) {
            return new Metrics(search).unreset().map(this::certain);
        }
        if (known.equals(Cause.MODELS) && keepers.ofParameters().isPresent()) {
            return keepers.ofParameters().map(this::certain);
        }
        if (known.equals(Cause.APPENDED) || known.equals(Cause.MODULE_CACHE)) {
            return search.joined().map(kept -> clue(search, kept, known));
        }
        List<Keeper> objects = known.isWithoutHolder() ? keepers.ofObjects(known.isOfObjects()) : List.of();
        Optional<SourceClue> kept = known.isOfAllocation()
                ? new Gradients(search).kept().or(new Hooks(search)::storing).map(found -> clue(search, found))
                : search.find(true).map(found -> ofKept(search, keepers, found));
        boolean isException = known.equals(Cause.EXCEPTION);
        boolean isPiled = OPEN.contains(known) || known.equals(Cause.HOOKS_KEEP) || known.equals(Cause.HOOKS_PILE_UP);
        return objects.stream()
                .filter(keeper -> !keeper.isGuess())
                .findFirst()
                .map(this::clue)
                .or(() -> new Memos(search).ofResults().map(this::clue))
                .or(() -> new Errors(search).handled(isException).map(this::clue))
                .or(() -> isOpen(Cause.HOOKS_KEEP, Cause.HOOKS_PILE_UP)
                        ? new Hooks(search).referring().map(this::clue)
                        : Optional.empty())
                .or(() -> kept.filter(clue -> clue.isDirect(search)))
                .or(() -> isOpen(Cause.EXCEPTION)
                        ? new Errors(search).besides(isException).map(found -> clue(search, found))
                        : Optional.empty())
                .or(() -> known.isOfObjects()
                        ? Optional.empty()
                        : keepers.ofAutocast()
                                .or(new Suspended(search)::keeping)
                                .map(this::clue))
                .or(() -> objects.stream().findFirst().map(this::clue))
                .or(() -> ofSteps(search))
                .or(() -> known.isGeneral() ? keepers.ofKnown().map(this::clue) : Optional.empty())
                .or(() -> kept)
                .or(() -> isPiled ? new Hooks(search).piled().map(this::clue) : Optional.empty())
                .or(() -> isOpen(Cause.EXCEPTION) ? new Errors(search).any().map(this::clue) : Optional.empty())
                .or(() -> known.isGeneral() ? keepers.ofCollector().map(this::clue) : Optional.empty());
    }

    /** Returns whether the known cause says no more than that something keeps the memory, or is one of some others. */
    private boolean isOpen(Cause... others) {
        return known.isGeneral() || List.of(others).contains(known);
    }

    /** A clue to code in a step that keeps what others made: gradients with graphs, hooks. */
    private Optional<SourceClue> ofSteps(KeptSearch search) {
        if (!known.isWithoutHolder()) {
            return Optional.empty();
        }
        Optional<SourceClue> gradients = new Gradients(search).withGraphs().map(this::clue);
        return gradients.isPresent() || !isMadeByModule()
                ? gradients
                : (known.isOfObjects() ? Optional.<Keeper>empty() : new Hooks(search).piled())
                        .map(this::clue)
                        .or(() -> OPEN.contains(known)
                                ? new Hooks(search).storing().map(found -> clue(search, found, Cause.HOOK))
                                : Optional.empty());
    }

    /** Returns whether it was a module that allocated: then hooks may have seen it. */
    private boolean isMadeByModule() {
        return finding.evidence().stream().map(Finding.Proof::site).anyMatch(site -> site != null && isOfModule(site));
    }

    private static boolean isOfModule(Site site) {
        return site.frame().function().equals(ModuleCall.FORWARD)
                || site.frame().file().replace('\\', '/').endsWith(FUNCTIONAL);
    }

    private SourceClue ofKept(KeptSearch search, Keepers keepers, Kept kept) {
        Optional<Keeper> weak = known.isGeneral() && Keepers.isWeak(kept)
                ? new WeakKeys(search).referringBack()
                : Optional.<Keeper>empty();
        return weak.or(() -> keepers.registered(kept))
                .or(() -> new Suspended(search).of(kept))
                .map(this::clue)
                .orElseGet(() -> clue(search, kept));
    }

    private SourceClue clue(Keeper keeper) {
        return clue(keeper, Cause.named(keeper.kind().name()));
    }

    /** A clue to a cause that the recording shows. */
    private SourceClue certain(Keeper keeper) {
        return new SourceClue(known, keeper.file(), keeper.at(), keeper.cures(), false, false, List.of());
    }

    private static SourceClue clue(Keeper keeper, Cause cause) {
        return new SourceClue(cause, keeper.file(), keeper.at(), keeper.cures(), keeper.isGuess(), false, List.of());
    }

    /** The statement that adds to the collection that a dump names; else to what has that. */
    private Optional<Kept> named(KeptSearch search) {
        Optional<Kept> own = HeldCollection.of(finding)
                .flatMap(held -> search.named(held.name(), add -> held.owner().has(search, add)));
        return own.or(() -> shared(search))
                .or(() -> HeldCollection.names(finding).stream()
                        .skip(HeldCollection.of(finding).isPresent() ? 1 : 0)
                        .flatMap(name -> search.named(name, _ -> true).stream())
                        .findFirst());
    }

    /** The statement that adds to what a variable has, under whatever name it is given. */
    private Optional<Kept> shared(KeptSearch search) {
        return HeldCollection.route(finding)
                .flatMap(route -> calls().stream()
                        .map(Call::file)
                        .distinct()
                        .filter(file -> route.from().kind() == HeldOwner.Kind.MODULE
                                || file.name().endsWith(route.from().module()))
                        .flatMap(file ->
                                search.shared(route.names(), file, route.from().line()).stream())
                        .findFirst());
    }

    private boolean isOfDump() {
        return finding.explanation() != null && finding.explanation().basis() == Basis.DUMP;
    }

    private boolean isGraph() {
        return known.id().equals(Cause.GRAPH_KEPT.id())
                || (isOfDump() && HeldCollection.labels(finding).stream().anyMatch(label -> label.contains(GRAPH)));
    }

    /** The calls that allocated, the innermost first; where none was recorded, the program whose dump names who holds it. */
    private List<Call> calls() {
        return frames().filter(frame -> frame.line() > 0)
                .flatMap(frame -> files.of(frame).stream()
                        .filter(file -> frame.line() <= file.text().lines())
                        .map(file -> new Call(file, frame.line())))
                .limit(MOST_CALLS)
                .toList();
    }

    private Stream<Frame> frames() {
        Frame site = finding.site().frame();
        return finding.site().kind() == Site.Kind.FIGURE
                ? finding.holders().stream().map(SourceKept::program)
                : Stream.of(Stream.ofNullable(inner), Stream.of(site), finding.stack().stream())
                        .flatMap(frames -> frames)
                        .distinct();
    }

    /** The first line of a program, which is named by its file or by its module. */
    private static Frame program(FindingHolder holder) {
        String name = holder.program();
        return new Frame(name.endsWith(PYTHON) ? name : name.replace('.', '/') + PYTHON, 1, "");
    }

    /** The file of a module beside one that imports it. */
    private @Nullable SourceFile imported(SourceFile from, String module) {
        Frame call = frames().filter(
                        frame -> files.of(frame).filter(from::equals).isPresent())
                .findFirst()
                .orElse(finding.site().frame());
        return files.module(call, module).orElse(null);
    }

    private SourceClue clue(KeptSearch search, Kept kept) {
        return clue(search, kept, null);
    }

    private SourceClue clue(KeptSearch search, Kept kept, @Nullable Cause told) {
        HeldCollection held = isOfDump() ? HeldCollection.of(finding).orElse(null) : null;
        List<Hop> items = held == null ? List.of() : held.items();
        boolean isTensor =
                !items.isEmpty() && items.size() <= 2 && items.getLast().isTensor();
        String shownAt =
                !isTensor ? null : items.size() == 1 ? "" : items.getLast().label();
        boolean isCache = held != null && known.equals(Cause.CACHE_GROWS);
        List<Cure> cures = Cures.of(search, kept, shownAt, isCache, isGraph());
        boolean isDoubted = held == null && !known.equals(Cause.BACKLOG) && search.isEmptied(kept);
        return new SourceClue(
                told == null ? cause(search, kept, cures) : told,
                kept.file(),
                kept.statement(),
                cures,
                isDoubted,
                kept.isMade(),
                List.of());
    }

    private Cause cause(KeptSearch search, Kept kept, List<Cure> cures) {
        Cure.Kind first = cures.isEmpty() ? null : cures.getFirst().kind();
        if (first == Cure.Kind.CLEAR && known.id().equals(Cause.EPOCH_OUTPUTS.id())) {
            return Cause.EPOCH_OUTPUTS;
        }
        if (kept.add().how() == How.CHAINED) {
            return Cause.CHAIN;
        }
        if (first == Cure.Kind.MATCH) {
            return Cause.UNMATCHED;
        }
        if (kept.isTask()) {
            return Cause.named(Keeper.Kind.TASKS.name());
        }
        if (kept.isNamed()) {
            return Cause.ATTRIBUTES;
        }
        if (kept.isRegistered()) {
            return Cause.REGISTERED;
        }
        if (isOfDump() || known.equals(Cause.HOOK)) {
            return !isGraph() || (known.id().equals(Cause.GRAPH_KEPT.id()) && !search.isFreed(kept))
                    ? known
                    : search.isFreed(kept) ? Cause.CONTAINER : Cause.GRAPH_KEPT;
        }
        boolean isCarried = kept.add().how() == How.CARRIED
                || (kept.add().how() == How.SUM
                        && kept.add().to().heap().stream()
                                .noneMatch(heap -> heap.kind().isSummed()));
        if ((isGraph() && !search.isFreed(kept)) || isCarried) {
            return kept.file().text().text().contains("retain_graph=True") ? Cause.GRAPH_RETAINED : Cause.GRAPH_KEPT;
        }
        if (first == Cure.Kind.CLEAR) {
            return Cause.EPOCH_OUTPUTS;
        }
        if (first == Cure.Kind.COPY || kept.isPart()) {
            return Cause.VIEW;
        }
        boolean isEntry = kept.add().how() == How.ITEM;
        return isEntry || kept.add().kind() == Heap.Kind.DICT ? Cause.CACHE_GROWS : Cause.CONTAINER;
    }
}
