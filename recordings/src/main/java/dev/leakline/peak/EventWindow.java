package dev.leakline.peak;

import com.carrotsearch.hppc.IntHashSet;
import com.carrotsearch.hppc.cursors.IntCursor;
import dev.leakline.columns.Action;
import dev.leakline.evidence.Evidence;
import dev.leakline.hash.SeededLongSet;
import dev.leakline.known.StepPhase;
import dev.leakline.lifetime.DeviceEvents;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.lifetime.RoundedSize;
import dev.leakline.site.StackSites;

/** The events around a device's peak: their phases and steps, the failure that ends them, the graphs that are kept in them, and what tells blocks apart. */
public final class EventWindow {
    /** Blocks that go at once, with no allocation between, when a graph goes; a line frees the few that its variables held. */
    private static final int MANY_AT_ONCE = 8;

    private final Lifetimes lifetimes;
    private final DeviceEvents events;
    private final StackSites stacks;
    private final PhaseRuns runs;
    private final OptimizerSteps steps;
    private final CutStep cut;
    private final SeededLongSet stateSizes = new SeededLongSet();
    private final IntHashSet forBackward = new IntHashSet();
    private final KeptGraphs graphs;
    private final CreatedGraphs created;

    /** The window of a device. */
    public static EventWindow of(Evidence evidence) {
        return new EventWindow(evidence);
    }

    private EventWindow(Evidence evidence) {
        this.lifetimes = evidence.lifetimes();
        this.events = lifetimes.events();
        this.stacks = evidence.stacks();
        this.runs = new PhaseRuns(evidence);
        this.steps = new OptimizerSteps(runs);
        this.cut = new CutStep(lifetimes, runs, steps);
        findStateSizes();
        findFreedByBackward();
        this.graphs = new KeptGraphs(evidence, this);
        this.created = new CreatedGraphs(lifetimes, this);
    }

    /** Sizes are requests, rounded: alike for all of one shape, where the block held may have some more. */
    private void findStateSizes() {
        for (IntCursor older : lifetimes.older()) {
            addStateSize(older.value);
        }
        for (int event = 0; event < Math.min(runs.firstForward(), events.count()); event++) {
            int allocation = events.action(event) == Action.ALLOC ? lifetimes.allocation(event) : Lifetimes.NONE;
            if (allocation != Lifetimes.NONE) {
                addStateSize(allocation);
            }
        }
    }

    private void addStateSize(int allocation) {
        if (steps.areOutlivedBy(lifetimes.freed(allocation))) {
            stateSizes.add(RoundedSize.PLAIN.of(lifetimes.requested(allocation)));
        }
    }

    private void findFreedByBackward() {
        for (int event = runs.from(); event < Math.min(runs.to(), cut.failure()); event++) {
            int born = lifetimes.bornOfFreed(event);
            if (born != Lifetimes.BEFORE
                    && runs.of(event) == StepPhase.BACKWARD
                    && runs.of(born) != StepPhase.BACKWARD) {
                forBackward.add(events.stack(born));
            }
        }
    }

    /** The phases, run by run. */
    public PhaseRuns runs() {
        return runs;
    }

    /** The steps of optimizers. */
    public OptimizerSteps steps() {
        return steps;
    }

    /** The step that a failed request cut, if one did. */
    public CutStep cut() {
        return cut;
    }

    /** The graphs that passes keep. */
    public KeptGraphs graphs() {
        return graphs;
    }

    /** The graphs that backward passes make for later ones. */
    public CreatedGraphs created() {
        return created;
    }

    /** Returns whether a block has the size of one that stays from before the first forward pass, as parameters do and what an optimizer keeps for them. */
    public boolean hasSizeOfState(long requested) {
        return stateSizes.contains(RoundedSize.PLAIN.of(requested));
    }

    /** Returns whether backward passes free what is made at a stack, other than by themselves. */
    public boolean isForBackward(int stack) {
        return forBackward.contains(stack);
    }

    /** Returns whether what an optimizer made is freed within its step. State that it was making when a request failed went with the error alone. */
    public boolean isOfOptimizersStep(int born, int freed) {
        boolean isCut = freed >= cut.failure() && stacks.state().makesOptimizerState(events.stack(born));
        return freed < steps.end(born) && !isCut;
    }

    /**
     * Returns whether an allocation is the result of an expression such as {@code images.float() / 255}, and not copied to the device: the line makes two blocks of one size, one after the
     * other, and the first goes when the second is there.
     */
    public boolean isElementwise(int allocation) {
        int source = source(allocation);
        return source != Lifetimes.NONE
                && lifetimes.stack(source) == lifetimes.stack(allocation)
                && lifetimes.requested(source) == lifetimes.requested(allocation);
    }

    /** Returns whether the program made it of what a pass gave it last, as {@code model(x).float()} does. */
    boolean isMadeOfResult(int allocation) {
        int source = source(allocation);
        return source != Lifetimes.NONE && runs.of(lifetimes.born(source)) == StepPhase.FORWARD;
    }

    /** The allocation before an allocation, if it goes when that is there; {@link Lifetimes#NONE} if not. */
    private int source(int allocation) {
        int born = lifetimes.born(allocation);
        int before = born - 1;
        while (before >= 0 && events.action(before) != Action.ALLOC) {
            before--;
        }
        int next = born + 1;
        while (next < events.count() && events.action(next) != Action.ALLOC) {
            next++;
        }
        int source = before < 0 ? Lifetimes.NONE : lifetimes.allocation(before);
        boolean isReplaced =
                source != Lifetimes.NONE && lifetimes.freed(source) > born && lifetimes.freed(source) <= next;
        return isReplaced ? source : Lifetimes.NONE;
    }

    /** Returns whether a free is one of many that follow each other without an allocation. */
    public boolean goesWithMany(int free) {
        int frees = 0;
        for (int event = free;
                event < events.count() && events.action(event).isFree() && frees <= MANY_AT_ONCE;
                event++) {
            frees += events.action(event) == Action.FREE_REQUESTED ? 1 : 0;
        }
        for (int event = free - 1; event >= 0 && events.action(event).isFree() && frees <= MANY_AT_ONCE; event--) {
            frees += events.action(event) == Action.FREE_REQUESTED ? 1 : 0;
        }
        return frees > MANY_AT_ONCE;
    }
}
