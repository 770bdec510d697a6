package dev.leakline.statistics;

import org.hipparchus.special.Beta;
import org.hipparchus.stat.regression.SimpleRegression;

/**
 * A straight line through points by least squares, and how likely noise alone would make one as steep.
 *
 * @param slope how steep it is
 * @param correlation Pearson's r, from -1 to 1; 0 where nothing changes
 * @param p how likely a correlation at least as strong is without any trend, by Student's t, both sides
 */
public record Regression(double slope, double correlation, double p) {
    /** Keeps the test defined where r is 1, and is far below what r can tell. */
    private static final double TINY = 1e-20;

    /**
     * The line through points that are independent of one another; of at least three. Where all {@code x} are equal there is none: its
     * slope is NaN, and its correlation 0.
     */
    public static Regression of(double[] x, double[] y) {
        return of(x, y, x.length);
    }

    /**
     * The same for points in order of which each is like the one before. They say less than as many that are independent: as much as
     * {@code n (1 - a) / (1 + a)} of them, where {@code a} is the correlation of each residual with the one before.
     */
    public static Regression ofSeries(double[] x, double[] y) {
        Regression line = of(x, y, x.length);
        double a = Math.clamp(autocorrelation(x, y, line.slope), 0, 1);
        return of(x, y, x.length * (1 - a) / (1 + a));
    }

    private static Regression of(double[] x, double[] y, double independent) {
        SimpleRegression fit = new SimpleRegression();
        for (int i = 0; i < x.length; i++) {
            fit.addData(x[i], y[i]);
        }
        boolean isLine = fit.getXSumSquares() > 0;
        double r = isLine && fit.getTotalSumSquares() > 0 ? Math.clamp(correlation(fit), -1, 1) : 0;
        return new Regression(isLine ? slope(fit) : Double.NaN, r, significance(r, independent - 2));
    }

    private static double slope(SimpleRegression fit) {
        return fit.getSumOfCrossProducts() / fit.getXSumSquares();
    }

    private static double correlation(SimpleRegression fit) {
        return fit.getSumOfCrossProducts() / Math.sqrt(fit.getXSumSquares() * fit.getTotalSumSquares());
    }

    /** Student's distribution by the incomplete beta function, which is exact far out, where one less a cumulative probability is 0. */
    private static double significance(double r, double freedom) {
        if (freedom <= 0) {
            return 1;
        }
        double t = r * Math.sqrt(freedom / ((1 - r + TINY) * (1 + r + TINY)));
        return Beta.regularizedBeta(freedom / (freedom + t * t), freedom / 2, 0.5);
    }

    private static double autocorrelation(double[] x, double[] y, double slope) {
        double[] residuals = new double[x.length];
        double mean = 0;
        for (int i = 0; i < x.length; i++) {
            residuals[i] = y[i] - y[0] - slope * (x[i] - x[0]);
            mean += residuals[i] / x.length;
        }
        double products = 0;
        double squares = 0;
        for (int i = 0; i < x.length; i++) {
            products += i == 0 ? 0 : (residuals[i] - mean) * (residuals[i - 1] - mean);
            squares += (residuals[i] - mean) * (residuals[i] - mean);
        }
        return squares > 0 ? products / squares : 0;
    }
}
