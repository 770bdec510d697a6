package dev.leakline.levers;

import com.carrotsearch.hppc.cursors.IntCursor;
import dev.leakline.known.StepPhase;
import dev.leakline.levers.Timeline.Edit;
import dev.leakline.result.Lever;
import dev.leakline.result.Lever.Kind;
import dev.leakline.result.Site;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What an optimizer that takes all parameters at once makes and frees within its step. */
final class OptimizerTemporaries {
    /** Blocks of the largest parameter's size that an optimizer needs at once where it takes one parameter at a time. */
    private static final int AT_ONCE = 2;

    private OptimizerTemporaries() {}

    static List<@Nullable Lever> find(PeakScene scene) {
        Edit fused = scene.timeline.edit();
        long largest = 0;
        Site site = null;
        for (IntCursor each : scene.allocations) {
            if (isTemporary(scene, each.value)) {
                fused.take(scene.lifetimes.born(each.value), scene.lifetimes.died(each.value), scene.size(each.value));
                site = scene.size(each.value) > largest ? scene.site(each.value) : site;
                largest = Math.max(largest, scene.size(each.value));
            }
        }
        long left = AT_ONCE * largest;
        return List.of(
                new Lever(
                        Kind.FUSED_OPTIMIZER,
                        site,
                        fused.saved(),
                        fused.peak(),
                        "make the optimizer with fused=True, where it has that: its step needs no temporaries"),
                new Lever(
                        Kind.FOREACH_FALSE,
                        site,
                        fused.saved() - left,
                        fused.peak() + left,
                        "make the optimizer with foreach=False: its step takes one parameter at a time, and longer"));
    }

    private static boolean isTemporary(PeakScene scene, int allocation) {
        return scene.isBornIn(allocation, StepPhase.OPTIMIZER)
                && scene.lifetimes.freed(allocation) < scene.runs.stepEnd(scene.lifetimes.born(allocation));
    }
}
