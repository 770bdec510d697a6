package dev.leakline.detect.growth;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.procedures.IntProcedure;
import dev.leakline.columns.FrameTable;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.columns.StackTable;
import dev.leakline.detect.growth.LeakSites.Graph;
import dev.leakline.detect.growth.LeakSites.Grower;
import dev.leakline.detect.growth.LeakSites.Leak;
import dev.leakline.evidence.Evidence;
import dev.leakline.known.Cause;
import dev.leakline.known.Diagnosis;
import dev.leakline.known.HookCall;
import dev.leakline.known.ModuleCall;
import dev.leakline.known.PythonFrame;
import dev.leakline.result.Site;
import dev.leakline.site.UserCalls;
import java.util.BitSet;

/**
 * Finds the known cause of a leak, as far as stacks and times show it. What they show for certain is told apart from what they make likely:
 * a stack shows that an optimizer's state is made, but not who keeps a tensor.
 */
final class CauseFinder {
    /** Steps in which a rule about a leak must hold for it to be more than chance: nine of ten. */
    private static final double NEARLY_ALL = 0.9;
    /** Hooks that pile up run twice as often in the last third of a leak as in the first, at least: five times if the first were one. */
    private static final int MORE = 2;
    /** Pairs of blocks that a queue frees in the order in which they came: nearly all. Where old ones outlive new ones, there are keys. */
    private static final double IN_ORDER = 0.9;

    private final Evidence evidence;
    private final UserCalls calls;
    private final Leak leak;
    private final Grower main;
    private final int stack;
    private final KeptFrom kept;
    /** The steps in which anything that leaks was born. */
    private final BitSet leaking = new BitSet();

    CauseFinder(Evidence evidence, Leak leak) {
        this.evidence = evidence;
        this.calls = evidence.groups().calls();
        this.leak = leak;
        this.main = leak.groups().getFirst();
        this.kept = new KeptFrom(evidence, leak);
        IntArrayList survivors = survivors();
        this.stack = stack(survivors.get(survivors.size() - 1));
        leak.groups().forEach(grower -> leaking.or(leaking(grower)));
    }

    private IntArrayList survivors() {
        return main.group().survivors();
    }

    private int stack(int survivor) {
        return evidence.sites().stack(evidence.survivors().allocation(survivor));
    }

    /** The cause. */
    Diagnosis find() {
        if (evidence.stacks().state().buildsModule(stack)) {
            return ofModules();
        }
        if (main.group().kind() == Site.Kind.BACKWARD) {
            return ofBackward();
        }
        if (isInHook(stack, leak.node())) {
            return Diagnosis.recorded(isPilingUp() ? Cause.HOOKS_PILE_UP : Cause.HOOK);
        }
        if (leak.groups().stream().anyMatch(this::isLeftEarly)) {
            return Diagnosis.inferred(Cause.EXCEPTION, Cause.CONTAINER);
        }
        if (isCollectedInPart()) {
            return Diagnosis.inferred(Cause.CYCLE, Cause.CONTAINER);
        }
        if (leak.graph() == Graph.KEPT) {
            return kept.isOfGradients()
                    ? Diagnosis.inferred(Cause.GRADIENT_GRAPHS, Cause.GRAPH_KEPT)
                    : Diagnosis.inferred(runsBackward() ? Cause.GRAPH_KEPT : Cause.NO_GRAD_MISSING, Cause.CONTAINER);
        }
        return known();
    }

    /** Returns whether the collector frees piles of it, and does not get all; where frees have no stacks, whether most is freed in piles. */
    private boolean isCollectedInPart() {
        Releases releases = new Releases(evidence, main.group().survivors());
        Collector collector = new Collector(evidence);
        return releases.count() > 1
                && (collector.canTell() ? collector.made(releases) : releases.share() >= CycleDetector.MOST);
    }

    private Diagnosis ofModules() {
        Cause library = evidence.stacks().ofLibrary(stack);
        return Diagnosis.recorded(library == null ? kept.models() : library);
    }

