package dev.leakline.levers;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.IntDoubleHashMap;
import com.carrotsearch.hppc.IntHashSet;
import com.carrotsearch.hppc.IntIntHashMap;
import com.carrotsearch.hppc.IntObjectHashMap;
import com.carrotsearch.hppc.cursors.IntCursor;
import dev.leakline.known.HalfPrecision;
import dev.leakline.known.LossFrames;
import dev.leakline.known.StepPhase;
import dev.leakline.site.FramePredicate;
import java.util.HashMap;
import java.util.Map;

/**
 * Which blocks of forward and backward passes would be in half precision under autocast.
 *
 * <p>A recording shows neither types nor what an operator is given. So blocks are followed in the order in which they were made: products give
 * half precision; norms, softmax and losses give full; what is computed element by element gives what was made just before it. A sum has
 * the fuller precision of its parts: where layers are normalized by examples, embeddings, positions or scales have made it full. What a
 * product is given is kept for the backward pass as a copy in half precision, whatever it was; what a norm is given, as one in full. What the engine makes is
 * as the block of its size that the pass made, whose gradient it probably is: it goes back through them; else as all blocks of the pass are.
 */
final class Precisions {
    /** Blocks of a smaller part of the one before it are statistics, masks and such, on which nothing goes on. */
    private static final int SMALL_PART = 16;

    private final PeakScene scene;
    private final FramePredicate full;
    private final FramePredicate keepsInput;
    private final FramePredicate keepsResult;
    private final FramePredicate pools;
    private final FramePredicate overClasses;
    private final boolean sumsAreFull;
    /** By allocation, the share of its bytes' half that is saved. */
    private final IntDoubleHashMap halved = new IntDoubleHashMap();

    /** By stack; names are decoded for each once. */
    private final IntObjectHashMap<HalfPrecision> known = new IntObjectHashMap<>();

    /** By allocation whether it is in half precision (1) or in full (0), whatever else is not known. */
    private final IntIntHashMap surely = new IntIntHashMap();

    /** Allocations that may be there in full and in half precision. */
    private final IntHashSet inBoth = new IntHashSet();
    /** By what the engine makes the block of the same size whose gradient it probably is: it goes back through what the pass made. */
    private final IntIntHashMap model = new IntIntHashMap();

    private double halfBytes;
    private double bytes;

    Precisions(PeakScene scene) {
        this.scene = scene;
        this.full = scene.stacks.predicate((file, function) -> HalfPrecision.of(file, function) == HalfPrecision.FULL);
        this.keepsInput = scene.stacks.predicate(HalfPrecision::keepsInput);
        this.keepsResult = scene.stacks.predicate(HalfPrecision::keepsResult);
        this.pools = scene.stacks.predicate(HalfPrecision::findsLargest);
        this.overClasses = scene.stacks.predicate(LossFrames::isOverClasses);
        FramePredicate layerNorm = scene.stacks.predicate(HalfPrecision::isLayerNorm);
        boolean isAnyNorm = false;
        for (IntCursor each : scene.allocations) {
            isAnyNorm |= layerNorm.isIn(scene.lifetimes.stack(each.value));
        }
        this.sumsAreFull = isAnyNorm;
        follow();
    }

    private void follow() {
        int last = -1;
        boolean isFull = true;
        for (IntCursor each : scene.allocations) {
            int allocation = each.value;
            if (!isOfPass(allocation) || (last >= 0 && isPartOf(allocation, last))) {
                continue;
            }
            if (last >= 0 && areIndices(allocation, last)) {
                put(allocation, false, true);
                continue;
            }
            HalfPrecision made = precision(scene.lifetimes.stack(allocation));
            if (made == HalfPrecision.HALF && last >= 0) {
                give(last, isFull);
            } else if (last >= 0 && isGivenToNorm(allocation, last)) {
                put(last, false, true);
            }
            isFull = made != HalfPrecision.HALF
                    && (made == HalfPrecision.FULL || isFull || (made == HalfPrecision.UNKNOWN && sumsAreFull));
            boolean isSure = made == HalfPrecision.FULL || made == HalfPrecision.HALF;
            put(allocation, !isFull, isSure || (made == HalfPrecision.FOLLOWING && !isFull));
            last = allocation;
        }
        findModels();
    }

    /** Takes the input of a product, which is kept as a copy in half precision; where its maker keeps it as well, it is there in both. */
    private void give(int last, boolean isFull) {
        if (isFull && keepsResult.isTrueOf(scene.stacks.innermost(scene.lifetimes.stack(last)))) {
            halved.put(last, -1);
            inBoth.add(last);
        } else {
            put(last, true, !isFull);
            copyInput(last);
        }
    }

