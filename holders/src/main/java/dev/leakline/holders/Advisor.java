package dev.leakline.holders;

import dev.leakline.holders.ReferencePath.Step;
import dev.leakline.holders.graph.LoopFinder.Loop;
import dev.leakline.known.Cause;
import dev.leakline.known.HookTable;
import dev.leakline.known.LibraryCause;
import dev.leakline.known.Remedy;
import dev.leakline.known.Shell;
import dev.leakline.objects.NodeKind;
import dev.leakline.objects.ObjectGraph;
import dev.leakline.objects.ReferenceKind;
import dev.leakline.objects.StorageColumns;
import dev.leakline.result.Finding.Advice;
import dev.leakline.result.Holders.Hop;
import dev.leakline.result.Holders.Verdict;
import dev.leakline.text.ByteSize;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the cause of a group from its reference path, and makes the advice for it. What is seen on the path decides, the most specific
 * first: whoever keeps an exception in a list is to keep its text, not to bound the list.
 */
final class Advisor {
    /** Advice on a path: the cause, null where it shows none, and what to do. */
    record Advised(@Nullable Cause cause, List<Advice> advice) {}

    /** A view of at most half of its storage is a part: copies of the parts are smaller than what they keep. */
    private static final int PARTS = 2;
    /** Copies of at most a tenth grow so slowly that a run ends before they matter; with larger ones, what collects them has to be bounded first. */
    private static final int SMALL_PARTS = 10;

    /** A container of so many items was filled while something referred to it; fewer may be the parts of one object. */
    private static final int FILLED = 20;

    private static final String WEAK_KEYS = "weakref.WeakKeyDictionary";
    private static final List<String> QUEUES =
            List.of("queue.", "_queue.", "asyncio.queues.", "multiprocessing.queues.");

    private final Holding holding;
    private final ObjectGraph graph;
    private final Naming naming;
    private final GatheredGroup group;
    private final List<Step> steps;
    private final long bytes;

    private Advisor(Holding holding, Naming naming, GatheredGroup group, List<Step> steps, long bytes) {
        this.holding = holding;
        this.graph = holding.graph;
        this.naming = naming;
        this.group = group;
        this.steps = steps;
        this.bytes = bytes;
    }

    /** The cause of a group and the advice for it, the best first; none for what should be there. */
    static Advised of(
            Holding holding, Naming naming, GatheredGroup group, List<Step> steps, List<Hop> hops, long bytes) {
        if (hops.getLast().verdict() == Verdict.EXPECTED) {
            return new Advised(null, List.of());
        }
        return new Advisor(holding, naming, group, steps, bytes).advised();
    }

    private Advised advised() {
        String name = name();
        if (group.from == HeldFrom.NOBODY && !isPileOfOneCycle()) {
            return one(Cause.CYCLE, cut(), "then the memory is freed at once, without the garbage collector");
        }
        Shell shell = shell();
        if (shell != null) {
            return new Advised(null, List.of(Advice.of(shell.cure(), shell.why(), bytes)));
        }
        if (has(NodeKind.FINISHED_FRAME)) {
            return one(
                    Cause.EXCEPTION,
                    "keep str(error) or traceback.format_exc() instead of the exception, or call error.with_traceback(None)",
                    "a traceback keeps the frames of its calls and all their variables");
        }
        if (has(NodeKind.SUSPENDED_FRAME)) {
            return one(
                    Cause.GENERATOR_SUSPENDED,
                    "close the generator, or end the task, when it is no longer needed, and remove it from " + name,
                    "a suspended generator or task keeps its variables");
        }
        if (isHook() && isPileOfHooks()) {
            return ofHooks(Cause.HOOKS_PILE_UP);
        }
        if (hasGraph()) {
            return ofGraph(name);
        }
        if (isCache()) {
            return one(
                    Cause.MEMO_GROWS,
                    "give the cache a maxsize, or call cache_clear()",
                    "an unbounded cache keeps every result it ever computed");
        }
        Cause ofType = ofTypes();
        if (ofType != null) {
            return known(ofType);
        }
        if (group.from == HeldFrom.NATIVE || group.from == HeldFrom.UNSEEN) {
            return new Advised(null, graph.header.isGraphRead() ? List.of(ofNative()) : List.of());
        }
        if (pile() < 0) {
            return isHook() ? ofHooks(Cause.HOOK) : new Advised(null, List.of());
        }
        return isHook() ? ofHookPile(name) : ofPile(name);
    }

