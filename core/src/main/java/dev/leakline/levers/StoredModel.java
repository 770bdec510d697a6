package dev.leakline.levers;

import com.carrotsearch.hppc.cursors.IntCursor;
import dev.leakline.known.StepPhase;
import dev.leakline.levers.Timeline.Edit;
import dev.leakline.result.Lever;
import dev.leakline.result.Lever.Kind;
import dev.leakline.result.Site;
import org.jspecify.annotations.Nullable;

/** A stored model that was read to the device and is still there when the model computes. */
final class StoredModel {
    private StoredModel() {}

    static @Nullable Lever find(Scene scene) {
        Edit edit = scene.timeline.edit();
        Site site = null;
        for (IntCursor each : scene.allocations) {
            int allocation = each.value;
            if (scene.isBornIn(allocation, StepPhase.READING)) {
                int used = scene.runs.next(StepPhase.FORWARD, scene.lifetimes.born(allocation));
                edit.take(used, scene.lifetimes.died(allocation), scene.size(allocation));
                site = scene.site(allocation);
            }
        }
        return site == null
                ? null
                : new Lever(
                        Kind.FREE_STATE_DICT,
                        site,
                        edit.saved(),
                        edit.peak(),
                        "read it with map_location=\"cpu\", or del it once it is in the model");
    }
}
