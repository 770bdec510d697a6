package dev.leakline.peak;

import com.carrotsearch.hppc.IntHashSet;
import com.carrotsearch.hppc.cursors.LongIntCursor;
import dev.leakline.columns.Action;
import dev.leakline.hash.SeededLongIntMap;
import dev.leakline.known.StepPhase;
import dev.leakline.lifetime.DeviceEvents;
import dev.leakline.lifetime.Lifetimes;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * Caches that each call of a model makes anew, somewhat larger: keys and values of tokens, to which those of the next are joined. A block of one is there
 * until the next call has made its like; outputs that a variable holds until then do not grow, and are not several of one size.
 */
final class GrowingCaches {
    /** Keys and values are of one size. */
    private static final int FEWEST = 2;
    /** A call adds fewer tokens than there are, but at the very beginning. */
    private static final int TIMES = 2;

    private final Lifetimes lifetimes;
    private final PhaseRuns runs;
    /** By call, the blocks that it leaves to the next. */
    private final List<List<Integer>> left = new ArrayList<>();

    private final IntHashSet members = new IntHashSet();
    private final IntHashSet stacks = new IntHashSet();

    GrowingCaches(Lifetimes lifetimes, PhaseRuns runs) {
        this.lifetimes = lifetimes;
        this.runs = runs;
        collect();
        for (int call = 0; call + 1 < left.size(); call++) {
            look(left.get(call), sizes(left.get(call + 1)));
        }
    }

    private void collect() {
        DeviceEvents events = lifetimes.events();
        for (int event = runs.from(); event < runs.to(); event++) {
            if (events.action(event) == Action.ALLOC && runs.of(event) == StepPhase.FORWARD) {
                int allocation = lifetimes.allocation(event);
                int call = runs.call(event);
                if (call >= 0 && isLeft(allocation, call)) {
                    while (left.size() <= call) {
                        left.add(new ArrayList<>());
                    }
                    left.get(call).add(allocation);
                }
            }
        }
    }

    /** Whether the next call begins before it is freed. */
    private boolean isLeft(int allocation, int call) {
        int freed = lifetimes.freed(allocation);
        return lifetimes.held(allocation) > KeptGraphs.SMALLEST
                && (freed == Lifetimes.NEVER || runs.call(freed) > call);
    }

    private NavigableSet<Long> sizes(List<Integer> blocks) {
        NavigableSet<Long> sizes = new TreeSet<>();
        blocks.forEach(block -> sizes.add(lifetimes.requested(block)));
        return sizes;
    }

    private void look(List<Integer> blocks, NavigableSet<Long> after) {
        SeededLongIntMap counts = new SeededLongIntMap();
        blocks.forEach(block -> counts.addTo(lifetimes.requested(block), 1));
        for (LongIntCursor size : counts) {
            Long larger = after.higher(size.key);
            if (size.value >= FEWEST && larger != null && larger <= TIMES * size.key) {
                add(blocks, size.key);
            }
        }
    }

    private void add(List<Integer> blocks, long size) {
        for (int block : blocks) {
            int call = runs.call(lifetimes.born(block));
            int freed = lifetimes.freed(block);
            if (lifetimes.requested(block) == size && freed != Lifetimes.NEVER && runs.call(freed) == call + 1) {
                members.add(block);
                stacks.add(lifetimes.stack(block));
            }
        }
    }

    /** Whether it is part of one. */
    boolean has(int allocation) {
        return members.contains(allocation);
    }

    /** Whether what is made at a stack was part of one in other calls. */
    boolean isMadeAt(int stack) {
        return stacks.contains(stack);
    }
}
