package dev.leakline.peak;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.columns.Action;
import dev.leakline.columns.StackTable;
import dev.leakline.evidence.Evidence;
import dev.leakline.known.StepPhase;
import dev.leakline.lifetime.DeviceEvents;
import dev.leakline.lifetime.Lifetimes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The phases of a device's events, one after the other: runs of allocations and frees of one phase. Where a recording keeps no stacks for frees, a free
 * is of the phase of the allocation before it.
 */
final class PhaseRuns {
    private static final int NEVER = Lifetimes.NEVER;

    private final DeviceEvents events;
    private final Phases phases;
    /** The first event of each run. */
    private final IntArrayList starts = new IntArrayList();

    private final List<StepPhase> runs = new ArrayList<>();
    /** For each phase and run the first event of the phase from that run on. */
    private final int[][] next;

    /** The events after which an optimizer had taken its step. */
    private final IntArrayList stepEnds = new IntArrayList();
    /** Events that begin the calls of the outermost module. */
    private final IntArrayList calls = new IntArrayList();

    private final boolean hasFreeStacks;
    private int bornWithPython;

    PhaseRuns(Evidence evidence, Phases phases) {
        this.events = evidence.lifetimes().events();
        this.phases = phases;
        this.hasFreeStacks = hasFreeStacks();
        collect(evidence);
        this.next = Arrays.stream(StepPhase.values()).map(this::next).toArray(int[][]::new);
        findSteps();
    }

    private boolean hasFreeStacks() {
        for (int event = 0; event < events.count(); event++) {
            if (isFree(events.action(event)) && events.stack(event) != StackTable.NONE) {
                return true;
            }
        }
        return false;
    }

    private static boolean isFree(Action action) {
        return action == Action.FREE_REQUESTED || action == Action.FREE_COMPLETED;
    }

    private void collect(Evidence evidence) {
        StepPhase last = StepPhase.OUTSIDE;
        for (int event = 0; event < events.count(); event++) {
            Action action = events.action(event);
            if (action != Action.ALLOC && !(hasFreeStacks && isFree(action))) {
                continue;
            }
            int stack = events.stack(event);
            StepPhase phase = phases.of(stack);
            if (action == Action.ALLOC && evidence.stacks().of(stack).hasPython()) {
                bornWithPython++;
            }
            if (runs.isEmpty() || phase != last) {
                starts.add(event);
                runs.add(phase);
                last = phase;
            }
        }
    }

    private int[] next(StepPhase phase) {
        int[] found = new int[runs.size()];
        int start = NEVER;
        for (int run = runs.size() - 1; run >= 0; run--) {
            start = runs.get(run) == phase ? starts.get(run) : start;
            found[run] = start;
        }
        return found;
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
            stepEnds.add(events.count());
        }
    }

    /** Whether any allocation shows who made it; without one, phases say nothing. */
    boolean hasPython() {
        return bornWithPython > 0;
    }

    /** Whether any event is of a phase. */
    boolean has(StepPhase phase) {
        return runs.contains(phase);
    }

    /** The phase of an event. */
    StepPhase of(int event) {
        return hasFreeStacks || events.action(event) == Action.ALLOC
                ? phases.of(events.stack(event))
                : runs.isEmpty() ? StepPhase.OUTSIDE : runs.get(run(event));
    }

    /** The first event of a phase at or after an event; {@link Lifetimes#NEVER} if there is none. */
    @SuppressWarnings("EnumOrdinal") // the table is made for this enum and lives no longer
    int next(StepPhase phase, int event) {
        if (runs.isEmpty()) {
            return NEVER;
        }
        int run = run(event);
        if (runs.get(run) == phase && starts.get(run) <= event) {
            return event;
        }
        return run + 1 < runs.size() ? next[phase.ordinal()][run + 1] : NEVER;
    }

    private int run(int event) {
        return Math.max(atOrBefore(starts, event), 0);
    }

    /** Events after which optimizers had taken their steps, in order; not to be written to. */
    IntArrayList stepEnds() {
        return stepEnds;
    }

    /** The end of the optimizer's step that an event is part of. */
    int stepEnd(int event) {
        int index = atOrBefore(stepEnds, event) + 1;
        return index < stepEnds.size() ? stepEnds.get(index) : NEVER;
    }

    /** The number of the step that an event is part of: steps end with an optimizer's; without one, each call of the outermost module begins one. */
    int step(int event) {
        return atOrBefore(stepEnds.isEmpty() ? calls : stepEnds, event);
    }

    /** The index of the last entry that is not after an event; -1 if all are. */
    private static int atOrBefore(IntArrayList sorted, int event) {
        int low = 0;
        int high = sorted.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (sorted.get(middle) <= event) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low - 1;
    }
}
