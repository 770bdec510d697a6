package dev.leakline.statistics;

import org.hipparchus.stat.StatUtils;
import org.hipparchus.stat.descriptive.rank.Percentile;
import org.hipparchus.stat.descriptive.rank.Percentile.EstimationType;

/** Quantiles as NumPy and most of the field take them: linear between the two values next to it. */
public final class Quantile {
    private static final double PERCENT = 100;

    private Quantile() {}

    /** The quantile of at least one value, in any order; {@code part} is from 0 to 1. */
    public static double of(double[] values, double part) {
        return part > 0
                ? new Percentile().withEstimationType(EstimationType.R_7).evaluate(values, part * PERCENT)
                : StatUtils.min(values);
    }

    /** The middle of at least one value. */
    public static double median(double[] values) {
        return of(values, 0.5);
    }
}
