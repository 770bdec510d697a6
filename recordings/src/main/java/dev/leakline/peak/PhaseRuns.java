package dev.leakline.peak;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.IntHashSet;
import com.carrotsearch.hppc.cursors.IntCursor;
import dev.leakline.columns.Action;
import dev.leakline.columns.StackTable;
import dev.leakline.evidence.Evidence;
import dev.leakline.hash.SeededLongSet;
import dev.leakline.known.StepPhase;
import dev.leakline.lifetime.DeviceEvents;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.lifetime.RoundedSize;
import dev.leakline.primitive.Bisection;
import dev.leakline.site.StackSites;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The phases of a device's events around its peak, one after the other: runs of allocations and frees of one phase. Where a recording keeps no stacks for frees, a free
 * is of the phase of the allocation before it.
 */
public final class PhaseRuns {
    private static final int NEVER = Lifetimes.NEVER;

    /** Blocks that go at once, with no allocation between, when a graph goes; a line frees the few that its variables held. */
    private static final int MANY_AT_ONCE = 8;

    /** Events that are looked at on either side of the peak: many steps of most programs, and little next to the longest recordings. */
    private static final int REACH = 1 << 17;
    /** The step of all that was before the events that are looked at. */
    private static final int EARLIER = -2;

    private final Lifetimes lifetimes;
    private final DeviceEvents events;
    private final Phases phases;
    private final StackSites stacks;
    private final int from;
    private final int to;
    private final int firstForward;
    private final SeededLongSet stateSizes = new SeededLongSet();
    /** The outermost frame of what calls the model; -1 where that is not known. */
    private final long program;
    /** The first event of each run. */
    private final IntArrayList starts = new IntArrayList();

    private final List<StepPhase> runs = new ArrayList<>();
    /** The same for each phase. */
    private final Map<StepPhase, IntArrayList> byPhase = new EnumMap<>(StepPhase.class);

    /** The events after which an optimizer had taken its step. */
    private final IntArrayList stepEnds = new IntArrayList();
    /** Events that begin the calls of the outermost module. */
    private final IntArrayList calls = new IntArrayList();

    private final IntHashSet forBackward = new IntHashSet();
    private final IntHashSet settled = new IntHashSet();
    private int lastOfProgram = Lifetimes.BEFORE;
    private final int ending;
    private final boolean hasFreeStacks;
    private int bornWithPython;
    private final KeptGraphs graphs;
    private final CreatedGraphs created;

    /** The phases of the events of a device. */
    public static PhaseRuns of(Evidence evidence) {
        return new PhaseRuns(evidence, Phases.of(evidence));
    }

    private PhaseRuns(Evidence evidence, Phases phases) {
        this.lifetimes = evidence.lifetimes();
        this.events = lifetimes.events();
        this.phases = phases;
        this.stacks = evidence.stacks();
        int peak = Math.max(evidence.course().peak().event(), 0);
        this.from = Math.max(0, peak - REACH);
        this.to = Math.min(events.count(), peak + REACH);
        this.hasFreeStacks = hasFreeStacks();
        collect(evidence);
        this.firstForward = findForward();
        this.program = firstForward == NEVER
                ? -1
                : stacks.of(events.stack(firstForward)).root();
        findSteps();
        findStateSizes();
        this.ending = findEnding();
        findFreed();
        this.graphs = new KeptGraphs(evidence, this);
        this.created = new CreatedGraphs(lifetimes, this);
    }

    /** The last request that failed, unless a program that caught the error went on with passes or steps. */
    private int findEnding() {
        IntArrayList failed = events.failed();
        int last = failed.isEmpty() ? NEVER : failed.get(failed.size() - 1);
        boolean goesOn = last < from;
        for (int event = Math.max(last, from); event < to && !goesOn; event++) {
            goesOn = events.action(event) == Action.ALLOC && of(event) != StepPhase.OUTSIDE;
        }
        return goesOn ? NEVER : last;
    }

    /** The failed request with which a recording ends; {@link Lifetimes#NEVER} where it does not. What is freed after it goes for no other reason. */
    public int ending() {
        return ending;
    }

    /** Sizes are requests, rounded: alike for all of one shape, where the block held may have some more. */
    private void findStateSizes() {
        for (IntCursor older : lifetimes.older()) {
            addStateSize(older.value);
        }
        for (int event = 0; event < Math.min(firstForward, events.count()); event++) {
            int allocation = events.action(event) == Action.ALLOC ? lifetimes.allocation(event) : Lifetimes.NONE;
            if (allocation != Lifetimes.NONE) {
                addStateSize(allocation);
            }
        }
    }

