package dev.leakline.peak;

import dev.leakline.columns.Recorder;
import dev.leakline.evidence.Evidence;
import dev.leakline.known.StepPhase;
import org.jspecify.annotations.Nullable;

/** In which part of a step each stack of a recording runs. Found once a stack, on demand. */
public abstract class Phases {
    private final @Nullable StepPhase[] phases;

    Phases(int stacks) {
        this.phases = new StepPhase[stacks];
    }

    /** The phases of the stacks of some evidence. */
    public static Phases of(Evidence evidence) {
        return evidence.columns().recorder == Recorder.PROFILER
                ? new ProfilerPhases(evidence.columns(), evidence.stacks())
                : new SnapshotPhases(evidence.columns(), evidence.stacks());
    }

    /** The phase of a stack. */
    public final StepPhase of(int stack) {
        StepPhase known = phases[stack];
        if (known == null) {
            known = find(stack);
            phases[stack] = known;
        }
        return known;
    }

    abstract StepPhase find(int stack);
}
