package dev.leakline.statistics;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.cursors.IntCursor;
import java.util.Arrays;

/** Where a floor piles up and is freed at once, and the part of its steps that is judged. */
final class Sawteeth {
    /** The last part of the steps, in which freeing everything counts as the end of the run. */
    static final double LAST_PART = 0.1;
    /** A fall by this share of a pile frees it; a smaller one is turnover. */
    static final double RELEASED = 0.5;
    /** Steps that must have added to a pile for its release to be one. */
    private static final int FEWEST_PILED = 3;

    /** A pile is built up in at least twice as many steps as free it; noise falls as often as it rises. */
    private static final int PILES = 2;
    /** Standard deviations of the noise that a pile must exceed: a hundred values at random reach over five. */
    private static final int BEYOND_NOISE = 6;

    private final long[] floor;
    private final IntArrayList releases = new IntArrayList();
    private int from;
    private int to;

    Sawteeth(long[] floor) {
        this.floor = floor;
        findReleases();
        bound();
    }

    /** The places where a pile was freed that exceeds the noise; none for noise alone. */
    static IntArrayList piles(long[] values) {
        int rises = 0;
        int falls = 0;
        for (int i = 1; i < values.length; i++) {
            rises += values[i] > values[i - 1] ? 1 : 0;
            falls += values[i] < values[i - 1] ? 1 : 0;
        }
        IntArrayList piles = new IntArrayList();
        double noise = ChangePoints.noise(Arrays.stream(values).asDoubleStream().toArray());
        int before = 0;
        for (IntCursor release : new Sawteeth(values).releases) {
            long pile = Arrays.stream(values, before, release.value).max().orElse(0) - values[release.value];
            if (rises >= PILES * falls && pile > BEYOND_NOISE * noise) {
                piles.add(release.value);
            }
            before = release.value;
        }
        return piles;
    }

    /** The steps at which a pile was freed. */
    IntArrayList releases() {
        return releases;
    }

    /** The first step that is judged. */
    int from() {
        return from;
    }

    /** The last step that is judged. */
    int to() {
        return to;
    }

    /** Returns whether only the troughs between piles tell whether it grows. */
    boolean isSawtooth() {
        return releases.size() > 1 && to == releases.get(releases.size() - 1);
    }

    /** Returns whether it was freed once, after all that is judged. */
    boolean isFreedAtEnd() {
        return releases.size() == 1 && releases.get(0) > to;
    }

    /** The steps to look at: of a sawtooth the troughs, else all that are judged. */
    IntArrayList points() {
        IntArrayList points = new IntArrayList();
        if (isSawtooth()) {
            points.add(from);
            points.addAll(releases);
        } else {
            for (int step = from; step <= to; step++) {
                points.add(step);
            }
        }
        return points;
    }

    private void findReleases() {
        long trough = floor.length == 0 ? 0 : floor[0];
        long high = trough;
        int piled = 0;
        for (int step = 1; step < floor.length; step++) {
            if (floor[step] > high) {
                high = floor[step];
                piled++;
            } else if (piled >= FEWEST_PILED && high - floor[step] >= RELEASED * (high - trough)) {
                releases.add(step);
                trough = floor[step];
                high = trough;
                piled = 0;
            } else if (floor[step] < trough) {
                trough = floor[step];
                high = trough;
                piled = 0;
            }
        }
    }

    /** Sets the part of the steps that is judged. */
    private void bound() {
        to = floor.length - 1;
        if (releases.isEmpty()) {
            return;
        }
        int last = releases.get(releases.size() - 1);
        if (releases.size() == 1 && last >= floor.length * (1 - LAST_PART)) {
            to = last - 1;
        } else if (floor.length - last > 2 * longestTooth()) {
            from = last;
        } else {
            to = last;
        }
    }

    private int longestTooth() {
        int longest = releases.get(0);
        for (int i = 1; i < releases.size(); i++) {
            longest = Math.max(longest, releases.get(i) - releases.get(i - 1));
        }
        return longest;
    }
}
