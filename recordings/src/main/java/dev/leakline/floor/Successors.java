package dev.leakline.floor;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.steps.Steps;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Finds memory that grows by replacement: what each step makes anew and hands on to the next, and a little more of it each time. So do a tensor
 * that is made longer, as {@code bank = torch.cat([bank, new])} does, the keys and values of several layers that are, a sparse gradient to
 * which each pass adds, and hooks that copy, one more at each step. No block of it lives for long, and yet the bytes that go from step to
 * step grow.
 *
 * <p>It is told by the line that makes it: the bytes that it hands on rise at nearly every step. Inputs that grow make what is handed on grow
 * too: where more than half of a step's lines rise, it is the input, unless what first computes with it does not.
 */
final class Successors {
    /** Steps over which it must have grown: fewer rise by chance, as inputs vary. */
    private static final int FEWEST = 18;
    /** Steps at which the successor is larger: nearly all; what is now larger, now smaller follows the input. */
    private static final double NEARLY_ALL = 0.95;
    /** Lines that allocate in so many of the steps belong to every step; of the others nobody knows what their input was. */
    private static final double REGULAR = 0.9;
    /** Requests that differ by less are the same but for their rounding. */
    private static final double VARIES = 0.1;
    /** The share of a step's lines of which growing ones are an exception. */
    private static final double FEW = 0.5;

    /** Lines of one size by which an input shows that it has one size as well: what makes it, and what first computes with it. */
    private static final int OF_INPUT = 2;

    private static final int NONE = -1;

    /** The bytes of a stack, step by step: in how many steps there were any, in how many more than in the one before, and the least and the most. */
    private static final class Course {
        private final long[] bytes;
        private final long[] before;
        private final int[] last;
        private final int[] steps;
        private final int[] rises;
        private final long[] least;
        private final long[] most;

        Course(int stacks) {
            bytes = new long[stacks];
            before = new long[stacks];
            last = new int[stacks];
            steps = new int[stacks];
            rises = new int[stacks];
            least = new long[stacks];
            most = new long[stacks];
            Arrays.fill(least, Long.MAX_VALUE);
        }

        /** Takes bytes of a step, counted from 1; whether they are its first. */
        boolean take(int stack, long more, int step) {
            boolean isFirst = last[stack] != step;
            if (isFirst) {
                end(stack);
                before[stack] = last[stack] == step - 1 && steps[stack] > 0 ? bytes[stack] : -1;
                bytes[stack] = 0;
                last[stack] = step;
                steps[stack]++;
            }
            bytes[stack] += more;
            return isFirst;
        }

        /** Compares the last step with the one before, once. */
        void end(int stack) {
            rises[stack] += before[stack] >= 0 && bytes[stack] > before[stack] ? 1 : 0;
            before[stack] = -1;
            if (steps[stack] > 0) {
                least[stack] = Math.min(least[stack], bytes[stack]);
                most[stack] = Math.max(most[stack], bytes[stack]);
            }
        }

        boolean isChanging(int stack) {
            return most[stack] - least[stack] > VARIES * most[stack];
        }

        boolean isRising(int stack) {
            return steps[stack] >= FEWEST && rises[stack] >= NEARLY_ALL * steps[stack];
        }
    }

    private final Lifetimes lifetimes;
    private final int steps;
    private final Course born;
    private final Course handed;
    /** The sum of the places that each stack had in its steps, of the stacks of the step. */
    private final long[] places;

    private int step;
    private int place;
    /** The first stack of a step whose bytes change from step to step, {@link #NONE} where none does. */
    private int firstToChange = NONE;

    private boolean isInput = true;

    Successors(Lifetimes lifetimes, Steps steps, int stacks) {
        this.lifetimes = lifetimes;
        this.steps = steps.count();
        this.born = new Course(stacks);
        this.handed = new Course(stacks);
        this.places = new long[stacks];
    }

    /** Returns whether there are steps enough to tell. */
    boolean areSought() {
        return steps >= FEWEST;
    }

    /** Takes an allocation that was born in a step, those of earlier births first. */
    void born(int stack, long requested, int number) {
        if (number + 1 != step) {
            step = number + 1;
            place = 0;
        }
        boolean isWhole = step > 0 && step <= steps;
        if (isWhole && born.take(stack, requested, step)) {
            places[stack] += place++;
        }
    }

    /** Takes an allocation that was born in one step and died in the next. */
    void handedOn(int allocation, int number) {
        handed.take(lifetimes.stack(allocation), lifetimes.requested(allocation), number + 1);
    }

    /** Ends the counting: decides whether what rises follows the input. */
    void end() {
        IntArrayList regular = new IntArrayList();
        for (int stack = 0; stack < places.length; stack++) {
            born.end(stack);
            handed.end(stack);
            if (born.steps[stack] > REGULAR * steps) {
                regular.add(stack);
            }
        }
        int rising = 0;
        double first = Double.MAX_VALUE;
        for (int i = 0; i < regular.size(); i++) {
            int stack = regular.get(i);
            double mean = mean(stack);
            rising += born.isRising(stack) ? 1 : 0;
            if (born.isChanging(stack)) {
                firstToChange = mean < first ? stack : firstToChange;
                first = Math.min(first, mean);
            }
        }
        isInput = rising > FEW * regular.size() && first <= inputShown(regular);
    }

    /** The place in the step by which an input has shown that it has one size; beyond the last where it does not. */
    private double inputShown(IntArrayList regular) {
        double[] steady = IntStream.range(0, regular.size())
                .map(regular::get)
                .filter(stack -> !born.isChanging(stack))
                .mapToDouble(this::mean)
                .sorted()
                .toArray();
        return steady.length < OF_INPUT ? Double.MAX_VALUE : steady[OF_INPUT - 1];
    }

    private double mean(int stack) {
        return (double) places[stack] / Math.max(born.steps[stack], 1);
    }

    /** Returns whether the input of the steps was seen to change: the first line of them whose bytes change does not follow what grows by itself. */
    boolean changesInput() {
        return firstToChange != NONE && !(handed.isRising(firstToChange) && !isInput);
    }

    /** Returns whether an allocation is one of a line's that grow by being replaced. */
    boolean grow(int allocation) {
        return !isInput && handed.isRising(lifetimes.stack(allocation));
    }
}
