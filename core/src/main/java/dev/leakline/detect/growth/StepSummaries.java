package dev.leakline.detect.growth;

import dev.leakline.evidence.Evidence;
import dev.leakline.floor.StepProfile;
import dev.leakline.result.StepSummary;
import dev.leakline.result.StepSummary.Phase;
import dev.leakline.steps.Steps;
import java.util.ArrayList;
import java.util.List;

/** What is said of a recording's steps: how many, where warm-up ends, and where they begin to do something else. */
public final class StepSummaries {
    /** Growth of the floor by this share of its height is still warm-up; less is noise. */
    private static final double RISES = 0.01;
    /** More changes than this are requests of several kinds, not phases. */
    private static final int MOST_PHASES = 20;

    private StepSummaries() {}

    /** The summary for a device. */
    public static StepSummary of(Evidence evidence) {
        Steps steps = evidence.steps();
        boolean isRepeating = steps.count() > 0 && steps.kind().repeats();
        return new StepSummary(
                steps.count(),
                steps.kind(),
                steps.meaning(),
                isRepeating ? warmUp(evidence.groups().floorOfSteady()) : 0,
                isRepeating ? phases(evidence) : List.of());
    }

    /** The step from which on the floor rises no more. */
    static int warmUp(long[] floor) {
        long high = 0;
        for (long bytes : floor) {
            high = Math.max(high, bytes);
        }
        long reached = 0;
        int warm = 0;
        for (int step = 0; step < floor.length; step++) {
            if (floor[step] > reached + RISES * high) {
                reached = floor[step];
                warm = step;
            }
        }
        return warm;
    }

    /** Stretches of steps that allocate from the same lines; none where they change all the time. */
    static List<Phase> phases(Evidence evidence) {
        StepProfile profile = evidence.profile();
        int count = evidence.steps().count();
        PhaseNames names = new PhaseNames(evidence);
        List<Phase> phases = new ArrayList<>();
        int first = Math.min(1, count - 1); // the first step of all may hold the set-up
        for (int step = first + 1; step <= count; step++) {
            if (step == count || profile.pattern(step) != profile.pattern(first)) {
                phases.add(new Phase(names.of(first), phases.isEmpty() ? 0 : first, step - 1));
                first = step;
            }
            if (phases.size() > MOST_PHASES) {
                return List.of();
            }
        }
        return phases;
    }
}
