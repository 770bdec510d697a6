package dev.leakline.levers;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.cursors.IntCursor;
import dev.leakline.known.StepPhase;
import dev.leakline.levers.Timeline.Edit;
import dev.leakline.result.Lever;
import dev.leakline.result.Lever.Kind;
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
        Edit edit = scene.timeline.edit();
        for (IntCursor each : scene.allocations) {
            if (scene.scalesWithBatch(each.value)) {
                edit.take(
                        scene.lifetimes.born(each.value), scene.lifetimes.died(each.value), scene.size(each.value) / 2);
            }
        }
        return new Lever(
                Kind.SMALLER_BATCH,
                null,
                edit.saved(),
                edit.peak(),
                scene.runs.has(StepPhase.BACKWARD)
                        ? "half the batch; gradients may be accumulated over two of them, which is the same for most losses, but not"
                                + " where examples of a batch are compared or normalized together"
                        : "half the batch");
    }

    /** The other steps' input in the place of one that is longer, and makes one step need far more than all others. */
    static @Nullable Lever longest(PeakScene scene) {
        IntArrayList ends = scene.runs.stepEnds();
        int highest = scene.runs.step(scene.evidence.course().peak().event());
        long usual = 0;
        for (int step = 0; step <= ends.size(); step++) {
            if (step - 1 != highest) {
                int begin = step == 0 ? scene.from : ends.get(step - 1);
                usual = Math.max(usual, scene.timeline.highest(begin, step < ends.size() ? ends.get(step) : scene.to));
            }
        }
        return ends.size() < FEWEST
                ? null
                : new Lever(
                        Kind.SHORTER_INPUT,
                        null,
                        scene.timeline.peak() - usual,
                        usual,
                        "the step of the peak needs more than each of the other " + ends.size()
                                + ": bound the length of its input, or sort inputs by length");
    }
}