    private Diagnosis ofBackward() {
        boolean isReplaced = evidence.groups().isTurnedOver(main.group()) && isReplacedEachStep();
        if (isReplaced) {
            return Diagnosis.recorded(Cause.GRADIENTS_GROW);
        }
        return Diagnosis.inferred(Cause.BACKWARD, Cause.GRAPH_KEPT);
    }

    private Diagnosis known() {
        Cause library = evidence.stacks().ofLibrary(stack);
        if (library != null) {
            return Diagnosis.recorded(library);
        }
        if (evidence.groups().isTurnedOver(main.group())) {
            return ofTurnover();
        }
        if (evidence.stacks().state().copiesState(stack)) {
            return kept.hasGradients()
                    ? Diagnosis.inferred(kept.models(), Cause.GRADIENT_CYCLES)
                    : Diagnosis.recorded(Cause.CHECKPOINTS);
        }
        if (evidence.stacks().state().makesOptimizerState(stack)) {
            return Diagnosis.recorded(Cause.OPTIMIZER);
        }
        if (evidence.lifetimes().device() < 0) {
            return Diagnosis.recorded(Cause.HOST_COPIES);
        }
        return ofKeeper(leak.graph() == Graph.FREED ? Cause.RESULTS_KEPT : Cause.CONTAINER);
    }

    /** Infers the cause from what keeps the blocks, where their own stacks do not show it; {@code general} where nothing does. */
    private Diagnosis ofKeeper(Cause general) {
        if (kept.isOfAutocast()) {
            return Diagnosis.inferred(Cause.AUTOCAST_CACHE, general);
        }
        if (kept.pilesUpAt(other -> isInHook(other, calls.end(other)))) {
            return Diagnosis.inferred(Cause.HOOKS_KEEP, general);
        }
        if (kept.lengthensBackward()) {
            return Diagnosis.inferred(Cause.GRAPH_KEPT, general);
        }
        if (!isInTask()) {
            return Diagnosis.recorded(general);
        }
        return kept.isUnfinished()
                ? Diagnosis.inferred(Cause.GENERATOR_SUSPENDED, general)
                : Diagnosis.inferred(general, Cause.GENERATOR_SUSPENDED);
    }

    /** Returns whether an event loop runs the steps as tasks: one that never ends keeps its variables, as a container would. */
    private boolean isInTask() {
        SnapshotColumns columns = evidence.columns();
        String called = "";
        for (int depth = 0; depth < columns.stacks.depth(stack); depth++) {
            int frame = columns.stacks.frame(stack, depth);
            String function = columns.frames.function(frame);
            if (PythonFrame.runsTask(columns.frames.file(frame), function)) {
                return evidence.steps().meaning().endsWith(" " + called);
            }
            called = evidence.stacks().isNative(frame) ? called : function;
        }
        return false;
    }

    private Diagnosis ofTurnover() {
        if (isReplacedEachStep()) {
            return Diagnosis.recorded(evidence.groups().isComputed(main.group()) ? Cause.MODULE_CACHE : Cause.APPENDED);
        }
        return isFreedInOrder()
                ? Diagnosis.inferred(Cause.BACKLOG, Cause.CACHE_GROWS)
                : Diagnosis.inferred(Cause.CACHE_GROWS, Cause.BACKLOG);
    }

    /** Returns whether hardly any block of the leak outlives the step after its own. */
    private boolean isReplacedEachStep() {
        IntArrayList members = survivors();
        int replaced = 0;
        for (int i = 0; i < members.size(); i++) {
            int survivor = members.get(i);
            replaced +=
                    evidence.survivors().end(survivor) == evidence.survivors().first(survivor) + 1 ? 1 : 0;
        }
        return replaced >= NEARLY_ALL * members.size();
    }

    /** Returns whether blocks die in the order of their births, as in a queue: of those born one after another, the second hardly ever first. */
    private boolean isFreedInOrder() {
        IntArrayList members = survivors();
        int inOrder = 0;
        for (int i = 1; i < members.size(); i++) {
            int before = evidence.lifetimes().died(evidence.survivors().allocation(members.get(i - 1)));
            int after = evidence.lifetimes().died(evidence.survivors().allocation(members.get(i)));
            inOrder += before <= after ? 1 : 0;
        }
        return inOrder >= IN_ORDER * (members.size() - 1);
    }

