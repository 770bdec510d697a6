package dev.leakline.statistics;

import com.carrotsearch.hppc.IntArrayList;
import java.util.Arrays;

/**
 * Finds where a series changes its level or its slope: the parts of it that straight lines fit best.
 *
 * <p>Every way to cut a series into stretches costs the squares that the lines of its stretches leave, and a penalty for each cut; the
 * cheapest way is found exactly, place by place, from the cheapest ways up to each earlier place (Jackson and others, 2005, IEEE Signal
 * Processing Letters 12, 105–108; PELT finds the same). The penalty is Schwarz's: a cut adds three numbers to what is said of the
 * series (where it is, and the two of another line), each worth the noise's variance times the logarithm of the number of points.
 *
 * <p>The noise is told from second differences, which straight lines do not have: their median size, so that the jumps do not count.
 *
 * <p>Takes time that grows with the square of the number of points; a few hundred are meant.
 */
public final class ChangePoints {
    /** Points of the shortest stretch: through two any line goes, and through three one nearly does. */
    private static final int SHORTEST = 4;
    /** Numbers that a cut adds to the description of a series. */
    private static final int NUMBERS = 3;
    /** The standard deviation of a normal distribution, in medians of absolute values. */
    private static final double NORMAL = 1.4826;
    /** The variance of a second difference, in variances of a point: 1 + 4 + 1. */
    private static final double SECOND = 6;

    private final double[] positions;
    private final double[] values;
    /** Sums of the points before each place: of x, y, x², xy, y². */
    private final double[][] sums;

    private ChangePoints(double[] positions, double[] values) {
        this.positions = positions;
        this.values = values;
        this.sums = new double[5][values.length + 1];
        sum();
    }

    /**
     * The places at which a new stretch begins, in ascending order; none where one line does.
     *
     * @param positions not descending
     * @param resolution of the values: what they deviate by is taken for at least as much
     */
    public static IntArrayList of(double[] positions, double[] values, double resolution) {
        double noise = Math.max(noise(values), resolution);
        double penalty = NUMBERS * noise * noise * Math.log(Math.max(values.length, 1));
        return values.length < 2 * SHORTEST || penalty <= 0
                ? new IntArrayList()
                : new ChangePoints(positions, values).cheapest(penalty);
    }

    /** The standard deviation of the noise around whatever the values do, as far as that is straight. */
    public static double noise(double[] values) {
        double[] differences = new double[Math.max(values.length - 2, 0)];
        Arrays.setAll(differences, i -> Math.abs(values[i] - 2 * values[i + 1] + values[i + 2]));
        Arrays.sort(differences);
        return differences.length == 0 ? 0 : NORMAL * differences[differences.length / 2] / Math.sqrt(SECOND);
    }

    private IntArrayList cheapest(double penalty) {
        int count = values.length;
        double[] costs = new double[count + 1];
        int[] starts = new int[count + 1];
        Arrays.fill(costs, 1, count + 1, Double.POSITIVE_INFINITY);
        for (int end = SHORTEST; end <= count; end++) {
            for (int start = 0; start <= end - SHORTEST; start++) {
                double cost = costs[start] + squares(start, end) + penalty;
                if (cost < costs[end]) {
                    costs[end] = cost;
                    starts[end] = start;
                }
            }
        }
        return cuts(starts);
    }

    private static IntArrayList cuts(int[] starts) {
        IntArrayList cuts = new IntArrayList();
        for (int start = starts[starts.length - 1]; start > 0; start = starts[start]) {
            cuts.insert(0, start);
        }
        return cuts;
    }

    /** Both axes are first brought near one, so that squares of large numbers do not swallow what is between them. */
    private void sum() {
        double middle = values.length == 0 ? 0 : values[values.length / 2];
        double first = positions.length == 0 ? 0 : positions[0];
        double width = positions.length == 0 ? 0 : positions[positions.length - 1] - first;
        for (int i = 0; i < values.length; i++) {
            double x = width > 0 ? (positions[i] - first) / width : 0;
            double y = values[i] - middle;
            double[] terms = {x, y, x * x, x * y, y * y};
            for (int term = 0; term < terms.length; term++) {
                sums[term][i + 1] = sums[term][i] + terms[term];
            }
        }
    }

    /** The sum of squares that the best line through a stretch leaves. */
    private double squares(int start, int end) {
        double count = end - start;
        double x = between(0, start, end);
        double y = between(1, start, end);
        double xx = between(2, start, end) - x * x / count;
        double xy = between(3, start, end) - x * y / count;
        double yy = between(4, start, end) - y * y / count;
        return Math.max(xx > 0 ? yy - xy * xy / xx : yy, 0);
    }

    private double between(int term, int start, int end) {
        return sums[term][end] - sums[term][start];
    }
}
