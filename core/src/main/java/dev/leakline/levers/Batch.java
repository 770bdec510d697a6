package dev.leakline.levers;

import com.carrotsearch.hppc.cursors.IntCursor;
import dev.leakline.levers.Timeline.Edit;
import dev.leakline.result.Lever;
import dev.leakline.result.Lever.Kind;

/** A batch of another size: what forward and backward passes make grows and shrinks with it. */
final class Batch {
    private Batch() {}

    /** Half the batch. */
    static Lever half(Scene scene) {
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
                "half the batch; gradient accumulation over two of them trains the same");
    }
}