    /** Returns whether a line's function is a hook: called by a module but not its {@code forward}, by an optimizer, or by autograd. */
    private boolean isInHook(int stack, int node) {
        SnapshotColumns columns = evidence.columns();
        int site = node < 0 ? -1 : calls.frame(node);
        if (site < 0 || evidence.stacks().isNative(site) || !has(columns.stacks, stack, site)) {
            return false;
        }
        int caller = evidence.stacks().caller(stack, site);
        String function = columns.frames.function(site);
        if (caller < 0) {
            return HookCall.isOfAutograd(function) && calls.parent(node) == UserCalls.TOP;
        }
        boolean isOfModule = evidence.stacks().isModuleCall(caller) && !function.equals(ModuleCall.FORWARD);
        return isOfModule || HookCall.is(columns.frames.file(caller), columns.frames.function(caller));
    }

    private static boolean has(StackTable stacks, int stack, int frame) {
        for (int depth = 0; depth < stacks.depth(stack); depth++) {
            if (stacks.frame(stack, depth) == frame) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether a step of the last third keeps far more blocks than one of the first. */
    private boolean isPilingUp() {
        IntArrayList members = survivors();
        int first = evidence.survivors().first(members.get(0));
        int last = evidence.survivors().first(members.get(members.size() - 1));
        int third = (last - first) / 3;
        int early = 0;
        int late = 0;
        for (int i = 0; i < members.size(); i++) {
            int step = evidence.survivors().first(members.get(i));
            early += step < first + third ? 1 : 0;
            late += step > last - third ? 1 : 0;
        }
        return late >= MORE * early;
    }

    /**
     * Returns whether a line runs in the steps that do not leak too, and later lines of its function run in those, and in hardly any that leaks.
     * What runs only where it leaks is the work of whoever handles an error.
     */
    private boolean isLeftEarly(Grower grower) {
        int node = grower.group().node();
        BitSet own = leaking(grower);
        int clean = evidence.steps().count() - leaking.cardinality();
        if (node < 0 || clean <= 0 || clean < leaking.cardinality() / 2) {
            return false;
        }
        int last = lastLeakingLine(node);
        BitSet later = evidence.profile().steps(other -> isLater(other, node, last));
        BitSet all = evidence.profile().steps(other -> calls.isWithin(calls.end(other), node));
        return outside(later) >= NEARLY_ALL * clean
                && outside(all) >= NEARLY_ALL * clean
                && common(later, own) <= (1 - NEARLY_ALL) * own.cardinality();
    }

    /** The steps in which what a group keeps was born, each plus one, so that set-up is 0. */
    private BitSet leaking(Grower grower) {
        BitSet steps = new BitSet();
        grower.group().survivors().forEach((IntProcedure)
                survivor -> steps.set(evidence.survivors().first(survivor)));
        return steps;
    }

    private static int common(BitSet one, BitSet other) {
        BitSet common = (BitSet) one.clone();
        common.and(other);
        return common.cardinality();
    }

    /** How many of some steps do not leak. */
    private int outside(BitSet some) {
        return some.cardinality() - common(some, leaking);
    }

    private boolean isLater(int other, int line, int last) {
        int node = calls.end(other);
        while (node >= 0 && !calls.isSameFunction(node, line)) {
            node = calls.parent(node);
        }
        return node >= 0 && evidence.columns().frames.line(calls.frame(node)) > last;
    }

    private int lastLeakingLine(int line) {
        FrameTable frames = evidence.columns().frames;
        int last = frames.line(calls.frame(line));
        for (Grower grower : leak.groups()) {
            int node = grower.group().node();
            if (node >= 0 && calls.isSameFunction(node, line)) {
                last = Math.max(last, frames.line(calls.frame(node)));
            }
        }
        return last;
    }

    private boolean runsBackward() {
        return !evidence.profile().steps(evidence.stacks()::startsBackward).isEmpty();
    }
}
