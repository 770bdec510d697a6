package dev.leakline.statistics;

import com.carrotsearch.hppc.IntArrayList;

/** Finds the steps from which on a floor stays above the highest that it had been: its clicks. */
final class ClickFinder {
    private final long[] floor;
    private final IntArrayList points;
    private final boolean isSawtooth;

    ClickFinder(long[] floor, Sawteeth teeth) {
        this.floor = floor;
        this.points = teeth.points();
        this.isSawtooth = teeth.isSawtooth();
    }

    IntArrayList clicks() {
        IntArrayList clicks = new IntArrayList();
        long[] lowestAhead = lowestAhead();
        long highestOfLast = Long.MAX_VALUE;
        long highest = 0;
        for (int i = 0; i < points.size(); i++) {
            highest = Math.max(highest, at(i));
            if (i == 0) {
                highestOfLast = highest;
            } else if (lowestAhead[i] > highestOfLast) {
                clicks.add(points.get(i));
                highestOfLast = highest;
            }
        }
        return clicks;
    }

    private long[] lowestAhead() {
        long[] lowestAhead = new long[points.size()];
        long lowest = Long.MAX_VALUE;
        for (int i = points.size() - 1; i >= 0; i--) {
            lowest = Math.min(lowest, isReplacing(i) ? at(i - 1) : at(i));
            lowestAhead[i] = lowest;
        }
        return lowestAhead;
    }

    /**
     * Whether a block makes way for another in a step, so that neither lives through the whole of it: the floor falls for that step alone and is level
     * for two steps on either side, as one that wanders seldom is.
     */
    private boolean isReplacing(int i) {
        if (i < 2 || i + 2 >= points.size() || isSawtooth) {
            return false;
        }
        long level = at(i - 1);
        return at(i) < level && at(i - 2) == level && at(i + 1) == level && at(i + 2) == level;
    }

    private long at(int point) {
        return floor[points.get(point)];
    }
}
