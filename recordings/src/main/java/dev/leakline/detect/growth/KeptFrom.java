package dev.leakline.detect.growth;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.detect.growth.LeakSites.Grower;
import dev.leakline.detect.growth.LeakSites.Leak;
import dev.leakline.evidence.Evidence;
import dev.leakline.known.BackwardCall;
import dev.leakline.known.Cause;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.result.Site;
import dev.leakline.site.FramePredicate;
import dev.leakline.site.UserCalls;
import java.util.function.IntPredicate;

/**
 * Signs in the rest of a recording of what keeps a leak's blocks, where their own stacks say nothing: work that piles up with them, and lines
 * that should have run after them.
 */
final class KeptFrom {
    /** The least factor by which work that piles up runs more often in a leak's last third than in its first: five if it grows by one each step. */
    private static final int MORE = 2;
    /** The share of the freed, or of the kept if fewer, by which a later line's runs may differ from the freed: some run where the recording ends. */
    private static final double FEW = 0.1;

    private final Evidence evidence;
    private final UserCalls calls;
    private final Leak leak;

    KeptFrom(Evidence evidence, Leak leak) {
        this.evidence = evidence;
        this.calls = evidence.groups().calls();
        this.leak = leak;
    }

    /** Returns whether autocast made some of it: beside autograd graphs, only its cache keeps what it casts. */
    boolean isOfAutocast() {
        return leak.groups().stream().anyMatch(grower -> evidence.stacks().castsForAutocast(lastStack(grower)));
    }

    /** Models that are kept, with what else of them is among the blocks. */
    Cause models() {
        boolean hasState = leak.groups().stream()
                .anyMatch(grower -> evidence.stacks().state().makesOptimizerState(lastStack(grower)));
        return Cause.models(hasGradients(), hasState);
    }

    /** Returns whether backward passes made a part of it. */
    boolean hasGradients() {
        return leak.groups().stream().anyMatch(grower -> grower.group().kind() == Site.Kind.BACKWARD);
    }

    /** Returns whether backward passes that add to gradients made a part of it. */
    boolean isOfGradients() {
        FramePredicate accumulates = evidence.stacks().predicate(BackwardCall::accumulates);
        return leak.groups().stream()
                .filter(grower -> grower.group().kind() == Site.Kind.BACKWARD)
                .anyMatch(grower -> accumulates.isIn(evidence.sites().stack(lastAllocation(grower))));
    }

    /** Returns whether backward passes grow longer while it grows: they go through what earlier steps computed. */
    boolean lengthensBackward() {
        return pilesUp(allocation -> evidence.sites().site(allocation).kind() == Site.Kind.BACKWARD
                && !evidence.stacks().of(evidence.lifetimes().stack(allocation)).hasPython());
    }

    /** Returns whether stacks allocate far more often in the last third of its steps than in the first. */
    boolean pilesUpAt(IntPredicate isStack) {
        return pilesUp(allocation -> isStack.test(evidence.lifetimes().stack(allocation)));
    }

    private boolean pilesUp(IntPredicate isWanted) {
        IntArrayList steps = leak.groups().getFirst().steps();
        int from = steps.get(0);
        int to = steps.get(steps.size() - 1);
        int third = (to - from) / 3;
        int early = births(isWanted, from - 1, from - 1 + third);
        return early > 0 && births(isWanted, to - 1 - third, to - 1) >= MORE * early;
    }

    /** How many wanted allocations are born in the steps from one until before another. */
    private int births(IntPredicate isWanted, int first, int end) {
        int from = evidence.steps().start(Math.max(first, 0));
        int to = evidence.steps().start(Math.clamp(end, 0, evidence.steps().count()));
        int births = 0;
        for (int event = from; event < to; event++) {
            int allocation = evidence.lifetimes().allocation(event);
            boolean isBirth =
                    allocation != Lifetimes.NONE && evidence.lifetimes().born(allocation) == event;
            births += isBirth && isWanted.test(allocation) ? 1 : 0;
        }
        return births;
    }

    /** Returns whether a later line of the function that made it ran as often as what it made was freed: in the other calls it has not come so far. */
    boolean isUnfinished() {
        Grower main = leak.groups().getFirst();
        int node = main.group().node();
        int kept = main.group().survivors().size();
        int freed = evidence.profile().births(lastStack(main)) - kept;
        for (int stack = 0; stack < evidence.columns().stacks.size() && freed > 0 && node >= 0; stack++) {
            int births = evidence.profile().births(stack);
            if (births > 0
                    && Math.abs(births - freed) <= FEW * Math.min(freed, kept)
                    && isLater(calls.end(stack), node)) {
                return true;
            }
        }
        return false;
    }

    private boolean isLater(int other, int node) {
        return other >= 0 && calls.isSameFunction(node, other) && line(other) > line(node);
    }

    private int line(int node) {
        return evidence.columns().frames.line(calls.frame(node));
    }

    private int lastStack(Grower grower) {
        return evidence.lifetimes().stack(lastAllocation(grower));
    }

    private int lastAllocation(Grower grower) {
        IntArrayList survivors = grower.group().survivors();
        return evidence.survivors().allocation(survivors.get(survivors.size() - 1));
    }
}
