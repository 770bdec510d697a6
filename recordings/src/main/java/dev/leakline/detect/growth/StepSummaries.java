package dev.leakline.detect.growth;

import com.carrotsearch.hppc.IntIntHashMap;
import com.carrotsearch.hppc.cursors.IntIntCursor;
import dev.leakline.evidence.Evidence;
import dev.leakline.floor.StepProfile;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.result.StepSummary;
import dev.leakline.result.StepSummary.Phase;
import dev.leakline.steps.Steps;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Summarises the steps of a recording: how many there are, where warm-up ends, and where their pattern changes. */
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

    /** Names for patterns of steps: what a step does that the usual one does not, or the other way round. */
    private static final class PhaseNames {
        private final Evidence evidence;
        private final Map<Long, String> names = new HashMap<>();
        private final int usual;

        PhaseNames(Evidence evidence) {
            this.evidence = evidence;
            this.usual = evidence.profile().usual();
        }

        /** The name of a step's pattern. */
        String of(int step) {
            return names.computeIfAbsent(evidence.profile().pattern(step), _ -> name(step));
        }

        private String name(int step) {
            if (evidence.profile().pattern(step) == evidence.profile().pattern(usual)) {
                return "pattern A";
            }
            IntIntHashMap own = lines(step);
            IntIntHashMap others = lines(usual);
            int more = busiestOnlyIn(own, others);
            return more >= 0 ? "A + " + line(more) : "A without " + line(busiestOnlyIn(others, own));
        }

        /** The lines that a step allocates at, and how often. */
        private IntIntHashMap lines(int step) {
            Lifetimes lifetimes = evidence.lifetimes();
            IntIntHashMap lines = new IntIntHashMap();
            for (int event = evidence.steps().start(step);
                    event < evidence.steps().start(step + 1);
                    event++) {
                int allocation = lifetimes.allocation(event);
                if (allocation != Lifetimes.NONE && lifetimes.born(allocation) == event) {
                    lines.addTo(evidence.groups().calls().end(lifetimes.stack(allocation)), 1);
                }
            }
            return lines;
        }

        private static int busiestOnlyIn(IntIntHashMap lines, IntIntHashMap others) {
            int busiest = -1;
            for (IntIntCursor line : lines) {
                boolean isMore = busiest < 0
                        || line.value > lines.get(busiest)
                        || (line.value == lines.get(busiest) && line.key < busiest);
                if (line.key >= 0 && !others.containsKey(line.key) && isMore) {
                    busiest = line.key;
                }
            }
            return busiest;
        }

        private String line(int node) {
            if (node < 0) {
                return "something that has no line";
            }
            return evidence.groups().calls().path(node).getLast().inWords();
        }
    }
}
