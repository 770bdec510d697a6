package dev.leakline.levers;

import com.carrotsearch.hppc.cursors.IntCursor;
import dev.leakline.known.LossFrames;
import dev.leakline.known.StepPhase;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.result.Lever;
import dev.leakline.result.Lever.Kind;
import dev.leakline.result.Site;
import dev.leakline.site.FramePredicate;
import org.jspecify.annotations.Nullable;

/** Large logits: the loss over a vocabulary makes several blocks of their size, in one or the other precision, and so does its backward pass. */
final class LossInParts {
    /** The parts that the loss is computed in: with more, little is left to save. */
    private static final int PARTS = 8;
    /** By which blocks of one size may differ, rounded as they are. */
    private static final double SAME = 0.01;

    private LossInParts() {}

    static @Nullable Lever find(PeakScene scene) {
        long largest = 0;
        Site site = null;
        FramePredicate overClasses = scene.stacks.predicate(LossFrames::isOverClasses);
        for (IntCursor each : scene.allocations) {
            if (isOfLoss(scene, each.value, overClasses) && scene.size(each.value) > largest) {
                largest = scene.size(each.value);
                site = scene.site(each.value);
            }
        }
        if (largest == 0) {
            return null;
        }
        Claim claim = new Claim(scene);
        Site maker = maker(scene, largest, overClasses);
        for (IntCursor each : scene.allocations) {
            if (isPassing(scene, each.value) && isLogits(scene.size(each.value), largest)) {
                long size = scene.size(each.value);
                long part = size / PARTS;
                claim.take(
                        scene.lifetimes.born(each.value),
                        scene.lifetimes.died(each.value),
                        isSame(size, largest) ? size - part : 0,
                        size - part,
                        size);
            }
        }
        return claim.lever(
                Kind.CHUNK_LOSS,
                site,
                "compute logits" + (maker == null || maker.equals(site) ? "" : " (made at " + maker.inWords() + ")")
                        + " and loss in " + PARTS
                        + " parts that the backward pass computes again (a checkpointed loop over"
                        + " the positions, or a fused linear cross-entropy)",
                "blocks of half or twice the size are taken for logits in another precision; a fused loss keeps none");
    }

    /** The line that makes the first block as large as the logits, before the loss is computed from them. */
    private static @Nullable Site maker(PeakScene scene, long logits, FramePredicate overClasses) {
        for (IntCursor each : scene.allocations) {
            boolean isOfPass =
                    scene.isBornIn(each.value, StepPhase.FORWARD) || scene.isBornIn(each.value, StepPhase.OUTSIDE);
            if (isOfPass && isLogits(scene.size(each.value), logits) && !isOfLoss(scene, each.value, overClasses)) {
                return scene.site(each.value);
            }
        }
        return null;
    }

    private static boolean isOfLoss(PeakScene scene, int allocation, FramePredicate overClasses) {
        return scene.lifetimes.born(allocation) != Lifetimes.BEFORE
                && overClasses.isIn(scene.lifetimes.stack(allocation));
    }

    private static boolean isPassing(PeakScene scene, int allocation) {
        return scene.isBornIn(allocation, StepPhase.FORWARD)
                || scene.isBornIn(allocation, StepPhase.OUTSIDE)
                || (scene.isBornIn(allocation, StepPhase.BACKWARD) && !scene.isGradient(allocation));
    }

    /** Whether a block is as large as the logits, or twice or half as large, in another precision. */
    private static boolean isLogits(long size, long logits) {
        return isSame(size, logits) || isSame(2 * size, logits) || isSame(size, 2 * logits);
    }

    private static boolean isSame(long size, long other) {
        return Math.abs(size - other) <= SAME * other;
    }
}
