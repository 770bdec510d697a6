package dev.leakline.floor;

import java.util.BitSet;
import java.util.stream.IntStream;

/**
 * The steps in which a line could have kept something: those that do the work which is done whenever it does. A leak of training does not stop
 * because a validation follows, and it does not come more rarely because a validation lies between its epochs; a cache that has filled up is
 * quiet while all the rest goes on.
 */
final class Activity {
    /** Stacks that allocate in nearly all steps in which the line keeps something are part of the same work. */
    private static final double NEARLY_ALL = 0.9;
    /** A step does the same work where most of these stacks allocate; a branch may leave some out. */
    private static final double MOST = 0.5;

    private Activity() {}

    /**
     * For each step how many of those before it do the work.
     *
     * @param kept the steps in which the line kept something
     * @param own the stacks of what it kept, which do not count
     */
    static int[] clock(StepProfile profile, int steps, BitSet kept, BitSet own) {
        BitSet companions = companions(profile, kept, own);
        int[] clock = IntStream.range(0, steps).toArray();
        if (!companions.isEmpty()) {
            int count = 0;
            for (int step = 0; step < steps; step++) {
                clock[step] = count;
                count += common(profile.stacks(step), companions) >= MOST * companions.cardinality() ? 1 : 0;
            }
        }
        return clock;
    }

    private static BitSet companions(StepProfile profile, BitSet kept, BitSet own) {
        int[] counts = new int[profile.stackCount()];
        kept.stream().forEach(step -> profile.stacks(step).forEach(stack -> counts[stack]++));
        BitSet companions = new BitSet();
        for (int stack = 0; stack < counts.length; stack++) {
            companions.set(
                    stack, counts[stack] > 0 && counts[stack] >= NEARLY_ALL * kept.cardinality() && !own.get(stack));
        }
        return companions;
    }

    private static int common(IntStream stacks, BitSet companions) {
        return (int) stacks.filter(companions::get).count();
    }
}
