package dev.leakline.levers;

import com.carrotsearch.hppc.cursors.IntCursor;
import dev.leakline.known.HalfPrecision;
import dev.leakline.known.StepPhase;
import dev.leakline.site.FramePredicate;

/**
 * The bytes of each number of a model's weights, from sizes alone. A norm of each row makes a result and one or two blocks of four bytes a row, so its rows are known; a product
 * with weights that is made of the result has as many. Of N rows, a input of N·I numbers and an output of N·O, the weights have I·O numbers: only with the right bytes of a number
 * are they as large as a block that stays.
 */
final class WeightPrecision {
    private static final int FULL = 4;
    private static final int HALF = 2;
    /** Bytes of a row's mean, or of its scale, in either precision. */
    private static final int OF_ROW = 4;
    /** Products that agree before they are believed. */
    private static final int FEWEST = 2;

    private final PeakScene scene;
    private final FramePredicate normalizes;
    private final FramePredicate multiplies;
    private int full;
    private int half;

    WeightPrecision(PeakScene scene) {
        this.scene = scene;
        this.normalizes = scene.stacks.predicate(HalfPrecision::isRowNorm);
        this.multiplies = scene.stacks.predicate(HalfPrecision::isWithWeights);
        long result = 0;
        long rows = 0;
        for (IntCursor each : scene.bornIn(StepPhase.FORWARD)) {
            long size = scene.lifetimes.requested(each.value);
            int stack = scene.lifetimes.stack(each.value);
            if (normalizes.isIn(stack)) {
                rows = size < result ? size / OF_ROW : 0;
                result = size < result ? result : size;
            } else {
                boolean isProduct = rows > 0 && multiplies.isTrueOf(Math.max(scene.stacks.innermost(stack), 0));
                if (isProduct && 2 * size == result) {
                    result = size;
                    continue;
                }
                if (isProduct) {
                    vote((double) result * size / ((double) rows * rows));
                }
                rows = 0;
                result = 0;
            }
        }
    }

    /** Takes a product whose input and output have so many bytes, each by its rows: their product has those of the weights, and of one number more. */
    private void vote(double bytes) {
        boolean mayBeFull = scene.window.hasSizeOfState((long) (bytes / FULL));
        boolean mayBeHalf = scene.window.hasSizeOfState((long) (bytes / HALF));
        full += mayBeFull && !mayBeHalf ? 1 : 0;
        half += mayBeHalf && !mayBeFull ? 1 : 0;
    }

    /** Returns whether weights are in full precision. */
    boolean isFull() {
        return full >= FEWEST && full > half;
    }

    /** Returns whether weights are in half precision. */
    boolean isHalf() {
        return half >= FEWEST && half > full;
    }
}
