package dev.leakline.levers;

import com.carrotsearch.hppc.cursors.IntCursor;
import dev.leakline.known.StepPhase;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.result.Lever;
import dev.leakline.result.Lever.Kind;
import dev.leakline.result.Peak.Category;
import org.jspecify.annotations.Nullable;

/** Levers on what an optimizer keeps, and on what one that takes all parameters at once makes and frees within its step. */
final class OptimizerLevers {
    /** Blocks of the largest parameter's size that an optimizer needs at once where it takes one parameter at a time. */
    private static final int AT_ONCE = 2;
    /** The most: a square root, a quotient, an update and its scaled copy. */
    private static final int MOST_AT_ONCE = 4;

    private final PeakScene scene;
    private final Claim temporaries;

    OptimizerLevers(PeakScene scene) {
        this.scene = scene;
        this.temporaries = new Claim(scene);
        for (IntCursor each : scene.bornIn(StepPhase.OPTIMIZER)) {
            boolean isTemporary = scene.window.isOfOptimizersStep(
                    scene.lifetimes.born(each.value), scene.lifetimes.freed(each.value));
            if (isTemporary && !endsInStep()) {
                temporaries.remove(each.value);
            }
        }
    }

    /** Returns whether a request failed within an optimizer's step: what its rest needs, and the passes after it, was not recorded. */
    private boolean endsInStep() {
        int failure = scene.cut.failure();
        return failure != Lifetimes.NEVER && scene.runs.of(failure) == StepPhase.OPTIMIZER;
    }

    /** Without temporaries. */
    @Nullable
    Lever fused() {
        return temporaries.lever(
                Kind.FUSED_OPTIMIZER,
                "make the optimizer with fused=True, where it has that: its step needs no temporaries",
                "");
    }

    /** With few. */
    @Nullable
    Lever oneByOne() {
        long largest = temporaries.largest();
        long all = temporaries.likely.saved();
        return largest == 0
                ? null
                : Lever.of(
                        Kind.FOREACH_FALSE,
                        temporaries.site(),
                        scene.timeline.peak() - all + AT_ONCE * largest,
                        all - MOST_AT_ONCE * largest,
                        all - AT_ONCE * largest,
                        all - largest,
                        "make the optimizer with foreach=False: its step takes one parameter at a time, and longer",
                        "a step is taken to need " + AT_ONCE
                                + " blocks of the largest parameter's size; it may be 1 to " + MOST_AT_ONCE);
    }

    /**
     * An optimizer that keeps less, where nothing at the peak is larger. Which other optimizer would train as well no recording shows, so what it would save is only bounded: without
     * state and temporaries.
     */
    @Nullable
    Lever lessState() {
        if (scene.largestUse() != Category.OPTIMIZER_STATE) {
            return null;
        }
        Claim claim = new Claim(scene);
        long older = scene.bytes(Category.OPTIMIZER_STATE);
        for (IntCursor each : scene.bornIn(StepPhase.OPTIMIZER)) {
            claim.takeOf(each.value, 0, 0, scene.size(each.value));
            claim.isAt(each.value, scene.site(each.value));
            older -= scene.isLiveAtPeak(each.value) && scene.outlivesSteps(each.value) ? scene.size(each.value) : 0;
        }
        claim.most.take(scene.from, scene.to, Math.max(older, 0));
        return claim.lever(
                Kind.LESS_OPTIMIZER_STATE,
                claim.site(),
                "an optimizer with its state in 8 bits, such as bitsandbytes has for some, keeps a quarter of it, SGD without momentum none; whether"
                        + " that trains as well no recording shows",
                "from nothing to all that the optimizer keeps and makes");
    }
}
