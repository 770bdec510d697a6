package dev.leakline.series;

import dev.leakline.result.MeasuredSeries.Change;
import dev.leakline.result.MeasuredSeries.Shape;
import dev.leakline.statistics.Thresholds;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;
import java.util.Arrays;
import java.util.Comparator;
import org.hipparchus.stat.descriptive.rank.Median;

/** Describes in a sentence what a figure does. */
final class CurveReason {
    /** Sizes that people print have three digits; what differs by less than the last one is the same. */
    private static final double ROUNDED = 0.005;

    private final Curve figure;
    private final CurveShape test;
    private final Shape course;

    CurveReason(Curve figure, CurveShape test, Shape course) {
        this.figure = figure;
        this.test = test;
        this.course = course;
    }

    @Override
    public String toString() {
        int spikes = test.isEnough() && !test.isGrowing() ? new CurveSpikes(figure).count() : 0;
        return spikes == 0
                ? shape()
                : shape() + "; " + Numbers.counted(spikes, "measurement") + " of " + figure.size()
                        + " stood out, up to " + ByteSize.format(figure.value(figure.peak()));
    }

    private String shape() {
        return switch (course) {
            case GROWS -> grows();
            case WARM_UP -> "grew until " + place(test.settled()) + "; since then it " + growth();
            case PERIODIC ->
                test.period()
                        .map(this::repeats)
                        .orElseGet(() -> "piles up and is freed " + test.teeth() + " times, down to "
                                + ByteSize.format(test.lowest()));
            case LEVELS -> "jumps " + jumps() + "; in between it " + growth();
            case LEVEL -> growth();
            case SWINGS -> test.mayGrow() ? mayGrow() : swings();
            case TOO_FEW -> test.isEnough() ? grewShortly() : tooFew();
        };
    }

    private String repeats(CurvePeriod period) {
        String how = period.isRamp()
                ? "rises by " + CurveWords.rate(period.slope(), figure.axis()) + " and falls again every "
                : "rises and falls every ";
        String doubt = period.isRamp() ? ". If what frees it is a restart, it leaks between them" : "";
        return how + CurveWords.span(period.length(), figure.axis()) + ", " + period.times() + " times, down to "
                + ByteSize.format(period.lowest()) + "; its lows differ by at most " + ByteSize.format(period.spread())
                + doubt;
    }

    private String mayGrow() {
        CurveTrend trend = test.trend();
        return "rises by "
                + CurveWords.rate(
                        trend.slope(), trend.rate().low(), trend.rate().high(), figure.axis())
                + " on the whole, " + ByteSize.format(trend.rise())
                + " in total, but jumps or a level that it comes to explain it as well: it may grow. Measure for longer";
    }

    private String swings() {
        return "varies too much to judge: " + ByteSize.format(Math.round(test.mayHide()))
                + " of growth could be hidden. Measure at the same point of every step, or for longer";
    }

    private String tooFew() {
        long[] values = figure.toArray();
        long lowest = Arrays.stream(values).min().orElse(0);
        boolean isLevel = values.length > 2 && figure.value(figure.peak()) - lowest <= ROUNDED * lowest;
        return isLevel
                ? "is " + ByteSize.format(lowest) + " in all of " + figure.size() + " measurements; slow growth takes "
                        + Thresholds.FEWEST_STEPS + " and more to see"
                : fewer();
    }

    private String fewer() {
        return "has only " + Numbers.counted(figure.size(), "measurement") + ": at least " + Thresholds.FEWEST_STEPS
                + " are needed, ideally 50";
    }

    private String grewShortly() {
        return "grows by " + ByteSize.format(test.trend().rise()) + " in "
                + CurveWords.span(test.trend().span(), figure.axis()) + ", which a process may take to start";
    }

    private String grows() {
        CurveTrend trend = test.trend();
        String beside = test.jumps().isEmpty() ? "" : "; it also jumps " + jumps();
        return "grows by "
                + CurveWords.rate(
                        trend.slope(), trend.rate().low(), trend.rate().high(), figure.axis()) + ", from "
                + place(test.from()) + " to the last" + beside;
    }

    /** The most that may have grown unseen. */
    private String growth() {
        double high = test.trend().high();
        return Math.round(test.mayHide()) <= 0
                ? "does not grow"
                : "grows by at most " + CurveWords.rate(high, figure.axis()) + ", "
                        + ByteSize.format(Math.round(test.mayHide())) + " in total";
    }

    private String jumps() {
        Change largest = test.jumps().stream()
                .max(Comparator.comparingLong(jump -> Math.abs(jump.bytes())))
                .orElseThrow();
        String by = (largest.bytes() > 0 ? "+" : "") + ByteSize.format(largest.bytes());
        String where = " by " + by + " at " + place(figure.placeOf(largest.position()));
        return test.jumps().size() == 1 ? "once" + where : test.jumps().size() + " times, most" + where;
    }

    private String place(double place) {
        return CurveWords.place(figure, place);
    }

    /** Finds the few measurements of a figure that stand far above all others. */
    private static final class CurveSpikes {
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
            int above = (int)
                    Arrays.stream(values).filter(value -> value > ordinary).count();
            this.count = above <= FEW * values.length ? above : 0;
        }

        /** How many stand out; 0 where many do. */
        int count() {
            return count;
        }
    }
}
