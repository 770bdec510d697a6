package dev.leakline.levers;

import com.carrotsearch.hppc.IntDoubleHashMap;
import com.carrotsearch.hppc.IntHashSet;
import com.carrotsearch.hppc.IntObjectHashMap;
import com.carrotsearch.hppc.cursors.IntCursor;
import dev.leakline.known.HalfPrecision;
import dev.leakline.known.StepPhase;
import dev.leakline.site.FramePredicate;

/**
 * Which blocks of forward and backward passes would be in half precision under autocast.
 *
 * <p>A recording shows neither types nor what an operator is given. So blocks are followed in the order in which they were made: products give
 * half precision; norms, softmax and losses give full; what is computed element by element gives what was made just before it. A sum has
 * the fuller precision of its parts: where layers are normalized by examples, embeddings, positions or scales have made it full. What a
 * product is given is kept for the backward pass as a copy in half precision, whatever it was. What the engine makes is as the blocks of the pass are.
 */
final class Precisions {
    /** Blocks of a smaller part of the one before it are statistics, masks and such, on which nothing goes on. */
    private static final int SMALL_PART = 16;

    private final PeakScene scene;
    private final FramePredicate full;
    private final boolean sumsAreFull;
    /** By allocation, the share of its bytes' half that is saved. */
    private final IntDoubleHashMap halved = new IntDoubleHashMap();

    /** By stack; names are decoded for each once. */
    private final IntObjectHashMap<HalfPrecision> known = new IntObjectHashMap<>();

    private final IntHashSet surelyHalf = new IntHashSet();
    private double halfBytes;
    private double bytes;

    Precisions(PeakScene scene) {
        this.scene = scene;
        this.full = scene.stacks.predicate((file, function) -> HalfPrecision.of(file, function) == HalfPrecision.FULL);
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
            HalfPrecision made = precision(scene.lifetimes.stack(allocation));
            if (made == HalfPrecision.HALF && last >= 0) {
                put(last, true, !isFull);
            }
            isFull = made != HalfPrecision.HALF
                    && (made == HalfPrecision.FULL || isFull || (made == HalfPrecision.UNKNOWN && sumsAreFull));
            put(allocation, !isFull, made == HalfPrecision.HALF || (made == HalfPrecision.FOLLOWING && !isFull));
            last = allocation;
        }
        for (IntCursor each : scene.allocations) {
            if (isOfPass(each.value) && scene.isForBackward(each.value)) {
                bytes += scene.size(each.value);
                halfBytes += halved.getOrDefault(each.value, 0) * scene.size(each.value);
            }
        }
    }

    private void put(int allocation, boolean isHalf, boolean isSure) {
        halved.put(allocation, isHalf ? 1 : 0);
        if (isSure) {
            surelyHalf.add(allocation);
        }
    }

    private boolean isOfPass(int allocation) {
        return scene.isBornIn(allocation, StepPhase.FORWARD) || scene.isBornIn(allocation, StepPhase.OUTSIDE);
    }

    private boolean isPartOf(int allocation, int last) {
        return scene.lifetimes.stack(allocation) == scene.lifetimes.stack(last)
                && scene.size(allocation) < scene.size(last) / SMALL_PART;
    }

    /** What the functions that lead to an allocation say, the innermost first. */
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

    /** Whether it is in half precision, whatever else is not known. */
    boolean isSurelyHalf(int allocation) {
        return surelyHalf.contains(allocation);
    }

    /** The part of a block that is in half precision, probably. */
    double halved(int allocation) {
        return halved.getOrDefault(allocation, bytes == 0 ? 0 : halfBytes / bytes);
    }
}
