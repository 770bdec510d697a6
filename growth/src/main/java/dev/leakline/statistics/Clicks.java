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
    /** How many of the steps before each do the work that the floor comes of; only they count as time. */
    private final int[] clock;

    private final int from;
    private final int to;

    /** Judges clicks; there must be two at least for all but {@link #steps}. */
    Clicks(IntArrayList steps, int[] clock, Sawteeth teeth) {
        this.steps = steps;
        this.clock = clock;
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
        int ends = Math.max(time(from, first()), quiet());
        return Math.max(longestGap(), ends) <= LONGEST_GAPS * shortest;
    }

    /** Steps that are judged, of those that count. */
    int all() {
        return time(from, to);
    }

    /** Steps since the last of them. */
    int quiet() {
        return time(last(), to);
    }

    /** Returns whether it has risen no more for longer than its clicks can be apart: it has stopped, or is not fed any more. */
    boolean hasPaused() {
        boolean isLong = quiet() > Math.max(PATIENCE * meanGap(), LONGEST_GAPS * longestGap());
        return isLong && quiet() > Sawteeth.LAST_PART * all();
    }

    private double meanGap() {
        return (double) time(first(), last()) / (steps.size() - 1);
    }

    /** Steps from one to another, of those that count. */
    private int time(int first, int last) {
        return clock[last] - clock[first];
    }

    private int gap(int click) {
        return time(steps.get(click - 1), steps.get(click));
    }

    private int longestGap() {
        return IntStream.range(1, steps.size()).map(this::gap).max().orElse(0);
    }
}
