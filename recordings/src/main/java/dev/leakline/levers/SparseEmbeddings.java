package dev.leakline.levers;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.cursors.IntCursor;
import dev.leakline.hash.SeededLongIntMap;
import dev.leakline.known.EmbeddingFrames;
import dev.leakline.known.StepPhase;
import dev.leakline.result.Lever;
import dev.leakline.result.Lever.Kind;
import dev.leakline.site.FramePredicate;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Tables of embeddings whose gradients have all their rows, where a step looks up few. A gradient is taken for a table's where it is much larger than what lookups give, and
 * there are no more of its size than lookups: layers come in numbers.
 */
final class SparseEmbeddings {
    /** The share of the gradients' bytes that tables must have: another optimizer for them is worth its effort where they are most of the model. */
    private static final double MOST_OF_MODEL = 0.5;
    /** A table that is not larger than this many times what is looked up would save little. */
    private static final int TIMES = 4;
    /** Blocks of what is looked up that an optimizer of sparse gradients needs at once: values, and what they are scaled and averaged to. */
    private static final int AT_ONCE = 4;
    /** Rows that a bag adds up, of which the recording shows the sum: at the least this part of the saving is left if they are many. */
    private static final int OF_BAGS = 2;

    private SparseEmbeddings() {}

    static @Nullable Lever find(PeakScene scene) {
        FramePredicate looksUp = scene.stacks.predicate(EmbeddingFrames::looksUp);
        IntArrayList lookups = scene.where(
                each -> scene.isBornIn(each, StepPhase.FORWARD) && looksUp.isIn(scene.lifetimes.stack(each)));
        if (lookups.isEmpty() || !scene.runs.has(StepPhase.OPTIMIZER)) {
            return null;
        }
        int largest = lookups.get(0);
        for (IntCursor each : lookups) {
            largest = scene.size(each.value) > scene.size(largest) ? each.value : largest;
        }
        long[] looked =
                IntStream.of(lookups.toArray()).mapToLong(scene::size).sorted().toArray();
        long rows = looked[looked.length / 2];
        SeededLongIntMap sizes = new SeededLongIntMap();
        IntArrayList gradients = scene.where(each -> scene.isGradient(each) && scene.hasSizeOfState(each));
        for (IntCursor each : gradients) {
            sizes.addTo(scene.lifetimes.requested(each.value), 1);
        }
        IntPredicate isOfTable = each -> scene.size(each) > TIMES * rows
                && sizes.getOrDefault(scene.lifetimes.requested(each), Integer.MAX_VALUE) <= lookups.size();
        long all = 0;
        long ofTables = 0;
        for (IntCursor each : gradients) {
            all += scene.size(each.value);
            ofTables += isOfTable.test(each.value) ? scene.size(each.value) : 0;
        }
        if (ofTables < MOST_OF_MODEL * all) {
            return null;
        }
        boolean hasBags = scene.stacks.predicate(EmbeddingFrames::addsUp).isIn(scene.lifetimes.stack(lookups.get(0)));
        Claim claim = new Claim(scene);
        for (IntCursor each : scene.where(each -> isOfTable.test(each) && isDense(scene, each))) {
            long size = scene.size(each.value);
            claim.takeOf(each.value, size - Math.max(AT_ONCE * rows, hasBags ? size / OF_BAGS : 0), size - rows, size);
        }
        return claim.lever(
                Kind.SPARSE_GRADIENTS,
                scene.site(largest),
                "make the embeddings with sparse=True, and an optimizer of their own for them that takes such gradients"
                        + " (torch.optim.SparseAdam): a step's gradient then has only the rows that were looked up",
                "which gradients are tables' is told by their sizes"
                        + (hasBags ? "; how many rows a bag adds up is not seen" : ""));
    }

    /** Returns whether it is a gradient, what is added to one, or what an optimizer makes of one. */
    private static boolean isDense(PeakScene scene, int allocation) {
        return scene.isBornIn(allocation, StepPhase.BACKWARD)
                || (scene.isBornIn(allocation, StepPhase.OPTIMIZER)
                        && scene.lifetimes.freed(allocation) < scene.steps.end(scene.lifetimes.born(allocation)));
    }
}
