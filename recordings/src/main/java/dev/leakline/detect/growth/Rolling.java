package dev.leakline.detect.growth;

import com.carrotsearch.hppc.cursors.IntCursor;
import dev.leakline.detect.growth.LeakSites.Grower;
import dev.leakline.evidence.Evidence;
import dev.leakline.floor.Survivors;

/**
 * Distinguishes a collection with a bound, whose entries become larger, from a leak: since it is full, an entry goes for each that comes, and all that it
 * held then was replaced.
 */
final class Rolling {
    /** Entries that make a collection: fewer are what a few variables hold. */
    private static final int FEWEST = 6;
    /** The most by which the number of entries differs from step to step: one comes before another goes. */
    private static final int SLACK = 2;

    private final Evidence evidence;

    Rolling(Evidence evidence) {
        this.evidence = evidence;
    }

    /** Returns whether the entries of what grows roll. */
    boolean explains(Grower grower) {
        int steps = evidence.steps().count();
        int[] changes = new int[steps + 1];
        Survivors survivors = evidence.survivors();
        int full = steps;
        int replaced = 0;
        for (IntCursor survivor : grower.group().survivors()) {
            int end = survivors.end(survivor.value);
            changes[Math.min(survivors.first(survivor.value), steps)]++;
            changes[end]--;
            replaced += end < steps ? 1 : 0;
            full = Math.min(full, end);
        }
        return full < steps && roll(changes, full, replaced);
    }

    /** Returns whether there are always as many from one step on, and as many were replaced; {@code changes} has by how many each step has more. */
    private static boolean roll(int[] changes, int full, int replaced) {
        int there = 0;
        int least = Integer.MAX_VALUE;
        int most = 0;
        for (int step = 0; step < changes.length - 1; step++) {
            there += changes[step];
            if (step >= full) {
                least = Math.min(least, there);
                most = Math.max(most, there);
            }
        }
        return least >= FEWEST && most - least <= SLACK && replaced >= most;
    }
}
