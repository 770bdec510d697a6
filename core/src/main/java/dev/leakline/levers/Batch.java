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
            if (scene.scalesWithBatch(each.value)) {
                edit.take(scene.lifetimes.born(each.value), scene.lifetimes.died(each.value), (long)
                        ((1 - factor) * scene.size(each.value)));
            }
        }
        return edit;
    }

    /** Half the batch. */
    static Lever half(PeakScene scene) {
        Claim claim = new Claim(scene);
        for (IntCursor each : scene.allocations) {
            boolean scales = scene.scalesWithBatch(each.value);
            boolean surelyScales = scales && scene.isForBackward(each.value) && !scene.mayBeCopyOfWeight(each.value);
            boolean mayScale =
                    scales || (scene.isBornIn(each.value, StepPhase.BACKWARD) && !scene.isGradient(each.value));
            long half = scene.size(each.value) / 2;
            claim.take(
                    scene.lifetimes.born(each.value),
                    scene.lifetimes.died(each.value),
                    surelyScales ? half : 0,
                    scales ? half : 0,
                    mayScale ? half : 0);
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

    /** The other steps' input in the place of one that is longer, and makes one step need far more than all others. */
    static @Nullable Lever longest(PeakScene scene) {
        int highest = scene.runs.step(scene.evidence.course().peak().event());
        IntArrayList ends = scene.runs.stepEnds();
        if (ends.size() < FEWEST) {
            return null;
        }
        LongArrayList others = new LongArrayList();
        for (int step = 0; step <= ends.size(); step++) {
            if (step - 1 != highest) {
                int begin = step == 0 ? scene.from : ends.get(step - 1);
                others.add(scene.timeline.highest(begin, step < ends.size() ? ends.get(step) : scene.to));
            }
        }
        long[] sorted = others.toArray();
        Arrays.sort(sorted);
        long usual = sorted[sorted.length - 1];
        long saved = scene.timeline.peak() - usual;
        return Lever.of(
                Kind.SHORTER_INPUT,
                null,
                usual,
                saved,
                saved,
                scene.timeline.peak() - sorted[sorted.length / 2],
                "the step of the peak needs more than each of the other " + ends.size()
                        + ": bound the length of its input, or sort inputs by length",
                "down to the next highest step, or to the middle one");
    }
}
