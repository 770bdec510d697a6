package dev.leakline.floor;

import com.carrotsearch.hppc.IntIntHashMap;
import com.carrotsearch.hppc.IntLongHashMap;
import com.carrotsearch.hppc.cursors.IntIntCursor;
import dev.leakline.columns.StackTable;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.steps.Steps;

/**
 * Finds memory that grows by replacement: a tensor to which each step appends by making a longer one, as {@code bank = torch.cat([bank,
 * new])} does. No block of it lives for long, and yet the bytes that go from step to step grow.
 *
 * <p>It is told by the line that makes it: at each step one block is handed on to the next, by about as much larger than the one
 * before each time. Inputs that grow make all that is handed on grow; so where most of what goes from step to step grows, none of it counts.
 */
final class Successors {
    /** Steps over which it must have grown: three times what is asked of what stays, since growing inputs look much like it. */
    private static final int FEWEST = 54;
    /** Steps at which the successor is larger: nearly all; what is now larger, now smaller follows the input. */
    private static final double NEARLY_ALL = 0.95;
    /** Increments may differ from the mean by rounding alone: a quarter at most, for nearly all of them. */
    private static final double ALIKE = 0.25;
    /** The share of the stacks that hand something on of which growing ones are an exception. */
    private static final double FEW = 0.34;

    private final Lifetimes lifetimes;
    private final boolean areSought;
    /** Blocks that each stack handed on, one per step, and how many of them had the usual increment. */
    private final IntIntHashMap handed = new IntIntHashMap();

    private final IntIntHashMap risen = new IntIntHashMap();
    private final IntLongHashMap last = new IntLongHashMap();
    private final IntLongHashMap increments = new IntLongHashMap();
    private final IntIntHashMap lastStep = new IntIntHashMap();

    Successors(Lifetimes lifetimes, Steps steps) {
        this.lifetimes = lifetimes;
        this.areSought = steps.count() >= FEWEST;
    }

    /** Whether there are steps enough to tell. */
    boolean areSought() {
        return areSought;
    }

    /** Takes an allocation that was born in one step and died in the next. */
    void take(int allocation, int step) {
        take(lifetimes.stack(allocation), lifetimes.requested(allocation), step);
    }

    private void take(int stack, long bytes, int step) {
        if (stack == StackTable.NONE) {
            return;
        }
        long increment = bytes - last.put(stack, bytes);
        long before = increments.put(stack, increment);
        boolean isNext = lastStep.put(stack, step) == step - 1;
        handed.addTo(stack, 1);
        if (isNext && increment > 0 && Math.abs(increment - before) <= ALIKE * increment) {
            risen.addTo(stack, 1);
        }
    }

    /** Ends the counting: where most grows, none of it counts. */
    void dropInputs() {
        int all = 0;
        int growing = 0;
        for (IntIntCursor stack : handed) {
            boolean isOften = stack.value >= FEWEST;
            all += isOften ? 1 : 0;
            growing += isOften && isGrowing(stack.key) ? 1 : 0;
        }
        if (growing > FEW * all && growing > 1) {
            handed.clear();
        }
    }

    private boolean isGrowing(int stack) {
        int count = handed.get(stack);
        return count >= FEWEST && risen.get(stack) >= NEARLY_ALL * count;
    }

    /** Whether an allocation is one of a line's that grow by being replaced. */
    boolean grow(int allocation) {
        int stack = lifetimes.stack(allocation);
        return !handed.isEmpty() && stack != StackTable.NONE && isGrowing(stack);
    }
}
