package dev.leakline.peak;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.IntHashSet;
import dev.leakline.columns.Action;
import dev.leakline.known.StepPhase;
import dev.leakline.lifetime.DeviceEvents;
import dev.leakline.lifetime.Lifetimes;

/** The step that was cut by the failed request which ended the program, if one did. What is freed after it goes for no other reason. */
public final class CutStep {
    private static final int NEVER = Lifetimes.NEVER;

    private final int failure;
    private final int from;
    private final IntHashSet settled = new IntHashSet();
    private int lastOfProgram = Lifetimes.BEFORE;

    CutStep(Lifetimes lifetimes, PhaseRuns runs, OptimizerSteps steps) {
        this.failure = find(lifetimes.events(), runs);
        boolean isFirst = steps.ends().isEmpty() && runs.next(StepPhase.BACKWARD, runs.from()) < failure;
        this.from = failure == NEVER
                ? NEVER
                : isFirst ? runs.from() : Math.max(steps.begin(steps.of(failure)), runs.from());
        if (failure != NEVER) {
            lookBefore(lifetimes, runs);
        }
    }

    /** The last request that failed, unless a program that caught the error went on with passes or steps. */
    private static int find(DeviceEvents events, PhaseRuns runs) {
        IntArrayList failed = events.failed();
        int last = failed.isEmpty() ? NEVER : failed.get(failed.size() - 1);
        boolean goesOn = last < runs.from();
        for (int event = Math.max(last, runs.from()); event < runs.to() && !goesOn; event++) {
            goesOn = events.action(event) == Action.ALLOC && runs.of(event) != StepPhase.OUTSIDE;
        }
        return goesOn ? NEVER : last;
    }

    private void lookBefore(Lifetimes lifetimes, PhaseRuns runs) {
        DeviceEvents events = lifetimes.events();
        for (int before = runs.from(); before < Math.min(runs.to(), failure); before++) {
            lastOfProgram = events.action(before) == Action.ALLOC && runs.isOfProgram(before) ? before : lastOfProgram;
            int born = lifetimes.bornOfFreed(before);
            if (born != Lifetimes.BEFORE && born < from) {
                settled.add(events.stack(born));
            }
        }
    }

    /** The event at which it failed; {@link Lifetimes#NEVER} where no failure ended the program. */
    public int failure() {
        return failure;
    }

    /** The first event of the step; {@link Lifetimes#NEVER} where none was. Without steps it is the call's. */
    int from() {
        return from;
    }

    /** Returns whether blocks of a stack were gone before the step. */
    boolean isFreedElsewhere(int stack) {
        return settled.contains(stack);
    }

    /** The last event before the failure at which the program itself ran, and no backward pass. */
    int lastOfProgram() {
        return lastOfProgram;
    }
}