    /**
     * Returns whether a single cycle holds all by one container that was filled: when the last call returned, what it had kept became garbage. The parts of
     * models and optimizers are no such items.
     */
    private boolean isPileOfOneCycle() {
        return group.anchors.size() == 1
                && pile() >= 0
                && naming.items(steps.get(pile() - 1).target()) >= FILLED
                && !has(NodeKind.OPTIMIZER)
                && !hasBelowPile(NodeKind.NN_MODULE);
    }

    private @Nullable Shell shell() {
        int root = steps.getFirst().target();
        boolean isModule = steps.size() > 1 && graph.kind(root) == NodeKind.MODULE;
        return isModule ? Shell.of(graph.text(root), steps.get(1).label()) : null;
    }

    private Advised ofHooks(Cause cause) {
        int hooks = hooks();
        boolean isOfTensor = hooks > 0 && graph.kind(steps.get(hooks - 1).target()) == NodeKind.TENSOR;
        String registration = HookTable.registration(steps.get(hooks).label(), isOfTensor);
        Remedy remove = new Remedy(
                "keep the handle that " + registration + "() returned, and call its remove()",
                "a " + (isOfTensor ? "parameter or other tensor" : "module") + " keeps its hooks as long as it exists",
                cause.remedies().getFirst().link());
        return new Advised(cause, List.of(remove.advice(bytes)));
    }

    /** Returns whether the memory is the host's already. */
    private boolean isOnHost() {
        return graph.storages.device(group.storages.get(0)) == StorageColumns.HOST;
    }

    private Advised ofHookPile(String name) {
        return one(
                Cause.HOOK,
                (isOnHost() ? "bound " + name : "have the hook put a copy in CPU memory into " + name)
                        + ", or remove the hook: handle.remove()",
                "a hook runs at every call of its module until it is removed, and " + name + " keeps what it adds");
    }

    private Advised ofGraph(String name) {
        boolean isPile = pile() >= 0;
        String action = isPile
                ? "put x.detach()" + (isOnHost() ? "" : ".cpu()") + " into " + name
                        + " instead of x, or x.item() for a single number"
                : "keep " + name + ".detach(), or .item() for a single number";
        Remedy detach = Cause.GRAPH_KEPT.remedies().getFirst();
        Advice first = Advice.of(
                action,
                "a tensor with a grad_fn keeps everything its autograd graph saved; compute it under torch.no_grad() if no"
                        + " backward pass follows",
                bytes,
                "",
                "",
                detach.link());
        return new Advised(Cause.GRAPH_KEPT, List.of(first));
    }

    private Advice ofNative() {
        return Advice.of(
                "look for object arrays, capsules and native extensions that received the tensor",
                "the owner is not an object that Python's garbage collector tracks",
                bytes);
    }

    /** Where things pile up in a container: a small part of a tensor is to be copied, everything else to be bounded. */
    private Advised ofPile(String name) {
        long parts = new ViewSizes(graph).bytes(group.storages);
        boolean isDict = graph.kind(steps.get(pile() - 1).target()) == NodeKind.DICT;
        Cause cause = isDict ? Cause.CACHE_GROWS : Cause.CONTAINER;
        Remedy bound = cause.remedies().getFirst();
        String why = "it keeps everything in it as long as it exists";
        if (parts * SMALL_PARTS <= group.bytes) {
            return new Advised(Cause.VIEW, List.of(copies(name, parts)));
        }
        if (parts * PARTS <= group.bytes) {
            String copies =
                    "; copies of the parts in it, x.clone(), would free " + ByteSize.format(bytes - parts) + " of that";
            return new Advised(
                    Cause.VIEW,
                    List.of(bounded("bound " + name + ", or clear it when it has been used", why + copies, bound)));
        }
        String action = "bound " + name
                + (isDict
                        ? ": remove entries that are no longer needed"
                        : isOnHost()
                                ? ", or clear it when it has been used"
                                : ", or keep a copy in CPU memory: .cpu()");
        return new Advised(cause, List.of(bounded(action, why, bound)));
    }

    private Advice copies(String name, long parts) {
        Remedy copy = Cause.VIEW.remedies().getFirst();
        return Advice.of(
                "put copies into " + name + ": x.clone()",
                "a view keeps the whole tensor that it is a part of",
                bytes - parts,
                "",
                "",
                copy.link());
    }

