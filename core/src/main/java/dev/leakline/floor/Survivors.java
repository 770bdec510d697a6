package dev.leakline.floor;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.LongArrayList;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.steps.StepCursor;
import dev.leakline.steps.Steps;
import java.util.BitSet;
import java.util.function.IntPredicate;

/**
 * The allocations that live through a whole step or more, born within the recording. What every step takes and gives back is not
 * among them, so they are few, and the sum of their bytes at a step is the floor that the step stands on. Blocks that are replaced by
 * larger ones at every step ({@link Successors}) count as one that stays.
 *
 * <p>Survivor {@code i} holds memory through the whole of the steps [{@code first(i)}, {@code end(i)}).
 */
public final class Survivors {
    private final Lifetimes lifetimes;
    private final IntArrayList allocations = new IntArrayList();
    private final IntArrayList firsts = new IntArrayList();
    private final IntArrayList ends = new IntArrayList();
    private final LongArrayList bytes = new LongArrayList();

    public Survivors(Lifetimes lifetimes, Steps steps) {
        this.lifetimes = lifetimes;
        Successors successors = new Successors(lifetimes, steps);
        StepCursor cursor = new StepCursor(steps);
        for (int allocation = 0; allocation < lifetimes.count(); allocation++) {
            int born = lifetimes.born(allocation);
            if (born == Lifetimes.BEFORE) {
                continue;
            }
            int first = cursor.of(born) + 1;
            if (first < steps.count()
                    && isHandedOn(steps, successors, allocation, first)
                    && !lifetimes.isLost(allocation)) {
                add(steps, allocation, first);
            }
        }
    }

    private boolean isHandedOn(Steps steps, Successors successors, int allocation, int first) {
        int died = lifetimes.died(allocation);
        return died >= steps.start(first + 1) || (died >= steps.start(first) && successors.grow(allocation));
    }

    /** Whether an allocation is a survivor, or is live after an event. */
    public IntPredicate andLiveAfter(int event) {
        BitSet members = members();
        return allocation -> members.get(allocation) || lifetimes.isLive(allocation, event);
    }

    /** The allocations that are survivors. */
    public BitSet members() {
        BitSet members = new BitSet();
        for (int i = 0; i < count(); i++) {
            members.set(allocation(i));
        }
        return members;
    }

    private void add(Steps steps, int allocation, int first) {
        int died = lifetimes.died(allocation);
        allocations.add(allocation);
        firsts.add(first);
        int end = died == Lifetimes.NEVER ? steps.count() : Math.min(steps.of(died), steps.count());
        ends.add(Math.max(end, first + 1));
        bytes.add(lifetimes.held(allocation));
    }

    /** Survivors. */
    public int count() {
        return allocations.size();
    }

    /** The number of a survivor among the device's allocations. */
    public int allocation(int survivor) {
        return allocations.get(survivor);
    }

    /** The first step that it lives through; it was born in the one before, or in set-up. */
    public int first(int survivor) {
        return firsts.get(survivor);
    }

    /** The step in which it died; the number of steps where it outlived them all. */
    public int end(int survivor) {
        return ends.get(survivor);
    }

    /** The number of the stack that it was allocated with. */
    int stack(int survivor) {
        return lifetimes.stack(allocation(survivor));
    }

    /** The stream that it was allocated for, as a raw handle. */
    long stream(int survivor) {
        return lifetimes.events().stream(lifetimes.born(allocation(survivor)));
    }

    /** Bytes that the program asked for; a profiler says what is held instead. */
    long requested(int survivor) {
        return lifetimes.requested(allocation(survivor));
    }

    /** Bytes that the allocator holds for it. */
    public long bytes(int survivor) {
        return bytes.get(survivor);
    }
}
