package dev.leakline.live;

import org.jspecify.annotations.Nullable;

/**
 * A line through the blocks of a window by least squares, how far its slope can be trusted, and whether it bends.
 *
 * <p>Neighbouring blocks are alike: their residuals are taken for a first-order autoregression, whose coefficient is estimated with the bias
 * that a fit of few points has (Kendall 1954), and standard errors are as much wider.
 */
final class WindowTrend {
    /** The highest autocorrelation: in a window of some thirty blocks, a higher one cannot be told from a random walk's. */
    private static final double MOST_ALIKE = 0.9;
    /** The most that may be left to rise, in rises so far: twice for an exponential seen for a fifth of its time constant. */
    private static final double MOST_RISES = 2;
    /** Powers that are fitted: the line, its bend, and one more, so that a bend that eases off does not count as noise. */
    private static final int POWERS = 3;

    private final double[] x;
    private final double[] y;
    private final double slope;
    private final double spread;
    private final double deviations;
    private final double error;
    private final double bend;
    private final double rest;

    /** A line through points; {@code grain} is the rounding of the values, below which no spread is seen. */
    WindowTrend(double[] x, double[] y, double grain) {
        this.x = x;
        this.y = y;
        Fit fit = new Fit(x, y, grain);
        this.slope = fit.factors[0];
        this.spread = Math.max(deviation(fit.fromLine, 1), grain);
        this.error = fit.error(0, fit.fromLine, 1);
        this.deviations = error > 0 ? slope / error : 0;
        double bent = fit.error(1, fit.fromAll, POWERS);
        this.bend = bent > 0 ? fit.factors[1] / bent : 0;
        this.rest = fit.rest();
    }

    /** Orthogonal polynomials through the points: the line, the bend, and one more. Not kept, as a window has many. */
    private static final class Fit {
        private final double[] x;
        private final double grain;
        private final double middle;
        private final double[][] powers = new double[POWERS][];
        private final double[] factors = new double[POWERS];
        private final double[] squares = new double[POWERS];
        private final double[] fromLine;
        private final double[] fromAll;

        Fit(double[] x, double[] y, double grain) {
            this.x = x;
            this.grain = grain;
            this.middle = mean(x, 0, x.length);
            double[] left = less(y, mean(y, 0, y.length), null);
            double[] line = left;
            for (int power = 0; power < POWERS; power++) {
                powers[power] = polynomial(power);
                squares[power] = product(powers[power], powers[power], 0);
                factors[power] = squares[power] > 0 ? product(left, powers[power], 0) / squares[power] : 0;
                left = less(left, factors[power], powers[power]);
                line = power == 0 ? left : line;
            }
            this.fromLine = line;
            this.fromAll = left;
        }

        /** Powers of x, less what the lower ones have in common with them. */
        private double[] polynomial(int power) {
            double[] values = new double[x.length];
            for (int i = 0; i < x.length; i++) {
                values[i] = (x[i] - middle) * (power == 0 ? 1 : powers[power - 1][i]);
            }
            values = less(values, mean(values, 0, values.length), null);
            for (int lower = 0; lower < power; lower++) {
                double common = squares[lower] > 0 ? product(values, powers[lower], 0) / squares[lower] : 0;
                values = less(values, common, powers[lower]);
            }
            return values;
        }

        /** The standard error of a factor, from what is left of the values by as many as were fitted. */
        private double error(int power, double[] left, int fitted) {
            double all = product(left, left, 0);
            double alike = all > 0 ? product(left, left, 1) / all : 0;
            double unbiased = Math.clamp(alike + (fitted + 1 + (fitted + 3) * alike) / x.length, 0, MOST_ALIKE);
            double widened = Math.max(deviation(left, fitted), grain) * Math.sqrt((1 + unbiased) / (1 - unbiased));
            return squares[power] > 0 ? widened / Math.sqrt(squares[power]) : 0;
        }

        /** How much higher the parabola gets behind the last point. */
        private double rest() {
            double[] square = new double[x.length];
            for (int i = 0; i < x.length; i++) {
                square[i] = (x[i] - middle) * (x[i] - middle);
            }
            // The second polynomial is that, less a multiple of the first and a number.
            double skew = squares[0] > 0 ? product(square, powers[0], 0) / squares[0] : 0;
            double atEnd = factors[0] + factors[1] * (2 * (x[x.length - 1] - middle) - skew);
            return factors[1] >= 0 ? Double.POSITIVE_INFINITY : atEnd <= 0 ? 0 : atEnd * atEnd / (-4 * factors[1]);
        }
    }

    /** Values less a multiple of others, or, where there are none, less a number. */
    private static double[] less(double[] values, double factor, double @Nullable [] others) {
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

    /** Per unit of x. */
    double slope() {
        return slope;
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

    /**
     * Returns whether it comes to a level before it has risen by {@code room}. A bend that is sure and so slight that several times as much would follow
     * is that of a rate which varies: what comes to a level shows it in a window that is longer.
     *
     * @param bent standard errors of the bend, below 0
     */
    boolean levelsOff(double bent, double room) {
        return bend < bent && rest < Math.min(room, MOST_RISES * rise());
    }

    double span() {
        return x[x.length - 1] - x[0];
    }

    double rise() {
        return slope() * span();
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
