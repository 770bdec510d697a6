package dev.leakline.detect.growth;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.columns.FrameTable;
import dev.leakline.columns.StackTable;
import dev.leakline.detect.growth.LeakSites.Leak;
import dev.leakline.evidence.Evidence;
import dev.leakline.known.Cause;
import dev.leakline.known.ModuleCall;
import dev.leakline.result.Site;
import dev.leakline.site.UserCalls;
import java.util.BitSet;

/** Finds the known cause of a leak, as far as stacks and times show it. */
final class CauseFinder {
    /** Steps in which a rule about a leak must hold for it to be more than chance: nine of ten. */
    private static final double NEARLY_ALL = 0.9;

    private final Evidence evidence;
    private final Leak leak;
    private final int stack;
    /** The steps in which what leaks was born, each plus one, so that set-up is 0. */
    private final BitSet leaking = new BitSet();

    CauseFinder(Evidence evidence, Leak leak) {
        this.evidence = evidence;
        this.leak = leak;
        IntArrayList survivors = leak.groups().getFirst().group().survivors();
        this.stack = evidence.sites().stack(evidence.survivors().allocation(survivors.get(survivors.size() - 1)));
        for (int i = 0; i < survivors.size(); i++) {
            leaking.set(evidence.survivors().first(survivors.get(i)));
        }
    }

    /** The cause. */
    Cause find() {
        if (leak.groups().getFirst().group().kind() == Site.Kind.BACKWARD) {
            return Cause.BACKWARD;
        }
        if (isInHook()) {
            return Cause.HOOK;
        }
        if (leak.node() >= 0 && isLeftEarly()) {
            return Cause.EXCEPTION;
        }
        if (leak.isGraph()) {
            return runsBackward() ? Cause.GRAPH_KEPT : Cause.NO_GRAD_MISSING;
        }
        return known();
    }

    private Cause known() {
        if (evidence.groups().isTurnedOver(leak.groups().getFirst().group())) {
            return isReplacedEachStep() ? Cause.APPENDED : Cause.BACKLOG;
        }
        if (evidence.stacks().copiesState(stack)) {
            return Cause.CHECKPOINTS;
        }
        return evidence.stacks().makesOptimizerState(stack) ? Cause.OPTIMIZER : Cause.CONTAINER;
    }

    /** Whether hardly any block of the leak outlives the step after its own. */
    private boolean isReplacedEachStep() {
        IntArrayList members = leak.groups().getFirst().group().survivors();
        int replaced = 0;
        for (int i = 0; i < members.size(); i++) {
            int survivor = members.get(i);
            replaced +=
                    evidence.survivors().end(survivor) == evidence.survivors().first(survivor) + 1 ? 1 : 0;
        }
        return replaced >= NEARLY_ALL * members.size();
    }

    /** Whether the site's function was called by a module, but is not its {@code forward}. */
    private boolean isInHook() {
        FrameTable frames = evidence.columns().frames;
        StackTable stacks = evidence.columns().stacks;
        for (int depth = 0; depth + 1 < stacks.depth(stack); depth++) {
            int frame = stacks.frame(stack, depth);
            if (leak.node() >= 0 && frame == evidence.groups().calls().frame(leak.node())) {
                return evidence.stacks().isModuleCall(stacks.frame(stack, depth + 1))
                        && !frames.function(frame).equals(ModuleCall.FORWARD);
            }
        }
        return false;
    }

    /** Whether later lines of the site's function run in the steps that do not leak, and in hardly any that does. */
    private boolean isLeftEarly() {
        BitSet later = evidence.profile().steps(this::isLater);
        int steps = evidence.steps().count();
        int clean = steps - leaking.cardinality();
        BitSet both = (BitSet) later.clone();
        both.and(leaking);
        int laterInClean = later.cardinality() - both.cardinality();
        return clean >= leaking.cardinality() / 2
                && clean > 0
                && laterInClean >= NEARLY_ALL * clean
                && both.cardinality() <= (1 - NEARLY_ALL) * leaking.cardinality();
    }

    private boolean isLater(int other) {
        UserCalls calls = evidence.groups().calls();
        int node = calls.end(other);
        while (node >= 0 && !calls.isSameFunction(node, leak.node())) {
            node = calls.parent(node);
        }
        FrameTable frames = evidence.columns().frames;
        return node >= 0 && frames.line(calls.frame(node)) > lastLeakingLine();
    }

    private int lastLeakingLine() {
        UserCalls calls = evidence.groups().calls();
        FrameTable frames = evidence.columns().frames;
        int last = frames.line(calls.frame(leak.node()));
        for (LeakSites.Grower grower : leak.groups()) {
            int node = grower.group().node();
            if (node >= 0 && calls.isSameFunction(node, leak.node())) {
                last = Math.max(last, frames.line(calls.frame(node)));
            }
        }
        return last;
    }

    private boolean runsBackward() {
        return !evidence.profile().steps(evidence.stacks()::startsBackward).isEmpty();
    }
}
