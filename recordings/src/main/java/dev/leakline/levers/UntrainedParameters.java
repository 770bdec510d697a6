package dev.leakline.levers;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.IntHashSet;
import com.carrotsearch.hppc.cursors.IntCursor;
import dev.leakline.hash.SeededLongIntMap;
import dev.leakline.hash.SeededLongSet;
import dev.leakline.known.StepPhase;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.result.Lever;
import dev.leakline.result.Lever.Kind;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Parameters that have gradients although no optimizer uses them: an optimizer keeps something for parameters of other sizes only, or for fewer of their size.
 *
 * <p>Without these gradients a backward pass ends with the last one that is used: what it makes after that is not made, and what the forward pass keeps for
 * that goes when the next blocks are there.
 */
final class UntrainedParameters {
    /** Scalars are in blocks that large, whatever they are for. */
    private static final long SMALLEST = 512;

    private static final double[] PRECISIONS = {1, 2, 0.5, 0.25};

    private final PeakScene scene;
    private final BackwardPasses passes;
    private final IntHashSet untrained = new IntHashSet();
    private final SeededLongSet trainedSizes = new SeededLongSet();
    private final SeededLongSet untrainedSizes = new SeededLongSet();
    /** The most blocks of one stack that optimizers keep, by size. */
    private final SeededLongIntMap optimized = new SeededLongIntMap();

    private final SeededLongSet passing = new SeededLongSet();
    private final Claim claim;

    private UntrainedParameters(PeakScene scene) {
        this.scene = scene;
        this.passes = scene.passes;
        this.claim = new Claim(scene);
    }

    static @Nullable Lever find(PeakScene scene) {
        return scene.runs.has(StepPhase.OPTIMIZER) ? new UntrainedParameters(scene).find() : null;
    }

    private @Nullable Lever find() {
        tellBySizes();
        if (untrained.isEmpty() || trainedSizes.isEmpty()) {
            return null;
        }
        passes.forEach(this::cut);
        return claim.lever(
                Kind.NO_GRAD,
                claim.site(),
                "call what is not trained under torch.no_grad(), or requires_grad_(False) on its parameters: they have gradients that"
                        + " no optimizer seems to use",
                "which parameters an optimizer uses is told by the sizes and lives of blocks; a pass without a graph is taken to hold "
                        + PeakScene.AT_ONCE + " blocks at once, it may be 1 to "
                        + PeakScene.MOST_AT_ONCE);
    }

    private boolean isGradient(int allocation) {
        return scene.isGradient(allocation) && scene.hasSizeOfState(allocation);
    }

    private void tell(int gradient, boolean isUntrained) {
        long size = scene.lifetimes.requested(gradient);
        if (isUntrained) {
            untrained.add(gradient);
            untrainedSizes.add(size);
        } else if (size > SMALLEST) {
            trainedSizes.add(size);
        }
    }

    /** Judges by sizes: each pass's first gradients of a size are used, as many as the parameters for which an optimizer keeps something. */
    private void tellBySizes() {
        countOptimizer();
        passes.forEach((begin, end) -> {
            SeededLongIntMap seen = new SeededLongIntMap();
            passes.forEachMade(begin, end, made -> {
                if (isGradient(made)) {
                    long size = scene.lifetimes.requested(made);
                    tell(made, seen.addTo(size, 1) > parameters(size));
                }
            });
        });
    }

    /** Counts what optimizers make: those blocks of one stack that stay are of a parameter each. */
    private void countOptimizer() {
        Map<Integer, SeededLongIntMap> kept = new HashMap<>();
        for (IntCursor each : scene.bornIn(StepPhase.OPTIMIZER)) {
            long size = scene.lifetimes.requested(each.value);
            if (scene.outlivesSteps(each.value)) {
                int count = kept.computeIfAbsent(scene.lifetimes.stack(each.value), _ -> new SeededLongIntMap())
                        .addTo(size, 1);
                optimized.put(size, Math.max(count, optimized.getOrDefault(size, 0)));
            } else {
                passing.add(size);
            }
        }
    }

    /** The most parameters of a size that optimizers can have used, in whatever precision they keep something. */
    private int parameters(long size) {
        int parameters = 0;
        for (double precision : PRECISIONS) {
            long made = (long) (precision * size);
            int stay = optimized.getOrDefault(made, 0);
            parameters = Math.max(parameters, stay == 0 && passing.contains(made) ? Integer.MAX_VALUE : stay);
        }
        return parameters;
    }

    /** Ends a pass after the last gradient that is used. */
    private void cut(int begin, int end) {
        int last = lastTrained(begin, end);
        passes.forEachMade(begin, end, made -> {
            boolean isAfter = last != Lifetimes.BEFORE && scene.lifetimes.born(made) > last;
            if (untrained.contains(made) || (isAfter && scene.lifetimes.freed(made) < end)) {
                claim.takeOf(made, scene.size(made), scene.size(made), scene.size(made));
            }
        });
        if (last != Lifetimes.BEFORE) {
            releaseEarly(last, end);
        }
    }

    private int lastTrained(int begin, int end) {
        int[] last = {Lifetimes.BEFORE};
        passes.forEachMade(begin, end, made -> {
            boolean isTrained = isGradient(made) ? !untrained.contains(made) : isAddition(made);
            last[0] = isTrained ? scene.lifetimes.born(made) : last[0];
        });
        return last[0];
    }

    /** Returns whether it may be what is added to a gradient that is used. */
    private boolean isAddition(int made) {
        long size = scene.lifetimes.requested(made);
        return scene.hasSizeOfState(made) && trainedSizes.contains(size) && !untrainedSizes.contains(size);
    }

    private void releaseEarly(int last, int end) {
        IntArrayList kept = new IntArrayList();
        passes.forEachReleased(last + 1, end, kept::add);
        int[] byBirth = kept.toArray();
        Arrays.sort(byBirth);
        IntArrayList sorted = IntArrayList.from(byBirth);
        claim.shorten(sorted);
        for (IntCursor each : sorted) {
            claim.isAt(each.value, scene.site(each.value));
        }
    }
}
