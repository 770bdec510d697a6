package dev.leakline.floor;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.LongArrayList;
import com.carrotsearch.hppc.cursors.IntCursor;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.steps.StepCursor;
import dev.leakline.steps.Steps;
import java.util.BitSet;

/**
 * The allocations that live through at least one whole step and were made within the recording. What every step takes and gives back is not
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
    private final Steps steps;
    private final Successors successors;
    /** Allocations that outlive their step; not all that are handed on to the next are survivors. */
    private final IntArrayList candidates = new IntArrayList();

    /** Walks over all births, and tells {@code profile} of each: what a step makes and what of it stays are counted at once. */
    public Survivors(Lifetimes lifetimes, Steps steps, StepProfile profile) {
        this.lifetimes = lifetimes;
        this.steps = steps;
        this.successors = new Successors(lifetimes, steps, profile.stackCount());
        StepCursor cursor = new StepCursor(steps);
        for (int allocation = 0; allocation < lifetimes.count(); allocation++) {
            int born = lifetimes.born(allocation);
            if (born != Lifetimes.BEFORE) {
                int step = cursor.of(born);
                int stack = lifetimes.stack(allocation);
                long requested = lifetimes.requested(allocation);
                profile.take(step, stack, requested);
                successors.born(stack, requested, step);
                take(allocation, step);
            }
        }
        profile.end();
        choose();
    }

    private void take(int allocation, int step) {
        if (step + 1 >= steps.count()) {
            return;
        }
        int died = lifetimes.died(allocation);
        if (died >= steps.start(step + 2)) {
            offer(allocation);
        } else if (died >= steps.start(step + 1) && step >= 0 && successors.areSought()) {
            successors.handedOn(allocation, step);
            offer(allocation);
        }
    }

    private void offer(int allocation) {
        if (!lifetimes.isLost(allocation)) {
            candidates.add(allocation);
        }
    }

    /** Chooses among the candidates, once all is known of what grows by being replaced. */
    private void choose() {
        successors.end();
        StepCursor cursor = new StepCursor(steps);
        for (IntCursor candidate : candidates) {
            int first = cursor.of(lifetimes.born(candidate.value)) + 1;
            boolean isHandedOn = lifetimes.died(candidate.value) < steps.start(first + 1);
            if (!isHandedOn || successors.grow(candidate.value)) {
                add(candidate.value, first);
            }
        }
        candidates.release();
    }

    /** Returns whether the input of the steps was seen to change, by what they allocate first. */
    public boolean changesInput() {
        return successors.changesInput();
    }

    /** The allocations that are survivors. */
    public BitSet members() {
        BitSet members = new BitSet();
        for (int i = 0; i < count(); i++) {
            members.set(allocation(i));
        }
        return members;
    }

    private void add(int allocation, int first) {
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

    /** Bytes that the program requested; a profiler says what is held instead. */
    long requested(int survivor) {
        return lifetimes.requested(allocation(survivor));
    }

    /** Bytes that the allocator holds for it. */
    public long bytes(int survivor) {
        return bytes.get(survivor);
    }
}
