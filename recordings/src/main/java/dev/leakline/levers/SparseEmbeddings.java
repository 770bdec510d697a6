package dev.leakline.levers;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.cursors.IntCursor;
import dev.leakline.known.EmbeddingFrames;
import dev.leakline.known.StepPhase;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.result.Lever;
import dev.leakline.result.Lever.Kind;
import dev.leakline.result.Site;
import dev.leakline.site.FramePredicate;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Tables of embeddings whose gradients have all their rows, where a step looks up few. The engine goes back through a pass: a table's gradient is made after it
 * frees what the pass made since the table was used, and before it frees what was made before.
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

    /** Lookups of a pass that are looked at: each is held against all that the pass frees. A recommender has some hundred tables. */
    private static final int MOST_LOOKUPS = 256;

    private final PeakScene scene;
    private final BackwardPasses passes;
    private final FramePredicate looksUp;
    /** In the order of their births. */
    private final IntArrayList lookups = new IntArrayList();

    /** The index of the first lookup that is not of an earlier pass. */
    private int next;
    /** By the size of a table the most that is looked up of one so large at once. */
    private final Map<Long, Long> tables = new HashMap<>();

    private SparseEmbeddings(PeakScene scene) {
        this.scene = scene;
        this.passes = scene.passes;
        this.looksUp = scene.stacks.predicate(EmbeddingFrames::looksUp);
        for (IntCursor each : scene.allocations) {
            if (scene.isBornIn(each.value, StepPhase.FORWARD) && looksUp.isIn(scene.lifetimes.stack(each.value))) {
                lookups.add(each.value);
            }
        }
    }

    static @Nullable Lever find(PeakScene scene) {
        return scene.runs.has(StepPhase.OPTIMIZER) ? new SparseEmbeddings(scene).find() : null;
    }

    private @Nullable Lever find() {
        if (!lookups.isEmpty()) {
            passes.forEach(this::look);
        }
        return tables.isEmpty() || !areMostOfModel() ? null : lever();
    }

    private void look(int begin, int end) {
        IntArrayList released = new IntArrayList();
        IntArrayList gradients = new IntArrayList();
        passes.forEachReleased(begin, end, released::add);
        passes.forEachMade(begin, end, made -> {
            if (scene.isGradient(made) && scene.hasSizeOfState(made)) {
                gradients.add(made);
            }
        });
        while (next < lookups.size() && passBegin(lookups.get(next)) < begin) {
            next++;
        }
        int last = gradients.isEmpty() ? next : Math.min(next + MOST_LOOKUPS, lookups.size());
        for (int i = next; i < last && scene.lifetimes.born(lookups.get(i)) < begin; i++) {
            look(lookups.get(i), released, gradients, end);
        }
    }

    private int passBegin(int lookup) {
        return scene.runs.next(StepPhase.BACKWARD, scene.lifetimes.born(lookup));
    }

    private void look(int lookup, IntArrayList released, IntArrayList gradients, int end) {
        int after = Lifetimes.BEFORE;
        for (IntCursor each : released) {
            after = isSince(lookup, each.value) ? Math.max(after, scene.lifetimes.freed(each.value)) : after;
        }
        int before = end;
        for (IntCursor each : released) {
            int freed = scene.lifetimes.freed(each.value);
            before = !isSince(lookup, each.value) && freed > after ? Math.min(before, freed) : before;
        }
        for (IntCursor gradient : gradients) {
            int born = scene.lifetimes.born(gradient.value);
            boolean isTable = after != Lifetimes.BEFORE && born > after && born < before;
            if (isTable && scene.size(gradient.value) > TIMES * scene.size(lookup)) {
                tables.merge(scene.lifetimes.requested(gradient.value), scene.size(lookup), Math::max);
            }
        }
    }

    /** Returns whether a pass made a block since a table was used; what a lookup keeps beside its result goes with the table. */
    private boolean isSince(int lookup, int allocation) {
        boolean isBeside = scene.lifetimes.stack(allocation) == scene.lifetimes.stack(lookup) && allocation != lookup;
        return allocation >= lookup && !isBeside;
    }

    private boolean areMostOfModel() {
        long all = 0;
        long ofTables = 0;
        for (IntCursor each : scene.allocations) {
            if (scene.isGradient(each.value) && scene.hasSizeOfState(each.value)) {
                all += scene.size(each.value);
                ofTables += isOfTable(each.value) ? scene.size(each.value) : 0;
            }
        }
        return ofTables >= MOST_OF_MODEL * all;
    }

    private boolean isOfTable(int allocation) {
        return tables.containsKey(scene.lifetimes.requested(allocation));
    }

    private Lever lever() {
        FramePredicate addsUp = scene.stacks.predicate(EmbeddingFrames::addsUp);
        boolean hasBags = addsUp.isIn(scene.lifetimes.stack(lookups.get(0)));
        Claim claim = new Claim(scene);
        for (IntCursor each : scene.allocations) {
            if (isOfTable(each.value) && isDense(each.value)) {
                long size = scene.size(each.value);
                long rows = tables.getOrDefault(scene.lifetimes.requested(each.value), 0L);
                claim.takeOf(
                        each.value, size - Math.max(AT_ONCE * rows, hasBags ? size / OF_BAGS : 0), size - rows, size);
            }
        }
        return claim.lever(
                Kind.SPARSE_GRADIENTS,
                site(),
                "make the embeddings with sparse=True, and an optimizer of their own for them that takes such gradients"
                        + " (torch.optim.SparseAdam): a step's gradient then has only the rows that were looked up",
                "which gradients are tables' is told by the order in which the backward pass makes them"
                        + (hasBags ? "; how many rows a bag adds up is not seen" : ""));
    }

    /** Returns whether it is a gradient, what is added to one, or what an optimizer makes of one. */
    private boolean isDense(int allocation) {
        return scene.isBornIn(allocation, StepPhase.BACKWARD)
                || (scene.isBornIn(allocation, StepPhase.OPTIMIZER)
                        && scene.lifetimes.freed(allocation) < scene.steps.end(scene.lifetimes.born(allocation)));
    }

    private @Nullable Site site() {
        int largest = lookups.get(0);
        for (IntCursor each : lookups) {
            largest = scene.size(each.value) > scene.size(largest) ? each.value : largest;
        }
        return scene.site(largest);
    }
}
