package dev.leakline.steps;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.LongArrayList;
import dev.leakline.columns.AnnotationColumns;
import dev.leakline.columns.ProfilerFrames;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.lifetime.DeviceEvents;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.result.StepSummary.Kind;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Steps from the ranges that PyTorch and the program marked with {@code record_function}.
 *
 * <p>The profiler's own steps are the best; then the optimizer's, which torch marks by itself; then whatever the program marked most
 * often. A step ends where its range ends, and the next begins there, so that nothing lies between steps. Ranges that cover little
 * of the recording (a training run whose recording goes on with hours of serving) are not its steps.
 */
final class AnnotationSteps {
    private static final String PROFILER = "ProfilerStep";
    private static final String OPTIMIZER = "Optimizer.step";
    /** Ranges of torch's own that do not make a step of what lies between them. */
    private static final String[] NOT_STEPS = {
        "Optimizer.", "enumerate(", "autograd::", "## Call CompiledFxGraph", "Torch-Compiled", "nccl:", "gloo:"
    };

    private AnnotationSteps() {}

    /** The steps that marks tell, null where they tell none. */
    static @Nullable Steps find(SnapshotColumns columns, Lifetimes lifetimes) {
        Map<String, LongArrayList> ends = ends(columns, lifetimes.device());
        Steps best = null;
        for (Map.Entry<String, LongArrayList> range : ends.entrySet()) {
            Steps steps = steps(range.getKey(), range.getValue(), lifetimes);
            if (steps != null && (best == null || rank(steps) > rank(best))) {
                best = steps;
            }
        }
        return best;
    }

    /** When ranges ended, by name without the number that some have at the end. */
    private static Map<String, LongArrayList> ends(SnapshotColumns columns, int device) {
        AnnotationColumns marks = columns.annotations;
        boolean hasOwn = false;
        for (int mark = 0; mark < marks.size() && !hasOwn; mark++) {
            hasOwn = marks.device(mark) == device;
        }
        Map<Integer, String> names = new TreeMap<>();
        Map<String, LongArrayList> ends = new TreeMap<>();
        for (int mark = 0; mark < marks.size(); mark++) {
            if (!marks.isStart(mark) && (!hasOwn || marks.device(mark) == device)) {
                String name = names.computeIfAbsent(
                        marks.name(mark), id -> ProfilerFrames.unnumbered(columns.strings.get(id)));
                ends.computeIfAbsent(name, _ -> new LongArrayList()).add(marks.timeMicros(mark));
            }
        }
        return ends;
    }

    private static @Nullable Steps steps(String name, LongArrayList ends, Lifetimes lifetimes) {
        DeviceEvents events = lifetimes.events();
        boolean isStep = name.startsWith(OPTIMIZER) || Arrays.stream(NOT_STEPS).noneMatch(name::startsWith);
        if (!isStep || ends.size() < StepFinder.FEWEST || events.count() == 0) {
            return null;
        }
        IntArrayList starts = new IntArrayList();
        starts.add(0);
        long[] times = ends.toArray();
        Arrays.sort(times);
        for (long time : times) {
            int event = events.firstFrom(time + 1);
            if (event > starts.get(starts.size() - 1)) {
                starts.add(event);
            }
        }
        return StepFinder.isCovered(starts, lifetimes) ? new Steps(Kind.ANNOTATION, meaning(name), starts) : null;
    }

    private static String meaning(String name) {
        if (name.startsWith(PROFILER)) {
            return "one profiler step";
        }
        return name.startsWith(OPTIMIZER) ? "one optimizer step" : "one range '" + name + "'";
    }

    /** Returns whether steps are the optimizer's, which torch marks by itself. */
    static boolean areOfOptimizer(Steps steps) {
        return steps.meaning().startsWith("one optimizer");
    }

    private static int rank(Steps steps) {
        if (steps.meaning().startsWith("one step")) {
            return Integer.MAX_VALUE;
        }
        return areOfOptimizer(steps) ? Integer.MAX_VALUE - 1 : steps.count();
    }
}
