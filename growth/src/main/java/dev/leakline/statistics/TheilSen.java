package dev.leakline.statistics;

import java.util.Arrays;
import org.hipparchus.distribution.continuous.NormalDistribution;

/**
 * Theil's and Sen's line: its slope is the median of the slopes between all pairs of points, which three odd points in ten do not bend.
 *
 * <p>The interval is Sen's (1968, Journal of the American Statistical Association 63, 1379–1389): the slopes that lie as many places from
 * the median as the score of {@link MannKendall} may be from none by chance. So it is wider where values depend on their neighbours.
 *
 * <p>Takes time that grows with the square of the number of points; a few hundred are meant.
 *
 * @param slope values per position; NaN where there are not two positions
 * @param low the lower end of the slope's 95 % interval
 * @param high its upper end
 */
public record TheilSen(double slope, double low, double high) {
    private static final double WITHIN = new NormalDistribution().inverseCumulativeProbability(0.975);

    /** The line through points; {@code scoreVariance} is that of Mann's and Kendall's score of the values. */
    public static TheilSen of(double[] positions, double[] values, double scoreVariance) {
        double[] slopes = slopes(positions, values);
        if (slopes.length == 0) {
            return new TheilSen(Double.NaN, Double.NaN, Double.NaN);
        }
        double reach = WITHIN * Math.sqrt(scoreVariance);
        int last = slopes.length - 1;
        int low = (int) Math.rint((slopes.length - reach) / 2) - 1;
        int high = (int) Math.rint((slopes.length + reach) / 2);
        return new TheilSen(median(slopes), slopes[Math.clamp(low, 0, last)], slopes[Math.clamp(high, 0, last)]);
    }

    /** The slope alone; 0 where there are not two positions. */
    public static double median(double[] positions, double[] values) {
        double[] slopes = slopes(positions, values);
        return slopes.length == 0 ? 0 : median(slopes);
    }

    /** The slopes between all pairs of points that are not above each other, in ascending order. */
    private static double[] slopes(double[] positions, double[] values) {
        double[] slopes = new double[positions.length * Math.max(positions.length - 1, 0) / 2];
        int count = 0;
        for (int right = 1; right < positions.length; right++) {
            for (int left = 0; left < right; left++) {
                double distance = positions[right] - positions[left];
                if (distance != 0) {
                    slopes[count++] = (values[right] - values[left]) / distance;
                }
            }
        }
        Arrays.sort(slopes, 0, count);
        return Arrays.copyOf(slopes, count);
    }

    private static double median(double[] sorted) {
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
