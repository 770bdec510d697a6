package dev.leakline.levers;

import com.carrotsearch.hppc.cursors.IntCursor;
import dev.leakline.known.BlasWorkspace;
import dev.leakline.known.StepPhase;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.result.Lever;
import dev.leakline.result.Lever.Kind;
import dev.leakline.result.Site;
import org.jspecify.annotations.Nullable;

/**
 * Tensors of one step that live into the next until their variable is set again: old logits, old losses with all that they hold. They could go where
 * their step ends.
 */
final class LateFrees {
    private LateFrees() {}

    static @Nullable Lever find(PeakScene scene) {
        Claim claim = new Claim(scene);
        long largest = 0;
        Site site = null;
        for (IntCursor each : scene.allocations) {
            int end = isLate(scene, each.value) ? end(scene, each.value) : Lifetimes.NEVER;
            if (end < scene.lifetimes.died(each.value)) {
                long size = scene.size(each.value);
                claim.take(end, scene.lifetimes.died(each.value), 0, size, size);
                site = size > largest ? scene.caller(each.value) : site;
                largest = Math.max(largest, size);
            }
        }
        return site == null
                ? null
                : claim.lever(
                        Kind.DEL_TENSOR,
                        site,
                        "del what is made there at the end of each step: it lives until the next step sets its variable again",
                        "a recording does not show whether the next step reads it; if so, nothing is saved");
    }

    /**
     * Whether a step's own code made it, and a line of the program freed it within the step after it: what is kept for longer is kept for a reason.
     * Graphs without a backward pass are another change's.
     */
    private static boolean isLate(PeakScene scene, int allocation) {
        boolean isOfStep =
                scene.isBornIn(allocation, StepPhase.FORWARD) || scene.isBornIn(allocation, StepPhase.OUTSIDE);
        if (!isOfStep
                || scene.isDropped(allocation)
                || BlasWorkspace.is(scene.size(allocation))
                || !scene.isFreedBy(allocation, StepPhase.OUTSIDE)) {
            return false;
        }
        int born = scene.lifetimes.born(allocation);
        return scene.runs.step(scene.lifetimes.freed(allocation)) == scene.runs.step(born) + 1
                && scene.runs.firstForward() < born;
    }

    /** Where its step ends; without an optimizer, where the next forward pass begins. */
    private static int end(PeakScene scene, int allocation) {
        int born = scene.lifetimes.born(allocation);
        return scene.runs.stepEnds().isEmpty()
                ? scene.runs.next(StepPhase.FORWARD, scene.runs.next(StepPhase.OUTSIDE, born))
                : scene.runs.stepEnd(born);
    }
}
