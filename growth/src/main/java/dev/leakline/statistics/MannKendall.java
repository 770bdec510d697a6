package dev.leakline.statistics;

import java.util.Arrays;
import org.hipparchus.distribution.continuous.NormalDistribution;
import org.hipparchus.stat.ranking.NaturalRanking;
import org.hipparchus.stat.ranking.TiesStrategy;

/**
 * Mann's and Kendall's test of trend: whether later values are larger than earlier ones more often than chance would have it.
 *
 * <p>The score counts the pairs that rise, less those that fall; equal values make its variance smaller. All of that supposes that
 * neighbours know nothing of each other, and values taken of one process every second do. Hamed and Rao (1998, Journal of Hydrology 204,
 * 182–196) therefore enlarge the variance by what the ranks of the values, less their trend, have in common with those some places on:
 * a hundred measurements that repeat themselves ten times each are then worth ten. Correlations that chance makes are left out, and so
 * are those over more than a quarter of the series, of which there is not enough to know them. A correction that would make the test
 * surer is not made.
 *
 * <p>Takes time that grows with the square of the number of values; a few hundred are meant.
 */
public final class MannKendall {
    /** Lags beyond this part of a series are averages of too few products. */
    private static final int LAGS_PART = 4;

    private static final NormalDistribution NORMAL = new NormalDistribution();
    /** The bound that 95 % of the correlations of unrelated values stay within, in 1 / sqrt(n). */
    private static final double CHANCE = NORMAL.inverseCumulativeProbability(0.975);

    private final double[] values;
    private final long score;
    private final double independentVariance;
    private final double correction;

    /**
     * Tests values in their order.
     *
     * @param slope of the trend to take away before neighbours are compared, per place
     */
    MannKendall(double[] values, double slope) {
        this.values = values;
        this.score = countRises();
        this.independentVariance = countVariance();
        this.correction = correlate(slope);
    }

    /** Tests values in their order. */
    public static MannKendall of(double[] values) {
        double[] places = new double[values.length];
        Arrays.setAll(places, place -> place);
        return new MannKendall(values, TheilSen.median(places, values));
    }

    /** The pairs that rise, less those that fall. */
    public long score() {
        return score;
    }

    /** The score's variance where values are independent of each other. */
    public double independentVariance() {
        return independentVariance;
    }

    /** The factor by which correlation between neighbours increases the variance; at least 1. */
    public double correction() {
        return correction;
    }

    /** The score's variance as far as values depend on their neighbours. */
    public double variance() {
        return independentVariance * correction;
    }

    /** How many standard deviations the score is from none; 0 where all values are equal. */
    public double deviations() {
        double variance = variance();
        return variance <= 0 ? 0 : (score - Long.signum(score)) / Math.sqrt(variance);
    }

    /** The chance that values without a trend rise as much as these. */
    public double chanceOfRise() {
        return score == 0 ? 0.5 : 1 - NORMAL.cumulativeProbability(deviations());
    }

    private long countRises() {
        long sum = 0;
        for (int right = 1; right < values.length; right++) {
            for (int left = 0; left < right; left++) {
                sum += (long) Math.signum(values[right] - values[left]);
            }
        }
        return sum;
    }

    private double countVariance() {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        double sum = term(values.length);
        int start = 0;
        for (int i = 1; i <= sorted.length; i++) {
            if (i == sorted.length || sorted[i] != sorted[start]) {
                sum -= term(i - start);
                start = i;
            }
        }
        return sum / 18;
    }

    private static double term(double count) {
        return count * (count - 1) * (2 * count + 5);
    }

    private double correlate(double slope) {
        int count = values.length;
        double[] ranks = ranks(slope);
        double squares = product(ranks, 0);
        double sum = 0;
        for (int lag = 1; lag <= count / LAGS_PART && squares > 0; lag++) {
            double correlation = product(ranks, lag) / squares;
            boolean isChance = Math.abs(correlation) <= CHANCE / Math.sqrt(count);
            sum += isChance ? 0 : (count - lag) * (count - lag - 1.0) * (count - lag - 2.0) * correlation;
        }
        return count < 3 ? 1 : Math.max(1 + 2 * sum / (count * (count - 1.0) * (count - 2.0)), 1);
    }

    /** The ranks of the values without their trend, as deviations from the mean rank. */
    private double[] ranks(double slope) {
        double[] rest = new double[values.length];
        Arrays.setAll(rest, place -> values[place] - slope * place);
        double[] ranks = values.length == 0 ? rest : new NaturalRanking(TiesStrategy.AVERAGE).rank(rest);
        double mean = (values.length + 1) / 2.0;
        Arrays.setAll(ranks, place -> ranks[place] - mean);
        return ranks;
    }

    private static double product(double[] ranks, int lag) {
        double sum = 0;
        for (int place = lag; place < ranks.length; place++) {
            sum += ranks[place] * ranks[place - lag];
        }
        return sum;
    }
}
