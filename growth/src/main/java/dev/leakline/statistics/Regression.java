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
        SimpleRegression fit = new SimpleRegression();
        for (int i = 0; i < x.length; i++) {
            fit.addData(x[i], y[i]);
        }
        boolean isLine = fit.getXSumSquares() > 0;
        double r = isLine && fit.getTotalSumSquares() > 0 ? Math.clamp(correlation(fit), -1, 1) : 0;
        return new Regression(isLine ? slope(fit) : Double.NaN, r, significance(r, x.length - 2));
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
}
