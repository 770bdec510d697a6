package dev.leakline.peak;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.known.StepPhase;
import dev.leakline.lifetime.Lifetimes;

/** The steps that optimizers take around a peak, by the phases: one ends where the program goes on after it. Without an optimizer, each call of the outermost module begins one. */
public final class OptimizerSteps {
    /** The step of all that was before the events that are looked at. */
    private static final int EARLIER = -2;

    private final PhaseRuns runs;
    private final IntArrayList ends = new IntArrayList();
    /** Events that begin the calls of the outermost module. */
    private final IntArrayList calls = new IntArrayList();

    OptimizerSteps(PhaseRuns runs) {
        this.runs = runs;
        boolean isStepping = false;
        StepPhase before = StepPhase.OUTSIDE;
        for (int run = 0; run < runs.count(); run++) {
            StepPhase phase = runs.phase(run);
            switch (phase) {
                case OPTIMIZER -> isStepping = true;
                case FORWARD, BACKWARD, ZERO_GRAD -> {
                    if (isStepping) {
                        ends.add(runs.start(run));
                    }
                    isStepping = false;
                }
                default -> {}
            }
            if (phase == StepPhase.FORWARD && before != StepPhase.FORWARD && runs.isOfProgram(runs.start(run))) {
                calls.add(runs.start(run));
            }
            before = phase == StepPhase.BACKWARD ? before : phase;
        }
        if (isStepping) {
            ends.add(runs.to());
        }
    }

    /** Events after which optimizers had taken their steps, in order; not to be written to. */
    public IntArrayList ends() {
        return ends;
    }

    /** The end of the optimizer's step that an event is part of; {@link Lifetimes#NEVER} where none follows. */
    public int end(int event) {
        int index = PhaseRuns.atOrBefore(ends, event) + 1;
        return index < ends.size() ? ends.get(index) : Lifetimes.NEVER;
    }

    /** The events at which steps begin or end. */
    IntArrayList bounds() {
        return ends.isEmpty() ? calls : ends;
    }

    /** The number of the step that an event is part of. */
    public int of(int event) {
        return event < runs.from() ? EARLIER : PhaseRuns.atOrBefore(bounds(), event);
    }

    /** The first event of a step; {@link Lifetimes#BEFORE} of what was before the first. */
    int begin(int step) {
        return step < 0 ? Lifetimes.BEFORE : bounds().get(step);
    }

    /** The number of the call of the outermost module that an event is part of, or follows. */
    public int call(int event) {
        return PhaseRuns.atOrBefore(calls, event);
    }

    /** The first event of a call that another one follows. */
    public int beginAfter(int call) {
        return calls.get(call + 1);
    }

    /** Returns whether what is freed at an event outlives all steps; a recording may go on to where the program frees everything. */
    public boolean areOutlivedBy(int freed) {
        return freed == Lifetimes.NEVER
                || (hasSecond()
                        && isLast(StepPhase.FORWARD, freed)
                        && isLast(StepPhase.BACKWARD, freed)
                        && isLast(StepPhase.OPTIMIZER, freed)
                        && isLast(StepPhase.ZERO_GRAD, freed));
    }

    private boolean isLast(StepPhase phase, int event) {
        return runs.next(phase, event) == Lifetimes.NEVER;
    }

    /** Returns whether a backward pass follows the first step; an optimizer that makes nothing after it ends no other. */
    private boolean hasSecond() {
        return !ends.isEmpty() && !isLast(StepPhase.BACKWARD, ends.get(0));
    }
}
