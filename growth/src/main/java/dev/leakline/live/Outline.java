package dev.leakline.live;

import dev.leakline.statistics.Level;
import java.util.Arrays;

/**
 * All that was watched of a figure, in outline: at first each measurement, then parts of two, four, and so on, with the lowest value and the middle of each. It
 * has the same size however long that is, and what it is judged by is what measurements in a file are judged by.
 */
final class Outline {
    /** Parts at most: runs of several hundred steps are judged by each of them, as those in a file are. */
    private static final int PARTS = 512;
    /** Measurements for which it is judged again: a sixteenth of them all. */
    private static final int FRESH = 16;

    private final double[] places = new double[PARTS];
    private final long[] lowest = new long[PARTS];
    private final double[] middles = new double[PARTS];
    private int size;
    private int parted = 1;
    private int pending;
    private long count;
    private long judgedAt;
    private Level judged = Level.ofProcess(new double[0], new long[0], true);

    /** Adds a measurement. */
    void add(double place, double value) {
        if (pending == 0 && size == PARTS) {
            halve();
        }
        if (pending == 0) {
            places[size] = 0;
            lowest[size] = Long.MAX_VALUE;
            middles[size] = 0;
            size++;
        }
        int part = size - 1;
        pending++;
        places[part] += (place - places[part]) / pending;
        middles[part] += (value - middles[part]) / pending;
        lowest[part] = Math.min(lowest[part], Math.round(value));
        pending %= parted;
        count++;
    }

    private void halve() {
        for (int part = 0; 2 * part < PARTS; part++) {
            places[part] = (places[2 * part] + places[2 * part + 1]) / 2;
            lowest[part] = Math.min(lowest[2 * part], lowest[2 * part + 1]);
            middles[part] = (middles[2 * part] + middles[2 * part + 1]) / 2;
        }
        size = PARTS / 2;
        parted *= 2;
    }

    /** Judges all of it when it is asked next. */
    void refresh() {
        judgedAt = -1;
    }

    /** The judgement of all but what is new since it was last made, a sixteenth at the most. */
    Level judged() {
        if (judgedAt < 0 || count - judgedAt > count / FRESH) {
            judgedAt = count;
            int whole = pending == 0 ? size : size - 1;
            judged = Level.ofProcess(
                    Arrays.copyOf(places, whole), Arrays.copyOf(lowest, whole), Arrays.copyOf(middles, whole), true);
        }
        return judged;
    }
}
