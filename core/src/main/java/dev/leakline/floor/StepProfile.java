package dev.leakline.floor;

import com.carrotsearch.hppc.IntIntHashMap;
import com.carrotsearch.hppc.LongIntHashMap;
import dev.leakline.columns.StackTable;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.site.UserCalls;
import dev.leakline.steps.StepCursor;
import dev.leakline.steps.Steps;
import java.util.Arrays;

/** What each step does: how often it allocates, how much, and from which of the user's lines. */
public final class StepProfile {
    /** Spreads the numbers of lines over all bits (the golden ratio), so that sums of them tell sets of lines apart. */
    private static final long SPREAD = 0x9E3779B97F4A7C15L;
    /** One step in ten at either end does not count as the usual. */
    private static final int TAIL = 10;

    private final int[] allocations;
    private final long[] bytes;
    private final long[] patterns;
    private final Steps steps;

    public StepProfile(Lifetimes lifetimes, Steps steps, UserCalls calls) {
        this.steps = steps;
        this.allocations = new int[steps.count()];
        this.bytes = new long[steps.count()];
        this.patterns = new long[steps.count()];
        IntIntHashMap lastStep = new IntIntHashMap();
        StepCursor cursor = new StepCursor(steps);
        for (int allocation = 0; allocation < lifetimes.count(); allocation++) {
            int born = lifetimes.born(allocation);
            int step = cursor.of(born);
            if (born >= 0 && step >= 0 && step < steps.count()) {
                allocations[step]++;
                bytes[step] += lifetimes.requested(allocation);
                take(step, lifetimes.stack(allocation), calls, lastStep);
            }
        }
    }

    private void take(int step, int stack, UserCalls calls, IntIntHashMap lastStep) {
        if (stack != StackTable.NONE && lastStep.put(stack, step + 1) != step + 1) {
            int line = calls.end(stack);
            if (lastStep.put(-2 - line, step + 1) != step + 1) {
                patterns[step] += mix(line);
            }
        }
    }

    private static long mix(int line) {
        long spread = (line + 1) * SPREAD;
        return spread ^ spread >>> 32;
    }

    /** The set of lines that a step allocates at, as a number that is the same for the same set. */
    public long pattern(int step) {
        return patterns[step];
    }

    /** Bytes that the steps from {@code first} to {@code last} requested. */
    public long bytes(int first, int last) {
        long sum = 0;
        for (int step = Math.max(first, 0); step <= last; step++) {
            sum += bytes[step];
        }
        return sum;
    }

    /** A step of the most common pattern. */
    public int usual() {
        LongIntHashMap counts = new LongIntHashMap();
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
