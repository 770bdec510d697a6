package dev.leakline.peak;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.columns.Action;
import dev.leakline.known.StepPhase;
import dev.leakline.lifetime.DeviceEvents;
import dev.leakline.lifetime.Lifetimes;

/** The failed request which ended the program, if one did. What is freed after it goes for no other reason. */
public final class CutStep {
    private static final int NEVER = Lifetimes.NEVER;

    private final int failure;

    /** Finds the last request that failed, unless a program that caught the error went on with passes or steps. */
    CutStep(DeviceEvents events, PhaseRuns runs) {
        IntArrayList failed = events.failed();
        int last = failed.isEmpty() ? NEVER : failed.get(failed.size() - 1);
        boolean goesOn = last < runs.from();
        for (int event = Math.max(last, runs.from()); event < runs.to() && !goesOn; event++) {
            goesOn = events.action(event) == Action.ALLOC && runs.of(event) != StepPhase.OUTSIDE;
        }
        failure = goesOn ? NEVER : last;
    }

    /** The event at which it failed; {@link Lifetimes#NEVER} where no failure ended the program. */
    public int failure() {
        return failure;
    }
}