    private void addStateSize(int allocation) {
        if (outlivesSteps(lifetimes.freed(allocation))) {
            stateSizes.add(RoundedSize.PLAIN.of(lifetimes.requested(allocation)));
        }
    }

    private void findFreed() {
        int cut = cutFrom();
        for (int event = from; event < Math.min(to, ending); event++) {
            lastOfProgram = events.action(event) == Action.ALLOC && isOfProgram(event) ? event : lastOfProgram;
            int allocation = events.action(event).isFree() ? lifetimes.allocation(event) : Lifetimes.NONE;
            int born = allocation == Lifetimes.NONE ? Lifetimes.BEFORE : lifetimes.born(allocation);
            if (born == Lifetimes.BEFORE) {
                continue;
            }
            if (born < cut && ending != NEVER) {
                settled.add(events.stack(born));
            }
            if (of(event) == StepPhase.BACKWARD && of(born) != StepPhase.BACKWARD) {
                forBackward.add(events.stack(born));
            }
        }
    }

    /** Returns whether backward passes free what is made at a stack, other than by themselves. */
    public boolean isForBackward(int stack) {
        return forBackward.contains(stack);
    }

    private int findForward() {
        for (int event = 0; event < from; event++) {
            if (events.action(event) == Action.ALLOC && phases.of(events.stack(event)) == StepPhase.FORWARD) {
                return event;
            }
        }
        return next(StepPhase.FORWARD, from);
    }

    /** Returns whether frees have stacks of their own; some recordings repeat those of the allocations. */
    private boolean hasFreeStacks() {
        for (int event = from; event < to; event++) {
            int stack = events.stack(event);
            if (events.action(event).isFree() && stack != StackTable.NONE) {
                int allocation = lifetimes.allocation(event);
                int born = allocation == Lifetimes.NONE ? Lifetimes.BEFORE : lifetimes.born(allocation);
                if (born != Lifetimes.BEFORE && events.stack(born) != stack) {
                    return true;
                }
            }
        }
        return false;
    }

    private void collect(Evidence evidence) {
        StepPhase last = StepPhase.OUTSIDE;
        for (int event = from; event < to; event++) {
            Action action = events.action(event);
            if (action != Action.ALLOC && !(hasFreeStacks && action.isFree())) {
                continue;
            }
            int stack = events.stack(event);
            StepPhase phase = phases.of(stack);
            if (action == Action.ALLOC && evidence.stacks().of(stack).hasPython()) {
                bornWithPython++;
            }
            if (runs.isEmpty() || phase != last) {
                starts.add(event);
                byPhase.computeIfAbsent(phase, _ -> new IntArrayList()).add(event);
                runs.add(phase);
                last = phase;
            }
        }
    }

    private void findSteps() {
        boolean isStepping = false;
        StepPhase before = StepPhase.OUTSIDE;
        for (int run = 0; run < runs.size(); run++) {
            StepPhase phase = runs.get(run);
            switch (phase) {
                case OPTIMIZER -> isStepping = true;
                case FORWARD, BACKWARD, ZERO_GRAD -> {
                    if (isStepping) {
                        stepEnds.add(starts.get(run));
                    }
                    isStepping = false;
                }
                default -> {}
            }
            if (phase == StepPhase.FORWARD && before != StepPhase.FORWARD) {
                calls.add(starts.get(run));
            }
            before = phase == StepPhase.BACKWARD ? before : phase;
        }
        if (isStepping) {
            stepEnds.add(to);
        }
    }

    /** The first event that is looked at. */
    public int from() {
        return from;
    }

    /** The event after the last that is looked at. */
    public int to() {
        return to;
    }

    /** The first allocation of a forward pass in the whole recording; {@link Lifetimes#NEVER} if there is none. */
    public int firstForward() {
        return firstForward;
    }

    /** The graphs that these passes keep. */
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

    /** The first event of the step that a failed request ends; {@link Lifetimes#NEVER} where none does. Without steps it is the call's. */
    int cutFrom() {
        boolean isFirst = stepEnds.isEmpty() && next(StepPhase.BACKWARD, from) < ending;
        return ending == NEVER ? NEVER : isFirst ? from : Math.max(stepBegin(step(ending)), from);
    }

    /** Returns whether blocks of a stack were gone before the step that a failed request ends. */
    boolean isFreedElsewhere(int stack) {
        return settled.contains(stack);
    }

    /** The last event before a failed request that ends the recording at which the program itself ran, and no backward pass. */
    int lastOfProgram() {
        return lastOfProgram;
    }

