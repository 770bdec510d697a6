package dev.leakline.levers;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.LongArrayList;
import com.carrotsearch.hppc.cursors.IntCursor;
import dev.leakline.known.StepPhase;
import dev.leakline.levers.Timeline.Edit;
import dev.leakline.result.Lever;
import dev.leakline.result.Lever.Kind;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A batch of another size, or of shorter inputs: what forward and backward passes make grows and shrinks with it. */
final class Batch {
    /** Steps that must be seen beside the highest to say what is usual. */
    private static final int FEWEST = 4;

    private Batch() {}

    /** A batch of another size, by the recorded one. */
    static Edit times(PeakScene scene, double factor) {
        Edit edit = scene.timeline.edit();
        for (IntCursor each : scene.allocations) {
            edit.takeOf(each.value, (long) ((1 - scene.times(each.value, factor)) * scene.size(each.value)));
        }
        return edit;
    }

    /** Half the batch. */
    static Lever half(PeakScene scene) {
        Claim claim = new Claim(scene);
        for (IntCursor each : scene.all) {
            boolean scales = !scene.breakdown.isLeaked(each.value) && scene.scalesWithBatch(each.value);
            boolean surelyScales = scales && scene.isForBackward(each.value) && !scene.mayBeMadeOfWeight(each.value);
            boolean mayScale = scales || scene.mayScaleWithBatch(each.value);
            long half = scene.size(each.value) / 2;
            claim.takeOf(each.value, surelyScales ? half : 0, scales ? half : 0, mayScale ? half : 0);
        }
        return claim.lever(
                Kind.SMALLER_BATCH,
                null,
                scene.runs.has(StepPhase.BACKWARD)
                        ? "half the batch; gradients may be accumulated over two of them, which is the same for most losses, but not"
                                + " where examples of a batch are compared or normalized together"
                        : "half the batch",
                "temporaries of a pass may not depend on the batch, and blocks as large as a parameter may");
    }

    /**
     * The other steps' input in the place of one that is longer: the passes of one step make more than those of all others. What else
     * grows from step to step, such as an optimizer's history, is no input's.
     */
    static @Nullable Lever longest(PeakScene scene) {
        int highest = scene.steps.of(scene.evidence.course().peak().event());
        IntArrayList ends = scene.steps.ends();
        if (ends.size() < FEWEST) {
            return null;
        }
        Edit passes = passes(scene);
        LongArrayList peaks = new LongArrayList();
        LongArrayList others = new LongArrayList();
        long own = 0;
        for (int step = 0; step <= ends.size(); step++) {
            int begin = step == 0 ? scene.from : ends.get(step - 1);
            int end = step < ends.size() ? ends.get(step) : scene.to;
            if (step - 1 == highest) {
                own = passes.mostTaken(begin, end);
            } else {
                peaks.add(scene.timeline.highest(begin, end));
                others.add(passes.mostTaken(begin, end));
            }
        }
        long[] usual = sorted(peaks);
        long[] usualPasses = sorted(others);
        int last = usual.length - 1;
        long saved = Math.min(scene.timeline.peak() - usual[last], own - usualPasses[last]);
        return Lever.of(
                Kind.SHORTER_INPUT,
                null,
                scene.timeline.peak() - saved,
                saved,
                saved,
                Math.min(scene.timeline.peak() - usual[last / 2], own - usualPasses[last / 2]),
                "the forward and backward pass of the peak's step need more than those of each of the other "
                        + ends.size() + ": bound the length of its input, or sort inputs by length",
                "down to the next highest step, or to the middle one");
    }

    /** Without what passes make and free. */
    private static Edit passes(PeakScene scene) {
        Edit edit = scene.timeline.edit();
        for (IntCursor each : scene.allocations) {
            boolean isOfPass =
                    scene.isBornIn(each.value, StepPhase.FORWARD) || scene.isBornIn(each.value, StepPhase.BACKWARD);
            if (isOfPass && scene.scalesWithBatch(each.value)) {
                edit.takeOf(each.value, scene.size(each.value));
            }
        }
        return edit;
    }

    private static long[] sorted(LongArrayList values) {
        long[] sorted = values.toArray();
        Arrays.sort(sorted);
        return sorted;
    }
}
