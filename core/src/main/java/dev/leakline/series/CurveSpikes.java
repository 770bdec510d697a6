package dev.leakline.series;

import java.util.Arrays;
import org.hipparchus.stat.descriptive.rank.Median;

/** The few measurements of a figure that stand far above all others. */
final class CurveSpikes {
    /** More than one in twenty is no exception. */
    private static final double FEW = 0.05;
    /** Six standard deviations, which noise of the usual kind does not reach in millions of measurements. */
    private static final double FAR = 6;
    /** The standard deviation of a normal distribution, in median absolute deviations. */
    private static final double NORMAL = 1.4826;
    /** Where measurements are all alike, every deviation is far; less than a tenth more is not worth a word. */
    private static final double MORE = 1.1;

    private final int count;

    CurveSpikes(Curve figure) {
        double[] values = Arrays.stream(figure.toArray()).asDoubleStream().toArray();
        double middle = new Median().evaluate(values);
        double deviation = new Median()
                .evaluate(Arrays.stream(values)
                        .map(value -> Math.abs(value - middle))
                        .toArray());
        double ordinary = Math.max(middle + FAR * NORMAL * deviation, MORE * middle);
        int above =
                (int) Arrays.stream(values).filter(value -> value > ordinary).count();
        this.count = above <= FEW * values.length ? above : 0;
    }

    /** How many stand out; 0 where many do. */
    int count() {
        return count;
    }
}
