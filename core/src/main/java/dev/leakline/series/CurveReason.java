package dev.leakline.series;

import dev.leakline.result.MeasuredSeries.Change;
import dev.leakline.statistics.Thresholds;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;
import java.util.Comparator;

/** What a figure does, in a sentence. */
final class CurveReason {
    private final Curve figure;
    private final CurveShape test;

    CurveReason(Curve figure, CurveShape test) {
        this.figure = figure;
        this.test = test;
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
        return switch (test.shape()) {
            case GROWS -> grows();
            case WARM_UP -> "grew until " + place(test.from()) + ", and " + growth() + " since";
            case PERIODIC ->
                "piles up and is freed, " + test.teeth() + " times, down to " + ByteSize.format(test.lowest());
            case LEVELS -> "jumps " + jumps() + ", and " + growth() + " between";
            case LEVEL -> growth();
            case SWINGS ->
                "swings too much to judge: " + ByteSize.format(Math.round(test.mayHide()))
                        + " could have been added unseen. Measure at the same point of every step, or for longer";
            case TOO_FEW ->
                "has only " + Numbers.counted(figure.size(), "measurement") + ": at least "
                        + Thresholds.DEFAULT.fewestSteps() + " are needed, ideally 50";
        };
    }

    private String grows() {
        CurveTrend trend = test.trend();
        String beside = test.jumps().isEmpty() ? "" : "; beside that it jumps " + jumps();
        return "grows by " + CurveWords.rate(trend.slope(), trend.low(), trend.high(), figure.axis()) + ", from "
                + place(test.from()) + " to the last" + beside;
    }

    /** The most that may have grown unseen. */
    private String growth() {
        double high = test.trend().high();
        return Math.round(test.mayHide()) <= 0
                ? "does not grow"
                : "grows by no more than " + CurveWords.rate(high, figure.axis()) + ", "
                        + ByteSize.format(Math.round(test.mayHide())) + " in all";
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
}
