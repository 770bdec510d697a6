package dev.leakline.statistics;

import com.carrotsearch.hppc.IntArrayList;
import java.util.stream.IntStream;

/** The steps at which a floor rose for good, and the times between them. */
final class Clicks {
    /** Mean gaps that pass without a click once in a hundred times, where clicks come at random: {@code -ln 0.01}. */
    private static final double PATIENCE = 4.6;
    /** Clicks that come in bursts, by epochs say: half as long again as the longest gap that was seen. */
    private static final double LONGEST_GAPS = 1.5;

    private final IntArrayList steps;

    private final int from;
    private final int to;

    /** Judges clicks; there must be two at least for all but {@link #steps}. */
    Clicks(IntArrayList steps, Sawteeth teeth) {
        this.steps = steps;
        this.from = teeth.from();
        this.to = teeth.to();
    }

    IntArrayList steps() {
        return steps;
    }

    int first() {
        return steps.get(0);
    }

    int last() {
        return steps.get(steps.size() - 1);
    }

    /** Returns whether they came at equal intervals from the beginning to the end. */
    boolean isRegular() {
        int shortest = IntStream.range(1, steps.size()).map(this::gap).min().orElse(0);
        int ends = Math.max(first() - from, quiet());
        return Math.max(longestGap(), ends) <= LONGEST_GAPS * shortest;
    }

    /** Steps that are judged. */
    int all() {
        return to - from;
    }

    /** Steps since the last of them. */
    int quiet() {
        return to - last();
    }

    /** Returns whether it has risen no more for longer than its clicks can be apart: it has stopped, or is not fed any more. */
    boolean hasPaused() {
        boolean isLong = quiet() > Math.max(PATIENCE * meanGap(), LONGEST_GAPS * longestGap());
        return isLong && quiet() > Sawteeth.LAST_PART * all();
    }

    private double meanGap() {
        return (double) (last() - first()) / (steps.size() - 1);
    }

    private int gap(int click) {
        return steps.get(click) - steps.get(click - 1);
    }

    private int longestGap() {
        return IntStream.range(1, steps.size()).map(this::gap).max().orElse(0);
    }
}