    /**
     * Returns whether an allocation is the result of an expression such as {@code images.float() / 255}, and not copied to the device: the line makes two blocks of one size, one after the
     * other, and the first goes when the second is there.
     */
    public boolean isElementwise(int allocation) {
        int born = lifetimes.born(allocation);
        int before = born - 1;
        while (before >= 0 && events.action(before) != Action.ALLOC) {
            before--;
        }
        if (before < 0 || events.stack(before) != events.stack(born) || events.size(before) != events.size(born)) {
            return false;
        }
        int next = born + 1;
        while (next < events.count() && events.action(next) != Action.ALLOC) {
            next++;
        }
        int freed = lifetimes.freed(lifetimes.allocation(before));
        return freed > born && freed <= next;
    }

    /** Returns whether frees have stacks, so that their phases are known and not inferred. */
    boolean knowsFrees() {
        return hasFreeStacks;
    }

    /** Returns whether any allocation shows who made it; without one, phases say nothing. */
    public boolean hasPython() {
        return bornWithPython > 0;
    }

    /** Returns whether any event is of a phase that shows what a program does with a model. */
    boolean hasPhases() {
        return byPhase.keySet().stream().anyMatch(phase -> phase != StepPhase.OUTSIDE);
    }

    /** Returns whether any event is of a phase. */
    public boolean has(StepPhase phase) {
        return byPhase.containsKey(phase);
    }

    /** The phase of an event. */
    public StepPhase of(int event) {
        return hasFreeStacks || events.action(event) == Action.ALLOC
                ? phases.of(events.stack(event))
                : runs.isEmpty() ? StepPhase.OUTSIDE : runs.get(run(event));
    }

    /** The phase of a stack. */
    StepPhase ofStack(int stack) {
        return phases.of(stack);
    }

    /** Returns whether the program itself runs at an event. A backward pass may run Python too, to compute modules again or for hooks, in threads that begin elsewhere. */
    boolean isOfProgram(int event) {
        return program >= 0 && stacks.of(events.stack(event)).root() == program;
    }

    /** The first event of a phase at or after an event; {@link Lifetimes#NEVER} if there is none. */
    public int next(StepPhase phase, int event) {
        int run = atOrBefore(starts, event);
        if (run >= 0 && runs.get(run) == phase) {
            return event;
        }
        IntArrayList begins = byPhase.getOrDefault(phase, starts);
        int index = atOrBefore(begins, event) + 1;
        return byPhase.containsKey(phase) && index < begins.size() ? begins.get(index) : NEVER;
    }

    private int run(int event) {
        return Math.max(atOrBefore(starts, event), 0);
    }

    /** Events after which optimizers had taken their steps, in order; not to be written to. */
    public IntArrayList stepEnds() {
        return stepEnds;
    }

    /** The end of the optimizer's step that an event is part of. */
    public int stepEnd(int event) {
        int index = atOrBefore(stepEnds, event) + 1;
        return index < stepEnds.size() ? stepEnds.get(index) : NEVER;
    }

    /** Returns whether a backward pass follows the first step; an optimizer that makes nothing after it ends no other. */
    private boolean hasSecondStep() {
        return !stepEnds.isEmpty() && next(StepPhase.BACKWARD, stepEnds.get(0)) != NEVER;
    }

    /** Returns whether what an optimizer made is freed within its step. State that it was making when the last request failed went with the error alone. */
    public boolean isOfOptimizersStep(int born, int freed) {
        boolean isCut = freed >= ending && stacks.state().makesOptimizerState(events.stack(born));
        return freed < stepEnd(born) && !isCut;
    }

    /** Returns whether what is freed at an event outlives all steps; a recording may go on to where the program frees everything. */
    public boolean outlivesSteps(int freed) {
        return freed == NEVER
                || (hasSecondStep()
                        && next(StepPhase.FORWARD, freed) == NEVER
                        && next(StepPhase.BACKWARD, freed) == NEVER
                        && next(StepPhase.OPTIMIZER, freed) == NEVER
                        && next(StepPhase.ZERO_GRAD, freed) == NEVER);
    }

    /** The events at which steps begin or end. */
    IntArrayList ends() {
        return stepEnds.isEmpty() ? calls : stepEnds;
    }

    /** The number of the step that an event is part of: steps end with an optimizer's; without one, each call of the outermost module begins one. */
    public int step(int event) {
        return event < from ? EARLIER : atOrBefore(ends(), event);
    }

    /** The first event of a step; {@link Lifetimes#BEFORE} of what was before the first. */
    int stepBegin(int step) {
        return step < 0 ? Lifetimes.BEFORE : ends().get(step);
    }

    /** The number of the call of the outermost module that an event is part of, or follows. */
    public int call(int event) {
        return atOrBefore(calls, event);
    }

    /** The index of the last entry that is not after an event; -1 if all are. */
    private static int atOrBefore(IntArrayList sorted, int event) {
        return Bisection.first(sorted.size(), index -> sorted.get(index) > event) - 1;
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
