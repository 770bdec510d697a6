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
    /** By which the number of entries may differ from step to step: one comes before another goes. */
    private static final int SLACK = 2;

    private final Evidence evidence;

    Rolling(Evidence evidence) {
        this.evidence = evidence;
    }

    /** Whether the entries of what grows roll. */
    boolean explains(Grower grower) {
        int steps = evidence.steps().count();
        int[] entries = new int[steps + 1];
        int[] gone = new int[steps + 1];
        Survivors survivors = evidence.survivors();
        int full = steps;
        for (IntCursor survivor : grower.group().survivors()) {
            int end = survivors.end(survivor.value);
            entries[Math.min(survivors.first(survivor.value), steps)]++;
            entries[end]--;
            gone[end]++;
            full = Math.min(full, end);
        }
        return full < steps && roll(entries, gone, full);
    }

    /** Whether from one step on there are always as many, and more go one by one than were there; {@code entries} has by how many they change. */
    private static boolean roll(int[] changes, int[] gone, int full) {
        int there = 0;
        int least = Integer.MAX_VALUE;
        int most = 0;
        int replaced = 0;
        for (int step = 0; step < changes.length - 1; step++) {
            there += changes[step];
            if (step >= full) {
                least = Math.min(least, there);
                most = Math.max(most, there);
                replaced += gone[step];
            }
        }
        return least >= FEWEST && most - least <= SLACK && replaced >= most;
    }
}
