package dev.leakline.peak;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.columns.Action;
import dev.leakline.columns.StackTable;
import dev.leakline.evidence.Evidence;
import dev.leakline.known.StepPhase;
import dev.leakline.lifetime.DeviceEvents;
import dev.leakline.lifetime.Lifetimes;
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
    /** Events that are looked at on either side of the peak: many steps of most programs, and little next to the longest recordings. */
    private static final int REACH = 1 << 17;

    private final DeviceEvents events;
    private final Phases phases;
    private final StackSites stacks;
    private final int from;
    private final int to;
    private final int firstForward;
    /** The outermost frame of what calls the model; -1 where that is not known. */
    private final long program;

    private final boolean hasFreeStacks;
    private boolean hasPython;

    /** The first event of each run. */
    private final IntArrayList starts = new IntArrayList();

    private final List<StepPhase> runs = new ArrayList<>();
    /** The same for each phase. */
    private final Map<StepPhase, IntArrayList> byPhase = new EnumMap<>(StepPhase.class);

    PhaseRuns(Evidence evidence) {
        this.events = evidence.lifetimes().events();
        this.phases = Phases.of(evidence);
        this.stacks = evidence.stacks();
        int peak = Math.max(evidence.course().peak().event(), 0);
        this.from = Math.max(0, peak - REACH);
        this.to = Math.min(events.count(), peak + REACH);
        this.hasFreeStacks = hasFreeStacks(evidence.lifetimes());
        collect();
        this.firstForward = findForward();
        this.program = firstForward == NEVER
                ? -1
                : stacks.of(events.stack(firstForward)).root();
    }

    /** Returns whether frees have stacks of their own; some recordings repeat those of the allocations. */
    private boolean hasFreeStacks(Lifetimes lifetimes) {
        for (int event = from; event < to; event++) {
            int stack = events.stack(event);
            int born = stack == StackTable.NONE ? Lifetimes.BEFORE : lifetimes.bornOfFreed(event);
            if (born != Lifetimes.BEFORE && events.stack(born) != stack) {
                return true;
            }
        }
        return false;
    }

    private void collect() {
        StepPhase last = StepPhase.OUTSIDE;
        for (int event = from; event < to; event++) {
            Action action = events.action(event);
            if (action != Action.ALLOC && !(hasFreeStacks && action.isFree())) {
                continue;
            }
            int stack = events.stack(event);
            StepPhase phase = phases.of(stack);
            hasPython |= action == Action.ALLOC && stacks.of(stack).hasPython();
            if (runs.isEmpty() || phase != last) {
                starts.add(event);
                byPhase.computeIfAbsent(phase, _ -> new IntArrayList()).add(event);
                runs.add(phase);
                last = phase;
            }
        }
    }

    private int findForward() {
        for (int event = 0; event < from; event++) {
            if (events.action(event) == Action.ALLOC && phases.of(events.stack(event)) == StepPhase.FORWARD) {
                return event;
            }
        }
        return next(StepPhase.FORWARD, from);
    }

    /** The first event that is looked at. */
    public int from() {
        return from;
    }

    /** The event after the last that is looked at. */
    public int to() {
        return to;
    }

    /** The number of runs. */
    int count() {
        return runs.size();
    }

    /** The phase of a run. */
    StepPhase phase(int run) {
        return runs.get(run);
    }

    /** The first event of a run. */
    int start(int run) {
        return starts.get(run);
    }

    /** The first allocation of a forward pass in the whole recording; {@link Lifetimes#NEVER} if there is none. */
    public int firstForward() {
        return firstForward;
    }

    /** Returns whether frees have stacks, so that their phases are known and not inferred. */
    boolean knowsFrees() {
        return hasFreeStacks;
    }

    /** Returns whether any allocation shows who made it; without one, phases say nothing. */
    public boolean hasPython() {
        return hasPython;
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
                : runs.isEmpty() ? StepPhase.OUTSIDE : runs.get(Math.max(atOrBefore(starts, event), 0));
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

    /** The index of the last entry that is not after an event; -1 if all are. */
    static int atOrBefore(IntArrayList sorted, int event) {
        return Bisection.first(sorted.size(), index -> sorted.get(index) > event) - 1;
    }
}
