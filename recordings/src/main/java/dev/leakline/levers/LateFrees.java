package dev.leakline.levers;

import com.carrotsearch.hppc.IntHashSet;
import com.carrotsearch.hppc.cursors.IntCursor;
import dev.leakline.known.BlasWorkspace;
import dev.leakline.known.StepPhase;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.peak.ElementwiseResult;
import dev.leakline.result.Lever;
import dev.leakline.result.Lever.Kind;
import dev.leakline.result.Site;
import org.jspecify.annotations.Nullable;

/**
 * Tensors that a variable of the program holds longer than they may be used: old logits, old losses with all that they hold, until their variable is set
 * again in the next step; an output in the backward pass; a copy that the input of a model was computed from. They could go where their step ends;
 * at most, as no recording shows who reads them, as soon as the model has computed.
 */
final class LateFrees {
    private final PeakScene scene;
    private final Claim claim;
    private long largest;
    private @Nullable Site site;

    private LateFrees(PeakScene scene) {
        this.scene = scene;
        this.claim = new Claim(scene);
    }

    static @Nullable Lever find(PeakScene scene) {
        return new LateFrees(scene).find();
    }

    private @Nullable Lever find() {
        IntHashSet held = new IntHashSet();
        for (IntCursor each : scene.allocations) {
            boolean isLast = scene.lifetimes.freed(each.value) == Lifetimes.NEVER
                    && held.contains(scene.lifetimes.stack(each.value));
            if (isHeldByProgram(each.value)) {
                held.add(scene.lifetimes.stack(each.value));
                look(each.value, steps(each.value));
            } else if (isLast) {
                look(each.value, 0);
            }
        }
        return site == null
                ? null
                : claim.lever(
                        Kind.DEL_TENSOR,
                        site,
                        "del what is made there after its last use: the program holds it until it sets its variable again, or its function ends",
                        "a recording does not show which line reads it last; what the backward pass needs does not go by that");
    }

    /** Takes a block that lives so many steps beyond its own; the last of a recording, whose end is not seen, is taken to be like those before. */
    private void look(int allocation, int steps) {
        int died = scene.lifetimes.died(allocation);
        int end = steps == 1 ? end(allocation) : died;
        int soonest = Math.min(end, soonest(allocation));
        if (soonest < died) {
            claim.likely.take(end, died, scene.size(allocation));
            claim.most.take(soonest, died, scene.size(allocation));
            site = scene.isLiveAtPeak(allocation) && scene.size(allocation) > largest ? scene.caller(allocation) : site;
            largest = scene.isLiveAtPeak(allocation) ? Math.max(largest, scene.size(allocation)) : largest;
        }
    }

    /** Whether a step's own code made it, and a line of the program freed it. Graphs that nobody needs are another change's, where steps train. */
    private boolean isHeldByProgram(int allocation) {
        boolean isOfStep =
                scene.isBornIn(allocation, StepPhase.FORWARD) || scene.isBornIn(allocation, StepPhase.OUTSIDE);
        return isOfStep
                && !(scene.isDropped(allocation) && scene.runs.has(StepPhase.BACKWARD))
                && !BlasWorkspace.is(scene.size(allocation))
                && scene.isFreedBy(allocation, StepPhase.OUTSIDE)
                && steps(allocation) <= 1
                && scene.runs.firstForward() < scene.lifetimes.born(allocation);
    }

    /** The steps after its own that it lives on: what is kept for more than one is kept for a reason. */
    private int steps(int allocation) {
        return scene.runs.step(scene.lifetimes.freed(allocation)) - scene.runs.step(scene.lifetimes.born(allocation));
    }

    /** Where its step ends; without an optimizer, where the next forward pass begins. */
    private int end(int allocation) {
        int born = scene.lifetimes.born(allocation);
        return scene.runs.stepEnds().isEmpty()
                ? scene.runs.next(StepPhase.FORWARD, scene.runs.next(StepPhase.OUTSIDE, born))
                : scene.runs.stepEnd(born);
    }

    /** From when on it may be needed no more: an output from the backward pass on, what an input was computed from when the model computes. */
    private int soonest(int allocation) {
        int born = scene.lifetimes.born(allocation);
        if (scene.isBornIn(allocation, StepPhase.FORWARD)) {
            return scene.runs.next(scene.runs.has(StepPhase.BACKWARD) ? StepPhase.BACKWARD : StepPhase.OUTSIDE, born);
        }
        return ElementwiseResult.is(scene.lifetimes, allocation)
                ? scene.runs.next(StepPhase.FORWARD, born)
                : Lifetimes.NEVER;
    }
}
