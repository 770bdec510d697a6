package dev.leakline.peak;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.IntHashSet;
import com.carrotsearch.hppc.cursors.IntCursor;
import dev.leakline.columns.Action;
import dev.leakline.known.StepPhase;
import dev.leakline.lifetime.DeviceEvents;
import dev.leakline.lifetime.Lifetimes;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

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
    private final OptimizerSteps steps;
    /** By call and size, the blocks that it leaves to the next. */
    private final Map<Integer, NavigableMap<Long, IntArrayList>> left = new TreeMap<>();

    private final IntHashSet members = new IntHashSet();
    private final IntHashSet stacks = new IntHashSet();

    GrowingCaches(Lifetimes lifetimes, EventWindow window) {
        this.lifetimes = lifetimes;
        this.runs = window.runs();
        this.steps = window.steps();
        collect();
        left.forEach((call, bySize) -> bySize.forEach((size, blocks) -> look(call, size, blocks)));
    }

    /** Sorts what each call leaves to the next by size. */
    private void collect() {
        DeviceEvents events = lifetimes.events();
        for (int event = runs.from(); event < runs.to(); event++) {
            int allocation = events.action(event) == Action.ALLOC ? lifetimes.allocation(event) : Lifetimes.NONE;
            if (allocation == Lifetimes.NONE || runs.of(event) != StepPhase.FORWARD || steps.call(event) < 0) {
                continue;
            }
            int freed = lifetimes.freed(allocation);
            boolean isLeft = freed == Lifetimes.NEVER || steps.call(freed) > steps.call(event);
            if (isLeft && lifetimes.held(allocation) > KeptGraphs.SMALLEST) {
                left.computeIfAbsent(steps.call(event), _ -> new TreeMap<>())
                        .computeIfAbsent(lifetimes.requested(allocation), _ -> new IntArrayList())
                        .add(allocation);
            }
        }
    }

    private void look(int call, long size, IntArrayList blocks) {
        Long larger = left.getOrDefault(call + 1, new TreeMap<>()).higherKey(size);
        if (blocks.size() < FEWEST || larger == null || larger > TIMES * size) {
            return;
        }
        for (IntCursor block : blocks) {
            int freed = lifetimes.freed(block.value);
            if (freed != Lifetimes.NEVER && steps.call(freed) == call + 1) {
                members.add(block.value);
                stacks.add(lifetimes.stack(block.value));
            }
        }
    }

    /** Returns whether it is part of one. */
    boolean has(int allocation) {
        return members.contains(allocation);
    }

    /** Returns whether what is made at a stack was part of one in other calls. */
    boolean isMadeAt(int stack) {
        return stacks.contains(stack);
    }
}