    private Advice bounded(String action, String why, Remedy bound) {
        return Advice.of(action, why, bytes, "", "", bound.link());
    }

    private Advised one(Cause cause, String action, String why) {
        Remedy first = cause.remedies().getFirst();
        return new Advised(cause, List.of(Advice.of(action, why, bytes, "", "", first.link())));
    }

    private Advised known(Cause cause) {
        return new Advised(
                cause,
                cause.remedies().stream().map(remedy -> remedy.advice(bytes)).toList());
    }

    /** The cause that types of objects on the path are known for. */
    private @Nullable Cause ofTypes() {
        for (Step step : steps) {
            String type = graph.storage(step.target()) < 0 ? graph.type(step.target()) : "";
            Cause library = LibraryCause.ofType(type);
            if (library != null && pile() >= 0) {
                return library;
            }
            if (type.equals(WEAK_KEYS)) {
                return Cause.WEAK_KEYS;
            }
            if (QUEUES.stream().anyMatch(type::startsWith) && pile() >= 0) {
                return Cause.BACKLOG;
            }
        }
        if (pile() < 0) {
            return null;
        }
        return hasBelowPile(NodeKind.OPTIMIZER) && !hasBelowPile(NodeKind.NN_MODULE)
                ? Cause.OPTIMIZER
                : hasBelowPile(NodeKind.NN_MODULE) ? Cause.MODELS : null;
    }

    private boolean hasBelowPile(NodeKind kind) {
        return IntStream.range(pile(), steps.size())
                .anyMatch(i -> graph.kind(steps.get(i).target()) == kind);
    }

    /** How the cycle that a group begins with is cut. */
    private String cut() {
        int head = steps.getFirst().target();
        return holding.loops.stream()
                .filter(loop -> loop.head() == head)
                .map(Loop::edges)
                .map(edges -> cut(edges.get(0), edges.get(edges.size() - 1)))
                .findFirst()
                .orElse("break the cycle");
    }

    /** How to do without a reference to which another leads. */
    private String cut(int edge, int before) {
        boolean isHook = HookTable.is(graph.label(before));
        return isHook
                ? "keep the handle that registering the hook in " + naming.label(before)
                        + " returned, and call its remove()"
                : "break the cycle at " + naming.label(edge)
                        + ": set it to None when it is no longer needed, or make it a weakref";
    }

    private boolean has(NodeKind kind) {
        return steps.stream().anyMatch(step -> graph.kind(step.target()) == kind);
    }

    private boolean hasGraph() {
        return steps.stream()
                .map(Step::target)
                .filter(vertex -> graph.kind(vertex) == NodeKind.TENSOR)
                .findFirst()
                .filter(graph.nodes::hasGraph)
                .isPresent();
    }

    private boolean isCache() {
        return steps.stream()
                .anyMatch(step -> graph.storage(step.target()) < 0
                        && graph.type(step.target()).endsWith("_lru_cache_wrapper"));
    }

    private boolean isHook() {
        return steps.stream().anyMatch(step -> HookTable.is(step.label()));
    }

    /** Returns whether there are as many hooks as each of them keeps: one hook that fills a list is none of many. */
    private boolean isPileOfHooks() {
        int hooks = hooks();
        int kept = 1;
        for (int i = hooks + 2; i < steps.size(); i++) {
            boolean isItem =
                    steps.get(i).edge() >= 0 && naming.isItem(steps.get(i).edge());
            kept = isItem ? Math.max(kept, naming.items(steps.get(i - 1).target())) : kept;
        }
        return naming.items(steps.get(hooks).target()) > 1
                && naming.items(steps.get(hooks).target()) >= kept;
    }

    /** The step to the table of hooks. */
    private int hooks() {
        int hooks = 0;
        while (!HookTable.is(steps.get(hooks).label())) {
            hooks++;
        }
        return hooks;
    }

    private int pile() {
        return group.item(steps, naming);
    }

    /** The name that a reader would write for what holds the group: that of the container, else of the tensor. */
    private String name() {
        int end = pile() >= 0 ? pile() : steps.size();
        for (int i = 1; i < end; i++) {
            if (graph.edges.kind(steps.get(i).edge()) == ReferenceKind.AUTOGRAD) {
                end = i;
            }
        }
        String name = ReferencePath.name(steps, end);
        return name.isEmpty() ? "it" : name;
    }
}
