package dev.leakline.detect.growth;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.columns.Recorder;
import dev.leakline.detect.growth.LeakSites.Grower;
import dev.leakline.evidence.Evidence;
import dev.leakline.hash.SeededLongSet;
import dev.leakline.site.UserCalls;
import java.util.List;

/**
 * Distinguishes kept autograd graphs, whose pieces come from all over a module, from memory that a module keeps itself.
 *
 * <p>A graph is told by what stays after one call: blocks of three kinds or more from within a module, or fewer together with
 * something that the calling function made at the same steps, since layers keep their inputs for the backward pass. A cache that a
 * module keeps holds one or two kinds of block, and its inputs go.
 */
final class ModuleGraphs {
    /** Distinct blocks of one call that only a graph keeps; a cache keeps a key and a value. */
    private static final int KINDS_OF_GRAPH = 3;

    private final Evidence evidence;
    private final UserCalls calls;
    private final boolean isTrace;

    ModuleGraphs(Evidence evidence, UserCalls calls) {
        this.evidence = evidence;
        this.isTrace = evidence.columns().recorder == Recorder.PROFILER;
        this.calls = calls;
    }

    /** Whether what stays, of all that grows, of a module that a line calls is its autograd graph. */
    boolean isGraph(int node, List<Grower> growers) {
        SeededLongSet kinds = new SeededLongSet();
        Grower inside = null;
        for (Grower grower : growers) {
            if (isInsideModule(grower, node)) {
                inside = inside == null ? grower : inside;
                addKinds(grower, inside.steps(), kinds);
            }
        }
        return inside != null && (kinds.size() >= KINDS_OF_GRAPH || hasInputs(inside, node, kinds.size(), growers));
    }

    /** Whether a group is made within a module that {@code node} calls, however deep. */
    private boolean isInsideModule(Grower grower, int node) {
        int own = grower.group().node();
        if (own == node) {
            return calls.isInModule(stack(grower.group().survivors().get(0)));
        }
        int up = own;
        boolean isInside = false;
        while (up > node) {
            isInside |= calls.isForward(up);
            up = calls.parent(up);
        }
        return up == node && isInside;
    }

    private int stack(int survivor) {
        return evidence.sites().stack(evidence.survivors().allocation(survivor));
    }

    /** Takes the kinds of block that a group kept at a typical step: those of another stack or another size. */
    private void addKinds(Grower grower, IntArrayList steps, SeededLongSet kinds) {
        int typical = steps.get(steps.size() / 2);
        IntArrayList members = grower.group().survivors();
        int stacks = evidence.columns().stacks.size();
        for (int i = 0; i < members.size(); i++) {
            int survivor = members.get(i);
            if (evidence.survivors().first(survivor) == typical) {
                kinds.add(evidence.survivors().bytes(survivor) * stacks + stack(survivor));
            }
        }
    }

    /**
     * Whether something else that the same function made stays at the same steps, or, beside two kinds of block, at those too. One kind and
     * something else are also what a frame holds that an exception keeps; lines tell that ({@link CauseFinder}), but not a profiler's functions.
     */
    private boolean hasInputs(Grower inside, int node, int kinds, List<Grower> growers) {
        for (Grower grower : growers) {
            boolean isOutside = isTrace ? isOtherCall(grower, node) : isOtherLine(grower, inside, node);
            boolean isTogether = inside.growsWhere(grower) && (kinds > 1 || (!isTrace && grower.growsWhere(inside)));
            if (isOutside && isTogether) {
                return true;
            }
        }
        return false;
    }

    private boolean isOtherLine(Grower grower, Grower inside, int node) {
        int own = grower.group().node();
        boolean isBeside = own >= 0 && calls.isBeside(own, node) && !calls.isWithin(own, node);
        return isBeside || (own == node && !grower.equals(inside));
    }

    /** A profiler does not tell the lines of a function apart: whatever another of them calls lies beneath the same node. */
    private boolean isOtherCall(Grower grower, int node) {
        int own = grower.group().node();
        return own >= 0 && calls.isWithin(own, node) && !isInsideModule(grower, node);
    }
}
