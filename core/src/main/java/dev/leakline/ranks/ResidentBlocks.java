package dev.leakline.ranks;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.cursors.IntCursor;
import dev.leakline.evidence.Evidence;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.lifetime.RoundedSize;
import dev.leakline.result.ProcessSummary.BlockSize;
import dev.leakline.site.StackSites;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The blocks of a process that are there from its warm-up to the end of its last step, and those among them that are its model's: parameters,
 * and the state of their optimizer. Which ranks have the same model, their sizes tell, whatever was recorded of how they came about. What
 * piles up is none of them, though its first blocks are there as long.
 */
final class ResidentBlocks {
    /** Steps within which a program has made what stays: optimizers make their state in the first, some accumulate gradients before. */
    private static final int WARM_UP = 2;
    /** Sizes that a summary holds: a model has some dozens, and what is left out is small. */
    private static final int MOST_SIZES = 200;

    private final Lifetimes lifetimes;
    private final StackSites stacks;
    private final BitSet resident = new BitSet();
    private final BitSet model = new BitSet();
    private final int warm;
    private final int end;

    /** Looks through the allocations; {@code growing} are those of lines that grow. */
    ResidentBlocks(Evidence evidence, List<IntArrayList> growing) {
        this.lifetimes = evidence.lifetimes();
        this.stacks = evidence.stacks();
        int steps = evidence.steps().count();
        int events = lifetimes.events().count();
        this.warm = steps == 0 ? events / 2 : evidence.steps().start(Math.min(WARM_UP, steps));
        this.end = steps == 0 ? events : evidence.steps().start(steps);
        find();
        for (IntArrayList allocations : growing) {
            for (IntCursor allocation : allocations) {
                resident.clear(allocation.value);
            }
        }
        choose();
    }

    private void find() {
        for (int allocation = 0; allocation < lifetimes.count(); allocation++) {
            if (lifetimes.born(allocation) < warm
                    && lifetimes.died(allocation) >= end
                    && !lifetimes.isLost(allocation)) {
                resident.set(allocation);
            }
        }
    }

    /** Where no stack shows a model being made, all that is resident stands for it. */
    private void choose() {
        resident.stream().filter(this::isOfModel).forEach(model::set);
        if (model.isEmpty()) {
            model.or(resident);
        }
    }

    private boolean isOfModel(int allocation) {
        int stack = lifetimes.stack(allocation);
        boolean isOlder = lifetimes.born(allocation) == Lifetimes.BEFORE
                && !stacks.of(stack).hasPython();
        return isOlder
                || ((stacks.state().buildsModule(stack) || stacks.state().makesOptimizerState(stack))
                        && !stacks.state().copiesState(stack));
    }

    /** Returns whether a block is resident. */
    boolean contains(int allocation) {
        return resident.get(allocation);
    }

    /** Returns whether a block is the model's, or its optimizer's. */
    boolean isModel(int allocation) {
        return model.get(allocation);
    }

    /**
     * The size of an allocation in every process that makes it: its request, rounded as the allocator rounds it. Anything beyond depends on
     * what happened to be free.
     */
    static long size(Lifetimes lifetimes, int allocation) {
        long requested = lifetimes.requested(allocation);
        return requested == 0 ? lifetimes.held(allocation) : RoundedSize.PLAIN.of(requested);
    }

    /** The sizes of the model's blocks, largest first. */
    List<BlockSize> modelSizes() {
        return sizes(model);
    }

    /** The sizes of all resident blocks, largest first. */
    List<BlockSize> sizes() {
        return sizes(resident);
    }

    private List<BlockSize> sizes(BitSet allocations) {
        Map<Long, Integer> counts = new TreeMap<>(Comparator.reverseOrder());
        allocations.stream().forEach(allocation -> counts.merge(size(lifetimes, allocation), 1, Integer::sum));
        List<BlockSize> sizes = new ArrayList<>();
        counts.forEach((bytes, blocks) -> sizes.add(new BlockSize(bytes, blocks)));
        return List.copyOf(sizes.subList(0, Math.min(sizes.size(), MOST_SIZES)));
    }
}
