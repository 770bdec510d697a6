package dev.leakline.levers;

import com.carrotsearch.hppc.cursors.IntCursor;
import dev.leakline.known.StepPhase;
import dev.leakline.lifetime.Lifetimes;
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
        UnfinishedStep step = UnfinishedStep.of(scene);
        long peak = scene.timeline.peak();
        long left = AT_ONCE * largest;
        long without = fused.likely.peak();
        long few = Math.max(without + left, step.nextPasses());
        return List.of(
                Lever.of(
                        Kind.FUSED_OPTIMIZER,
                        site,
                        Math.max(without, step.nextPasses()),
                        peak - Math.max(without, step.nextPasses()),
                        peak - Math.max(without, step.nextPasses()),
                        Math.max(fused.likely.saved(), step.gradients()),
                        "make the optimizer with fused=True, where it has that: its step needs no temporaries",
                        step.width()),
                Lever.of(
                        Kind.FOREACH_FALSE,
                        site,
                        few,
                        Math.min(peak - few, fused.likely.saved() - MOST_AT_ONCE * largest),
                        peak - few,
                        Math.max(fused.likely.saved(), step.gradients()) - largest,
                        "make the optimizer with foreach=False: its step takes one parameter at a time, and longer",
                        "a step is taken to need " + AT_ONCE
                                + " blocks of the largest parameter's size; it may be 1 to " + MOST_AT_ONCE
                                + (step.width().isEmpty() ? "" : "; " + step.width())));
    }

    /**
     * The optimizer's step at which a recording ends with a failed request.
     *
     * @param nextPasses what the passes of a next step would need at most, over the state that the optimizer makes in this one; 0 where the recording does not end so
     * @param gradients bytes of all gradients, as many as an optimizer that takes them all at once makes temporaries for; 0 the same
     */
    private record UnfinishedStep(long nextPasses, long gradients) {
        private static UnfinishedStep of(PeakScene scene) {
            int ending = scene.runs.ending();
            if (ending == Lifetimes.NEVER || scene.runs.of(ending) != StepPhase.OPTIMIZER) {
                return new UnfinishedStep(0, 0);
            }
            int begin = scene.runs.next(StepPhase.OPTIMIZER, lastBackward(scene, ending));
            long state = 0;
            long gradients = 0;
            for (IntCursor each : scene.allocations) {
                boolean isThere = scene.lifetimes.isLive(each.value, ending);
                boolean isState = scene.lifetimes.born(each.value) >= begin
                        && scene.isBornIn(each.value, StepPhase.OPTIMIZER)
                        && !isTemporary(scene, each.value);
                state += isThere && isState ? scene.size(each.value) : 0;
                gradients += isThere && scene.isGradient(each.value) ? scene.size(each.value) : 0;
            }
            return new UnfinishedStep(scene.timeline.highest(scene.from, begin) + state, gradients);
        }

        /** The last event of a backward pass before another. */
        private static int lastBackward(PeakScene scene, int ending) {
            int event = ending;
            while (event > scene.from && scene.runs.of(event) != StepPhase.BACKWARD) {
                event--;
            }
            return event;
        }

        private String width() {
            return gradients == 0
                    ? ""
                    : "the recording ends within a step: the passes of the next come on top of the state that it makes, and all"
                            + " its temporaries together may be as large as the gradients";
        }
    }

    private static boolean isTemporary(PeakScene scene, int allocation) {
        return scene.isBornIn(allocation, StepPhase.OPTIMIZER)
                && scene.runs.isOfOptimizersStep(scene.lifetimes.born(allocation), scene.lifetimes.freed(allocation));
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
