package dev.leakline.levers;

import com.carrotsearch.hppc.cursors.IntCursor;
import dev.leakline.known.StepPhase;
import dev.leakline.result.Lever;
import dev.leakline.result.Lever.Kind;
import dev.leakline.result.Peak.Category;
import dev.leakline.result.Peak.Use;
import dev.leakline.result.Site;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What an optimizer keeps, and what one that takes all parameters at once makes and frees within its step. */
final class OptimizerMemory {
    /** Blocks of the largest parameter's size that an optimizer needs at once where it takes one parameter at a time. */
    private static final int AT_ONCE = 2;
    /** The most: a square root, a quotient, an update and its scaled copy. */
    private static final int MOST_AT_ONCE = 4;

    private OptimizerMemory() {}

    /** Without temporaries, or with few. */
    static List<@Nullable Lever> withoutTemporaries(PeakScene scene) {
        Claim fused = new Claim(scene);
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
                fused.lever(
                        Kind.FUSED_OPTIMIZER,
                        site,
                        "make the optimizer with fused=True, where it has that: its step needs no temporaries",
                        ""),
                Lever.of(
                        Kind.FOREACH_FALSE,
                        site,
                        fused.likely.peak() + left,
                        fused.likely.saved() - MOST_AT_ONCE * largest,
                        fused.likely.saved() - left,
                        fused.likely.saved() - largest,
                        "make the optimizer with foreach=False: its step takes one parameter at a time, and longer",
                        "a step is taken to need " + AT_ONCE
                                + " blocks of the largest parameter's size; it may be 1 to " + MOST_AT_ONCE));
    }

    private static boolean isTemporary(PeakScene scene, int allocation) {
        return scene.isBornIn(allocation, StepPhase.OPTIMIZER)
                && scene.lifetimes.freed(allocation) < scene.runs.stepEnd(scene.lifetimes.born(allocation));
    }

    /**
     * An optimizer that keeps less, where nothing at the peak is larger. Which other optimizer would train as well no recording shows, so what it would save is only bounded: without
     * state and temporaries.
     *
     * @param uses those at the peak, largest first
     */
    static @Nullable Lever lessState(PeakScene scene, List<Use> uses) {
        if (uses.isEmpty() || uses.getFirst().category() != Category.OPTIMIZER_STATE) {
            return null;
        }
        Claim claim = new Claim(scene);
        long older = uses.getFirst().bytes();
        long largest = 0;
        Site site = null;
        for (IntCursor each : scene.allocations) {
            if (scene.isBornIn(each.value, StepPhase.OPTIMIZER)) {
                long size = scene.size(each.value);
                claim.most.take(scene.lifetimes.born(each.value), scene.lifetimes.died(each.value), size);
                older -= scene.isLiveAtPeak(each.value) && scene.outlivesSteps(each.value) ? size : 0;
                site = size > largest ? scene.site(each.value) : site;
                largest = Math.max(largest, size);
            }
        }
        claim.most.take(scene.from, scene.to, Math.max(older, 0));
        return claim.lever(
                Kind.LESS_OPTIMIZER_STATE,
                site,
                "an optimizer with its state in 8 bits, such as bitsandbytes has for some, keeps a quarter of it, SGD without momentum none; whether"
                        + " that trains as well no recording shows",
                "from nothing to all that the optimizer keeps and makes");
    }
}
