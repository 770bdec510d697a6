package dev.leakline.levers;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.cursors.IntCursor;
import dev.leakline.known.StepPhase;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.result.Lever;
import dev.leakline.result.Lever.Kind;
import dev.leakline.result.Peak.Category;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Levers on what an optimizer keeps, and on what one that takes all parameters at once makes and frees within its step. */
final class OptimizerLevers {
    /** Blocks of the largest parameter's size that an optimizer needs at once where it takes one parameter at a time. */
    private static final int AT_ONCE = 2;
    /** The most: a square root, a quotient, an update and its scaled copy. */
    private static final int MOST_AT_ONCE = 4;
    /** Steps that must be kept at once: a step before, its average and its change are no history. */
    private static final int FEWEST = 4;

    private final PeakScene scene;
    private final Claim temporaries;
    /** The most that a next step's passes would need, with the optimizer state of the step that the recording ends in; 0 where it does not end so. */
    private long nextPasses;
    /** Bytes of all gradients then, as many as an optimizer that takes them all at once makes temporaries for. */
    private long gradients;

    OptimizerLevers(PeakScene scene) {
        this.scene = scene;
        this.temporaries = new Claim(scene);
        for (IntCursor each : scene.bornIn(StepPhase.OPTIMIZER)) {
            if (isTemporary(each.value)) {
                temporaries.remove(each.value);
            }
        }
        int ending = scene.cut.failure();
        if (ending != Lifetimes.NEVER && scene.runs.of(ending) == StepPhase.OPTIMIZER) {
            lookAtUnfinishedStep(ending);
        }
    }

    private void lookAtUnfinishedStep(int ending) {
        int backward = ending;
        while (backward > scene.from && scene.runs.of(backward) != StepPhase.BACKWARD) {
            backward--;
        }
        int begin = scene.runs.next(StepPhase.OPTIMIZER, backward);
        long state = 0;
        for (IntCursor each : scene.allocations) {
            boolean isThere = scene.lifetimes.isLive(each.value, ending);
            boolean isState = scene.lifetimes.born(each.value) >= begin
                    && scene.isBornIn(each.value, StepPhase.OPTIMIZER)
                    && !isTemporary(each.value);
            state += isThere && isState ? scene.size(each.value) : 0;
            gradients += isThere && scene.isGradient(each.value) ? scene.size(each.value) : 0;
        }
        nextPasses = scene.timeline.highest(scene.from, begin) + state;
    }

    private boolean isTemporary(int allocation) {
        return scene.window.isOfOptimizersStep(scene.lifetimes.born(allocation), scene.lifetimes.freed(allocation));
    }

    private String width() {
        return gradients == 0
                ? ""
                : "the recording ends within a step: the passes of the next come on top of the state that it makes, and all"
                        + " its temporaries together may be as large as the gradients";
    }

    /** Without temporaries. */
    Lever fused() {
        long left = Math.max(temporaries.likely.peak(), nextPasses);
        long saved = scene.timeline.peak() - left;
        return Lever.of(
                Kind.FUSED_OPTIMIZER,
                temporaries.site(),
                left,
                saved,
                saved,
                Math.max(temporaries.likely.saved(), gradients),
                "make the optimizer with fused=True, where it has that: its step needs no temporaries",
                width());
    }

    /** With few. */
    Lever oneByOne() {
        long largest = temporaries.largest();
        long all = temporaries.likely.saved();
        long left = Math.max(temporaries.likely.peak() + AT_ONCE * largest, nextPasses);
        long saved = scene.timeline.peak() - left;
        return Lever.of(
                Kind.FOREACH_FALSE,
                temporaries.site(),
                left,
                Math.min(saved, all - MOST_AT_ONCE * largest),
                saved,
                Math.max(all, gradients) - largest,
                "make the optimizer with foreach=False: its step takes one parameter at a time, and longer",
                "a step is taken to need " + AT_ONCE + " blocks of the largest parameter's size; it may be 1 to "
                        + MOST_AT_ONCE + (gradients == 0 ? "" : "; " + width()));
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

    /** A history of steps that an optimizer keeps, as those that estimate curvature do: one block a step of each kind, the oldest freed first. */
    @Nullable
    Lever shorterHistory() {
        Map<List<Long>, IntArrayList> kinds = new LinkedHashMap<>();
        for (IntCursor each : scene.bornIn(StepPhase.OPTIMIZER)) {
            List<Long> kind = List.of((long) scene.lifetimes.stack(each.value), scene.lifetimes.requested(each.value));
            kinds.computeIfAbsent(kind, _ -> new IntArrayList()).add(each.value);
        }
        Claim claim = new Claim(scene);
        long largest = 0;
        int steps = 0;
        int first = -1;
        for (IntArrayList blocks : kinds.values()) {
            int most = isHistory(blocks) ? mostAtOnce(blocks) : 0;
            if (most >= FEWEST) {
                halve(blocks, most, claim);
                first = most * scene.size(blocks.get(0)) > largest ? blocks.get(0) : first;
                largest = Math.max(largest, most * scene.size(blocks.get(0)));
                steps = Math.max(steps, most);
            }
        }
        return first < 0
                ? null
                : claim.lever(
                        Kind.SHORTER_HISTORY,
                        scene.site(first),
                        "keep half as many steps: the optimizer keeps what it makes there of " + steps
                                + " steps at once (history_size of torch.optim.LBFGS)",
                        "how many it keeps for a moment beside those of its history is not seen");
    }

    /** Returns whether gradients are computed anew between each block and the next, and the oldest goes first. */
    private boolean isHistory(IntArrayList blocks) {
        boolean isHistory = blocks.size() >= FEWEST;
        for (int i = 0; isHistory && i + 1 < blocks.size(); i++) {
            int next = blocks.get(i + 1);
            isHistory = scene.runs.next(StepPhase.BACKWARD, scene.lifetimes.born(blocks.get(i)))
                            < scene.lifetimes.born(next)
                    && scene.lifetimes.died(blocks.get(i)) <= scene.lifetimes.died(next);
        }
        return isHistory;
    }

    private int mostAtOnce(IntArrayList blocks) {
        int most = 0;
        int oldest = 0;
        for (int i = 0; i < blocks.size(); i++) {
            while (scene.lifetimes.died(blocks.get(oldest)) < scene.lifetimes.born(blocks.get(i))) {
                oldest++;
            }
            most = Math.max(most, i + 1 - oldest);
        }
        return most;
    }

    private void halve(IntArrayList blocks, int most, Claim claim) {
        for (int i = 0; i < blocks.size(); i++) {
            int half = born(blocks, i + most / 2);
            claim.free(blocks.get(i), born(blocks, i + most / 2 + 1), half, half);
        }
    }

    private int born(IntArrayList blocks, int index) {
        return index < blocks.size() ? scene.lifetimes.born(blocks.get(index)) : Lifetimes.NEVER;
    }
}