    private void findModels() {
        Map<Long, IntArrayList> bySize = new HashMap<>();
        for (IntCursor each : scene.allocations) {
            IntArrayList same = bySize.computeIfAbsent(scene.lifetimes.requested(each.value), _ -> new IntArrayList());
            if (isOfPass(each.value)) {
                leaveOpenForLoss(each.value, same);
                same.add(each.value);
                add(each.value);
            } else if (scene.isBornIn(each.value, StepPhase.BACKWARD)) {
                findModel(each.value, same);
            }
        }
    }

    /**
     * Leaves open in which precision a loss is: the program may have made its input full itself, which a recording in full precision does not
     * show; else a loss that is left out of autocast computes in half precision.
     */
    private void leaveOpenForLoss(int allocation, IntArrayList same) {
        int last = same.isEmpty() ? -1 : same.get(same.size() - 1);
        boolean isSurelyFull = surely.getOrDefault(last, 1) == 0;
        if (last < 0 || isSurelyFull || !overClasses.isIn(scene.lifetimes.stack(allocation))) {
            return;
        }
        surely.remove(last);
        if (scene.isBornIn(allocation, StepPhase.OUTSIDE)) {
            surely.remove(allocation);
        }
    }

    /** Takes the last block of the pass that has no gradient yet. */
    private void findModel(int allocation, IntArrayList same) {
        if (!same.isEmpty()) {
            model.put(allocation, same.get(same.size() - 1));
        }
        if (same.size() > 1) {
            same.removeAt(same.size() - 1);
        }
    }

    private void add(int allocation) {
        if (scene.isForBackward(allocation)) {
            bytes += scene.size(allocation);
            halfBytes += halved.getOrDefault(allocation, 0) * scene.size(allocation);
        }
    }

    private void put(int allocation, boolean isHalf, boolean isSure) {
        halved.put(allocation, isHalf ? 1 : 0);
        surely.remove(allocation);
        if (isSure) {
            surely.put(allocation, isHalf ? 1 : 0);
        }
    }

    /** Notes that the program may hold what it made itself beside the copy that a product is given. */
    private void copyInput(int last) {
        if (scene.isBornIn(last, StepPhase.OUTSIDE)) {
            inBoth.add(last);
        }
    }

    /** Returns whether the line before, not its own, made what a norm is given. */
    private boolean isGivenToNorm(int allocation, int last) {
        int stack = scene.lifetimes.stack(allocation);
        return keepsInput.isIn(stack) && !keepsInput.isIn(scene.lifetimes.stack(last));
    }

    private boolean isOfPass(int allocation) {
        return scene.isBornIn(allocation, StepPhase.FORWARD) || scene.isBornIn(allocation, StepPhase.OUTSIDE);
    }

    private boolean isPartOf(int allocation, int last) {
        return scene.lifetimes.stack(allocation) == scene.lifetimes.stack(last)
                && scene.size(allocation) < scene.size(last) / SMALL_PART;
    }

    /** Returns whether it is where a pool found each of the largest numbers that it has just written: eight bytes for each four, in either precision. */
    private boolean areIndices(int allocation, int last) {
        return scene.lifetimes.stack(allocation) == scene.lifetimes.stack(last)
                && scene.lifetimes.requested(allocation) == 2 * scene.lifetimes.requested(last)
                && pools.isIn(scene.lifetimes.stack(allocation));
    }

    /** The precision by the functions that lead to an allocation, the innermost first. */
    private HalfPrecision precision(int stack) {
        HalfPrecision precision = known.get(stack);
        if (precision == null) {
            precision = find(stack);
            known.put(stack, precision);
        }
        return precision;
    }

    private HalfPrecision find(int stack) {
        if (full.isIn(stack)) {
            return HalfPrecision.FULL;
        }
        int innermost = scene.stacks.innermost(stack);
        return innermost < 0
                ? HalfPrecision.UNKNOWN
                : HalfPrecision.of(
                        scene.stacks.frame(innermost).file(),
                        scene.stacks.frame(innermost).function());
    }

    /** The least part of a block that is in half precision, whatever else is not known; -1 where it may be there in both. */
    double least(int allocation) {
        return inBoth.contains(allocation) ? -1 : surely.getOrDefault(model(allocation), 0);
    }

    /** The part of a block that is in half precision, probably. */
    double likely(int allocation) {
        return halved.getOrDefault(model(allocation), bytes == 0 ? 0 : halfBytes / bytes);
    }

    /** The most of a block that may be in half precision. */
    double most(int allocation) {
        return surely.getOrDefault(model(allocation), 1);
    }

    private int model(int allocation) {
        return model.getOrDefault(allocation, allocation);
    }
}
