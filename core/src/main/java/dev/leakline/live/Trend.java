package dev.leakline.live;

/**
 * A line through the blocks of a window by least squares, how far its slope can be trusted, and whether it bends.
 *
 * <p>Neighbouring blocks are alike: their residuals are taken for a first-order autoregression, whose coefficient is estimated with the bias
 * that a fit of few points has (Kendall 1954), and standard errors are as much wider.
 */
final class Trend {
    /** What is nearer to a random walk cannot be told from one in a window of some thirty blocks. */
    private static final double MOST_ALIKE = 0.9;
    /** Powers that are fitted: the line, its bend, and one more, so that a bend that eases off does not count as noise. */
    private static final int POWERS = 3;

    private final double[] x;
    private final double[] y;
    private final double[][] powers = new double[POWERS][];
    private final double[] factors = new double[POWERS];
    private final double[] squares = new double[POWERS];
    private final double spread;
    private final double deviations;
    private final double error;
    private final double bend;

    /** A line through points; {@code grain} is the rounding of the values, below which no spread is seen. */
    Trend(double[] x, double[] y, double grain) {
        this.x = x;
        this.y = y;
        double[] rest = less(y, mean(y, 0, y.length), null);
        for (int power = 0; power < POWERS; power++) {
            powers[power] = polynomial(power);
            squares[power] = product(powers[power], powers[power], 0);
            factors[power] = squares[power] > 0 ? product(rest, powers[power], 0) / squares[power] : 0;
            rest = less(rest, factors[power], powers[power]);
        }
        double[] line = less(rest, 0, null);
        for (int power = 1; power < POWERS; power++) {
            line = less(line, -factors[power], powers[power]);
        }
        this.spread = Math.max(deviation(line, 1), grain);
        this.error = error(0, line, 1, grain);
        this.deviations = error > 0 ? slope() / error : 0;
        this.bend = significance(1, rest, POWERS, grain);
    }

    /** Powers of x, less what the lower ones have in common with them. */
    private double[] polynomial(int power) {
        double middle = mean(x, 0, x.length);
        double[] values = new double[x.length];
        for (int i = 0; i < x.length; i++) {
            values[i] = power == 0 ? x[i] - middle : (x[i] - middle) * powers[power - 1][i];
        }
        values = less(values, mean(values, 0, values.length), null);
        for (int lower = 0; lower < power; lower++) {
            double common = squares[lower] > 0 ? product(values, powers[lower], 0) / squares[lower] : 0;
            values = less(values, common, powers[lower]);
        }
        return values;
    }

    /** Values less a multiple of others, or, where there are none, less a number. */
    private static double[] less(double[] values, double factor, double @org.jspecify.annotations.Nullable [] others) {
        double[] rest = new double[values.length];
        for (int i = 0; i < rest.length; i++) {
            rest[i] = values[i] - factor * (others == null ? 1 : others[i]);
        }
        return rest;
    }

    private static double product(double[] a, double[] b, int lag) {
        double sum = 0;
        for (int i = lag; i < a.length; i++) {
            sum += a[i] * b[i - lag];
        }
        return sum;
    }

    private static double deviation(double[] rest, int fitted) {
        return Math.sqrt(product(rest, rest, 0) / Math.max(1, rest.length - 1 - fitted));
    }

    /** A factor in its standard errors. */
    private double significance(int power, double[] rest, int fitted, double grain) {
        double error = error(power, rest, fitted, grain);
        return error > 0 ? factors[power] / error : 0;
    }

    private double error(int power, double[] rest, int fitted, double grain) {
        double all = product(rest, rest, 0);
        double alike = all > 0 ? product(rest, rest, 1) / all : 0;
        double unbiased = Math.clamp(alike + (fitted + 1 + (fitted + 3) * alike) / x.length, 0, MOST_ALIKE);
        double widened = Math.max(deviation(rest, fitted), grain) * Math.sqrt((1 + unbiased) / (1 - unbiased));
        return squares[power] > 0 ? widened / Math.sqrt(squares[power]) : 0;
    }

    /** Per unit of x. */
    double slope() {
        return factors[0];
    }

    /** The standard deviation of the values from the line. */
    double spread() {
        return spread;
    }

    /** Standard errors by which the slope differs from 0. */
    double deviations() {
        return deviations;
    }

    /** The slope's standard error. */
    double error() {
        return error;
    }

    /** Standard errors by which it is not straight: below 0 it slows down. */
    double bend() {
        return bend;
    }

    /** How much higher a parabola through the values gets until it turns; infinite for one that does not. */
    double rest() {
        double curve = factors[1];
        double last = x[x.length - 1];
        double middle = mean(x, 0, x.length);
        // The second polynomial is (x - middle)^2 less a multiple of (x - middle) and a number.
        double skew = squares[0] > 0 ? product(square(middle), powers[0], 0) / squares[0] : 0;
        double atEnd = factors[0] + curve * (2 * (last - middle) - skew);
        return curve >= 0 ? Double.POSITIVE_INFINITY : atEnd <= 0 ? 0 : atEnd * atEnd / (-4 * curve);
    }

    private double[] square(double middle) {
        double[] values = new double[x.length];
        for (int i = 0; i < x.length; i++) {
            values[i] = (x[i] - middle) * (x[i] - middle);
        }
        return values;
    }

    double span() {
        return x[x.length - 1] - x[0];
    }

    double rise() {
        return slope() * span();
    }

    /** From the lowest value to the highest. */
    double range() {
        double low = y[0];
        double high = y[0];
        for (double value : y) {
            low = Math.min(low, value);
            high = Math.max(high, value);
        }
        return high - low;
    }

    /** The slope of a part, from one point to before another. */
    double slope(int from, int to) {
        double middle = mean(x, from, to);
        double xx = 0;
        double xy = 0;
        for (int i = from; i < to; i++) {
            xx += (x[i] - middle) * (x[i] - middle);
            xy += (x[i] - middle) * y[i];
        }
        return xx > 0 ? xy / xx : 0;
    }

    /** The mean of the values of a part. */
    double mean(int from, int to) {
        return mean(y, from, to);
    }

    private static double mean(double[] values, int from, int to) {
        double sum = 0;
        for (int i = from; i < to; i++) {
            sum += values[i];
        }
        return sum / (to - from);
    }

    /** The line at a place. */
    double at(double place) {
        return mean(y, 0, y.length) + slope() * (place - mean(x, 0, x.length));
    }

    int size() {
        return x.length;
    }

    double x(int point) {
        return x[point];
    }

    double y(int point) {
        return y[point];
    }
}
