package dev.leakline.levers;

import com.carrotsearch.hppc.IntDoubleHashMap;
import com.carrotsearch.hppc.IntIntHashMap;
import com.carrotsearch.hppc.IntObjectHashMap;
import com.carrotsearch.hppc.cursors.IntCursor;
import dev.leakline.hash.SeededLongIntMap;
import dev.leakline.known.HalfPrecision;
import dev.leakline.known.LossFrames;
import dev.leakline.known.StepPhase;
import dev.leakline.site.FramePredicate;

/**
 * Which blocks of forward and backward passes would be in half precision under autocast.
 *
 * <p>A recording shows neither types nor what an operator is given. So blocks are followed in the order in which they were made: products give
 * half precision; norms, softmax and losses give full; what is computed element by element gives what was made just before it. What a
 * product is given is kept for the backward pass as a copy in half precision, whatever it was. What the engine makes is as all blocks of the pass are.
 */
final class Precisions {
    /** Blocks of a smaller part of the one before it are statistics, masks and such, on which nothing goes on. */
    private static final int SMALL_PART = 16;

    private final PeakScene scene;
    private final FramePredicate full;
    private final FramePredicate overClasses;
    /** By allocation, the share of its bytes' half that is saved. */
    private final IntDoubleHashMap halved = new IntDoubleHashMap();

    /** By stack; names are decoded for each once. */
    private final IntObjectHashMap<HalfPrecision> known = new IntObjectHashMap<>();

    /** By allocation whether it is in half precision (1) or in full (0), whatever else is not known. */
    private final IntIntHashMap surely = new IntIntHashMap();

    /** The last block of each size of a pass. */
    private final SeededLongIntMap lastOfSize = new SeededLongIntMap();

    private double halfBytes;
    private double bytes;

    Precisions(PeakScene scene) {
        this.scene = scene;
        this.full = scene.stacks.predicate((file, function) -> HalfPrecision.of(file, function) == HalfPrecision.FULL);
        this.overClasses = scene.stacks.predicate(LossFrames::isOverClasses);
        follow();
        for (IntCursor each : scene.allocations) {
            if (scene.isOfPass(each.value)) {
                leaveOpenForLoss(each.value);
                lastOfSize.put(scene.lifetimes.requested(each.value), each.value);
                boolean isSaved = scene.isForBackward(each.value);
                bytes += isSaved ? scene.size(each.value) : 0;
                halfBytes += isSaved ? halved.getOrDefault(each.value, 0) * scene.size(each.value) : 0;
            }
        }
    }

    private void follow() {
        int last = -1;
        boolean isFull = true;
        for (IntCursor each : scene.allocations) {
            if (!scene.isOfPass(each.value) || (last >= 0 && isPartOf(each.value, last))) {
                continue;
            }
            HalfPrecision made = precision(scene.lifetimes.stack(each.value));
            if (made == HalfPrecision.HALF && last >= 0) {
                put(last, true, !isFull);
            }
            isFull = made != HalfPrecision.HALF && (made == HalfPrecision.FULL || isFull);
            boolean isSure = made == HalfPrecision.FULL || made == HalfPrecision.HALF;
            put(each.value, !isFull, isSure || (made == HalfPrecision.FOLLOWING && !isFull));
            last = each.value;
        }
    }

    /**
     * Leaves open in which precision a loss is: the program may have made its input full itself, which a recording in full precision does not
     * show; else a loss that is left out of autocast computes in half precision.
     */
    private void leaveOpenForLoss(int allocation) {
        int last = lastOfSize.getOrDefault(scene.lifetimes.requested(allocation), -1);
        boolean isSurelyFull = surely.getOrDefault(last, 1) == 0;
        if (last >= 0 && !isSurelyFull && overClasses.isIn(scene.lifetimes.stack(allocation))) {
            surely.remove(last);
            if (scene.isBornIn(allocation, StepPhase.OUTSIDE)) {
                surely.remove(allocation);
            }
        }
    }

    private void put(int allocation, boolean isHalf, boolean isSure) {
        halved.put(allocation, isHalf ? 1 : 0);
        surely.remove(allocation);
        if (isSure) {
            surely.put(allocation, isHalf ? 1 : 0);
        }
    }

    private boolean isPartOf(int allocation, int last) {
        return scene.lifetimes.stack(allocation) == scene.lifetimes.stack(last)
                && scene.size(allocation) < scene.size(last) / SMALL_PART;
    }

    /** The precision by the functions that lead to an allocation, the innermost first. */
    private HalfPrecision precision(int stack) {
        HalfPrecision precision = known.get(stack);
        if (precision == null) {
            int innermost = scene.stacks.innermost(stack);
            precision = full.isIn(stack)
                    ? HalfPrecision.FULL
                    : innermost < 0
                            ? HalfPrecision.UNKNOWN
                            : HalfPrecision.of(
                                    scene.stacks.frame(innermost).file(),
                                    scene.stacks.frame(innermost).function());
            known.put(stack, precision);
        }
        return precision;
    }

    /** The least part of a block that is in half precision, whatever else is not known. */
    int least(int allocation) {
        return surely.getOrDefault(allocation, 0);
    }

    /** The part of a block that is in half precision, probably. */
    double likely(int allocation) {
        return halved.getOrDefault(allocation, bytes == 0 ? 0 : halfBytes / bytes);
    }

    /** The most of a block that may be in half precision. */
    int most(int allocation) {
        return surely.getOrDefault(allocation, 1);
    }
}
