package dev.leakline.statistics;

import com.carrotsearch.hppc.IntArrayList;

/** Finds the steps from which on a floor stays above the highest that it had been: its clicks. */
final class ClickFinder {
    private final long[] floor;
    private final IntArrayList points;

    ClickFinder(long[] floor, IntArrayList points) {
        this.floor = floor;
        this.points = points;
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
            lowest = Math.min(lowest, at(i));
            lowestAhead[i] = lowest;
        }
        return lowestAhead;
    }

    private long at(int point) {
        return floor[points.get(point)];
    }
}
