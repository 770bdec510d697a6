package dev.leakline.live;

import java.util.Arrays;

/**
 * Makes one series without seams of samples that were taken now and then: where the clock jumps, forward or back, or nobody looked for a while,
 * neither the time nor what happened to the value in it is counted. So a suspended night is no plateau, and growth that nobody saw no jump.
 */
final class SeamlessSeries {
    /** A step of the clock of as many usual ones is a gap; collectors lose single samples, and several in a row by chance. */
    private static final double GAP = 10;
    /** Before that many samples nobody knows what is usual. */
    private static final int KNOWN = 3;
    /** A new step changes the usual one by as much; one that is longer than four counts as four. */
    private static final double LEARNED = 0.05;

    private static final double LONGEST = 4;
    /** A rate of sampling that changes for good shows as gaps, until the usual step is as long. */
    private static final double LONGER = 1.2;
    /** The newest values, whose median is where the series stands. */
    private final double[] recent = new double[5];

    private long samples;
    private double lastT;
    private double interval;
    private double clock;
    private double shift;

    /** Takes a sample; false for one that was there already. */
    boolean add(double t, double value) {
        double step = t - lastT;
        if (samples > 0 && step == 0) {
            return false;
        }
        if (samples > 0 && (step < 0 || (samples > KNOWN && step > GAP * interval))) {
            shift = level() - value;
            clock += interval;
            interval *= step > 0 ? LONGER : 1;
        } else if (samples > 0) {
            clock += step;
            interval = samples == 1 ? step : interval + LEARNED * (Math.min(step, LONGEST * interval) - interval);
        }
        lastT = t;
        recent[(int) (samples++ % recent.length)] = value + shift;
        return true;
    }

    private double level() {
        double[] sorted = Arrays.copyOf(recent, (int) Math.min(samples, recent.length));
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    /** Seconds that were watched. */
    double clock() {
        return clock;
    }

    /** The amount added to values so that they continue from those before a gap. */
    double shift() {
        return shift;
    }

    /** The time of the newest sample. */
    double lastT() {
        return lastT;
    }

    long samples() {
        return samples;
    }
}
