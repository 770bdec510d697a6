package dev.leakline.peak;

import com.carrotsearch.hppc.IntHashSet;
import dev.leakline.columns.Action;
import dev.leakline.evidence.Evidence;
import dev.leakline.hash.SeededLongSet;
import dev.leakline.known.LossFrames;
import dev.leakline.known.StepPhase;
import dev.leakline.lifetime.DeviceEvents;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.site.FramePredicate;
import dev.leakline.site.StackSites;

/**
 * What a pass had made for a backward pass that freed none of it, because the recording ends with a failed request before. Where steps before show what becomes of a
 * line's blocks, they tell. In a first step a block that is still there is the graph's if its call has one: a call with a graph keeps most of what it makes.
 */
public final class UnfinishedPass {
    private final Lifetimes lifetimes;
    private final DeviceEvents events;
    private final PhaseRuns runs;
    private final StackSites stacks;
    private final FramePredicate isLoss;
    private final FramePredicate isInOptimizer;
    private final int end;
    /** Stacks whose blocks of steps before are gone. */
    private final IntHashSet known = new IntHashSet();
    private final KeptGraphs graphs;
    /** Of log-probabilities, which a loss keeps in the place of the logits. */
    private final SeededLongSet lossSizes = new SeededLongSet();

    /** The last event before the end at which the program itself ran, and no backward pass. */
    private int ran = Lifetimes.BEFORE;

    /** What the last pass around a peak had made. */
    UnfinishedPass(Evidence evidence, PhaseRuns runs, KeptGraphs graphs) {
        this.graphs = graphs;
        this.lifetimes = evidence.lifetimes();
        this.events = lifetimes.events();
        this.runs = runs;
        this.stacks = evidence.stacks();
        this.isLoss = stacks.predicate(LossFrames::isOverClasses);
        this.isInOptimizer = stacks.predicate((file, name) -> StepPhase.of(file, name) == StepPhase.OPTIMIZER);
        this.end = runs.ending();
        if (end != Lifetimes.NEVER) {
            look();
        }
    }

    private void look() {
        int before = settled();
        for (int event = runs.from(); event < Math.min(end, runs.to()); event++) {
            if (events.action(event) == Action.ALLOC) {
                look(lifetimes.allocation(event), event, before);
                ran = runs.isOfProgram(event) ? event : ran;
            }
        }
        ran = runs.isOfProgram(end) ? end : ran;
        lookAtSize(end);
    }

    /** The event before which what became of blocks is known: the begin of the step that failed; without steps, of the call. */
    private int settled() {
        int step = runs.step(end);
        boolean isFirst = runs.stepEnds().isEmpty() && runs.next(StepPhase.BACKWARD, runs.from()) < end;
        return isFirst ? Lifetimes.BEFORE : runs.stepBegin(step);
    }

    private void look(int allocation, int event, int before) {
        boolean isGone = lifetimes.freed(allocation) < end;
        int stack = lifetimes.stack(allocation);
        if (event < before) {
            if (isGone) {
                known.add(stack);
            }
            return;
        }
        lookAtSize(event);
    }

    private void lookAtSize(int event) {
        if (isLoss.isIn(events.stack(event))) {
            lossSizes.add(events.size(event));
        }
    }

    /** Whether a block was kept, when the recording ended, for a backward pass that had not ended. */
    public boolean keeps(int allocation) {
        return isThere(allocation)
                && isForBackward(lifetimes.born(allocation), lifetimes.stack(allocation))
                && !isGivenToLoss(allocation);
    }

    private boolean isThere(int allocation) {
        return end != Lifetimes.NEVER
                && lifetimes.born(allocation) >= runs.from()
                && lifetimes.born(allocation) < end
                && lifetimes.freed(allocation) > end;
    }

    private boolean isForBackward(int born, int stack) {
        StepPhase phase = runs.of(born);
        return (phase == StepPhase.FORWARD || phase == StepPhase.OUTSIDE)
                && !known.contains(stack)
                && runs.next(StepPhase.BACKWARD, born) > ran
                && graphs.isOfGraph(born)
                && !isWithoutGraph(stack);
    }

    /** Whether it runs under {@code no_grad()}; an optimizer runs its closure below such a frame, and with a graph. */
    private boolean isWithoutGraph(int stack) {
        return stacks.state().savesNothing(stack) && !isInOptimizer.isIn(stack);
    }

    /** Whether it is as large as what a loss over classes makes of it, in the same or in half precision. */
    private boolean isGivenToLoss(int allocation) {
        long size = lifetimes.requested(allocation);
        return !isLoss.isIn(lifetimes.stack(allocation)) && (lossSizes.contains(size) || lossSizes.contains(2 * size));
    }
}
