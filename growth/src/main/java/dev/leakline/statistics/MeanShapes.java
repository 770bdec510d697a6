package dev.leakline.statistics;

import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleUnaryOperator;

/** The means that a level may have, over a time from 0 to 1: sums of parts. */
final class MeanShapes {
    /**
     * A mean.
     *
     * @param goesOn whether it rises at the end, and after it
     * @param places in time, which it was given
     * @param terms the numbers of its parts, the last is what rises
     * @param from the time from which on that rises
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Mean(boolean goesOn, int places, int[] terms, double from) {
        /** Returns whether it is a line that steps interrupt. */
        boolean isStairs() {
            return goesOn && terms[0] == ONE && terms[terms.length - 1] == LINE;
        }
    }

    /** An end in the last tenth is no hypothesis: who goes on cannot be distinguished from who ended a moment ago. */
    static final double LAST_END = 0.9;
    /** With less than a fifth left there is little to see of what goes on. */
    static final double LAST_ONSET = 0.8;
    /** Time constants of what comes to its level exponentially; with a longer one it is a line. */
    private static final double SHORTEST = 0.03;

    private static final double LONGEST = 0.5;
    private static final double LONGER = 1.15;
    /** By what factor the slope has fallen at the end, where it does so as 1/t: what comes ever more rarely. */
    private static final double[] SLOWER = {12, 25, 50, 100, 200, 400};
    /** The root of that, where it does so as a square of 1/t, or the third root, as a cube. */
    private static final double[] ROOTS = {3, 6, 12, 25, 50, 100};
    /** The windows by which the tried pairs of places are apart, at which a ramp begins and ends: there are thousands. */
    private static final int COARSE = 9;

    /** Days that show the day's load, which a leak may follow: of fewer it is a bend, of more the windows are too long. */
    private static final double FEWEST_DAYS = 0.75;

    private static final double MOST_DAYS = 10;

    private static final int ONE = 0;
    private static final int LINE = 1;

    private final double[] times;
    private final List<double[]> parts = new ArrayList<>();
    private final List<Mean> means = new ArrayList<>();
    private final List<Integer> steps = new ArrayList<>();
    private int lastEnd;

    private MeanShapes(double[] times) {
        this.times = times;
        add(_ -> 1);
        add(time -> time);
    }

    /** A level and a line. */
    static MeanShapes lines(double[] times) {
        return new MeanShapes(times);
    }

    /**
     * All means at ascending times, each of which but the last is a place at which something may begin or end.
     *
     * @param days from the first time to the last; 0 where nobody knows
     */
    static MeanShapes all(double[] times, double days) {
        MeanShapes shapes = new MeanShapes(times);
        shapes.addMeans();
        if (days >= FEWEST_DAYS && days <= MOST_DAYS) {
            int[] wave = shapes.addWave(days);
            shapes.means.add(new Mean(false, 0, new int[] {ONE, wave[0], wave[1]}, 0));
            shapes.means.add(new Mean(true, 0, new int[] {wave[0], wave[1], ONE, LINE}, 0));
        }
        return shapes;
    }

    private void addMeans() {
        means.add(new Mean(false, 0, new int[] {ONE}, 0));
        means.add(new Mean(true, 0, new int[] {ONE, LINE}, 0));
        for (int k = 0; k + 1 < times.length; k++) {
            addPlace(times[k]);
        }
        for (int i = 1; i < times.length; i += COARSE) {
            for (int j = i + COARSE; j < times.length && times[j] <= LAST_END; j += COARSE) {
                double from = times[i];
                double to = times[j];
                bounded(2, add(time -> Math.clamp(time, from, to) - from));
            }
        }
        for (double constant = SHORTEST; constant <= LONGEST; constant *= LONGER) {
            double tau = constant;
            bounded(1, add(time -> 1 - Math.exp(-time / tau)));
        }
        for (double slower : SLOWER) {
            bounded(1, add(time -> Math.log(1 + slower * time)));
        }
        for (double root : ROOTS) {
            bounded(1, add(time -> 1 / (1 + root * time)));
            bounded(1, add(time -> Math.pow(1 + root * time, -2)));
        }
    }

    /** Adds a wave, and answers its parts beside a level and a line. */
    int[] addWave(double waves) {
        int cosine = add(time -> Math.cos(2 * Math.PI * time * waves));
        return new int[] {cosine, add(time -> Math.sin(2 * Math.PI * time * waves))};
    }

    private void addPlace(double place) {
        int step = add(time -> time > place ? 1 : 0);
        int first = add(time -> Math.min(time, place));
        int later = add(time -> Math.max(time - place, 0));
        steps.add(step);
        if (place <= LAST_END) {
            lastEnd = steps.size();
            bounded(1, step);
            bounded(1, first);
        }
        if (place <= LAST_ONSET) {
            means.add(new Mean(true, 1, new int[] {ONE, later}, place));
            means.add(new Mean(true, 1, new int[] {ONE, first, later}, place));
            means.add(new Mean(true, 1, new int[] {ONE, step, LINE}, 0));
        }
    }

    private void bounded(int places, int part) {
        means.add(new Mean(false, places, new int[] {ONE, part}, 0));
    }

    /** The mean of some steps, which rises between them if it goes on. */
    static Mean stairs(boolean goesOn, List<Integer> taken) {
        List<Integer> terms = new ArrayList<>(taken);
        terms.addFirst(ONE);
        if (goesOn) {
            terms.add(LINE);
        }
        return new Mean(goesOn, taken.size(), terms.stream().mapToInt(i -> i).toArray(), 0);
    }

    /** Adds a part, and answers its number. */
    int add(DoubleUnaryOperator value) {
        double[] part = new double[times.length];
        for (int i = 0; i < part.length; i++) {
            part[i] = value.applyAsDouble(times[i]);
        }
        parts.add(part);
        return parts.size() - 1;
    }

    /** All parts. */
    List<double[]> parts() {
        return parts;
    }

    /** All means but those of several steps. */
    List<Mean> means() {
        return means;
    }

    /** The parts that are a step, of which several make stairs; those that may be the last of what is bounded, or all. */
    List<Integer> steps(boolean goesOn) {
        return goesOn ? steps : steps.subList(0, lastEnd);
    }
}
