package dev.leakline.floor;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.columns.StackTable;
import dev.leakline.hash.SeededLongIntMap;
import dev.leakline.site.UserCalls;
import dev.leakline.steps.Steps;
import java.util.Arrays;
import java.util.BitSet;
import java.util.function.IntPredicate;

/** Counts for each step how often it allocates, how many bytes, and from which of the user's lines. */
public final class StepProfile {
    /** Spreads the numbers of lines over all bits (the golden ratio), so that sums of them tell sets of lines apart. */
    private static final long SPREAD = 0x9E3779B97F4A7C15L;
    /** One step in ten at either end does not count as the usual. */
    private static final int TAIL = 10;
    /** Parts of a recording beside its steps: what comes before them, and what after. */
    private static final int TAIL_PART = 2;

    private final int[] allocations;
    private final long[] bytes;
    private final Steps steps;
    /** Number of allocations by stack. */
    private final int[] births;
    /** The stacks of set-up, of each step and of the tail, each once, in this order. */
    private final IntArrayList stacks = new IntArrayList();
    /** Index of the first stack of set-up, of each step and of the tail, then the end of all. */
    private final int[] firsts;
    /** The last part in which each stack was seen, plus one. */
    private final int[] seen;

    private int part = -1;
    private long[] patterns = {};

    /** A profile of nothing yet; {@code stackCount} is how many stacks the recording has. */
    public StepProfile(Steps steps, int stackCount) {
        this.steps = steps;
        this.allocations = new int[steps.count()];
        this.bytes = new long[steps.count()];
        this.births = new int[stackCount];
        this.seen = new int[stackCount];
        this.firsts = new int[steps.count() + TAIL_PART + 1];
    }

    /** Takes an allocation that was born in a step, those of earlier births first. */
    void take(int step, int stack, long requested) {
        if (step >= 0 && step < allocations.length) {
            allocations[step]++;
            bytes[step] += requested;
        }
        births[stack]++;
        openPart(step + 1);
        if (seen[stack] != part + 1) {
            seen[stack] = part + 1;
            stacks.add(stack);
        }
    }

    private void openPart(int number) {
        while (part < number) {
            firsts[++part] = stacks.size();
        }
    }

    /** Ends the taking. */
    void end() {
        openPart(firsts.length - 1);
    }

    /** Tells the steps apart by the lines that allocate in them; once, before anybody asks. */
    public void tellApart(UserCalls calls) {
        patterns = new long[steps.count()];
        int[] lastStep = new int[calls.size() + 1];
        for (int step = 0; step < patterns.length; step++) {
            for (int i = firsts[step + 1]; i < firsts[step + 2]; i++) {
                int line = calls.end(stacks.get(i));
                if (stacks.get(i) != StackTable.NONE && lastStep[line + 1] != step + 1) {
                    lastStep[line + 1] = step + 1;
                    patterns[step] += mix(line);
                }
            }
        }
    }

    /** Stacks of the recording. */
    int stackCount() {
        return births.length;
    }

    /** How often a stack allocates, within the recording. */
    public int births(int stack) {
        return births[stack];
    }

    /** The steps in which any of some stacks allocates, each plus one, so that set-up is 0. */
    public BitSet steps(IntPredicate isWanted) {
        BitSet wanted = new BitSet(births.length);
        for (int stack = 0; stack < births.length; stack++) {
            wanted.set(stack, births[stack] > 0 && isWanted.test(stack));
        }
        BitSet found = new BitSet(steps.count());
        for (int number = 0; number + 1 < firsts.length; number++) {
            for (int i = firsts[number]; i < firsts[number + 1] && !found.get(number); i++) {
                found.set(number, wanted.get(stacks.get(i)));
            }
        }
        return found;
    }

    private static long mix(int line) {
        long spread = (line + 1) * SPREAD;
        return spread ^ spread >>> 32;
    }

    /** The set of lines that a step allocates at, as a number that is the same for the same set. */
    public long pattern(int step) {
        return patterns[step];
    }

    /** How often the steps from {@code first} to {@code last} allocate. */
    public int allocations(int first, int last) {
        return Arrays.stream(allocations, Math.max(first, 0), last + 1).sum();
    }

    /** A step of the most common pattern. */
    public int usual() {
        SeededLongIntMap counts = new SeededLongIntMap();
        int usual = 0;
        for (int step = 0; step < patterns.length; step++) {
            if (counts.addTo(patterns[step], 1) > counts.get(patterns[usual])) {
                usual = step;
            }
        }
        return usual;
    }

    /** Bytes that all but the smallest tenth of the steps request at least. */
    public long usualLeast() {
        return quantile(bytes, steps.count() / TAIL);
    }

    /** Bytes that all but the largest tenth of the steps request at most. */
    public long usualMost() {
        return quantile(bytes, steps.count() - 1 - steps.count() / TAIL);
    }

    /** How much the number of allocations differs among the usual steps, as a share of the most. */
    public double spreadOfAllocations() {
        long[] counts = Arrays.stream(allocations).asLongStream().toArray();
        long most = quantile(counts, steps.count() - 1 - steps.count() / TAIL);
        return most == 0 ? 0 : 1 - (double) quantile(counts, steps.count() / TAIL) / most;
    }

    private static long quantile(long[] values, int rank) {
        long[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted.length == 0 ? 0 : sorted[Math.clamp(rank, 0, sorted.length - 1)];
    }
}
