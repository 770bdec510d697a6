package dev.leakline.detect;

import dev.leakline.result.MeasuredSeries.Change;
import java.util.Comparator;

/** What a figure does, in a sentence. */
final class FigureReason {
    private final Figure figure;
    private final FigureTest test;

    FigureReason(Figure figure, FigureTest test) {
        this.figure = figure;
        this.test = test;
    }

    @Override
    public String toString() {
        int spikes = test.isEnough() && !test.isGrowing() ? new FigureSpikes(figure).count() : 0;
        return spikes == 0
                ? shape()
                : shape() + "; " + Words.count(spikes, "measurement") + " of " + figure.size() + " stood out, up to "
                        + Words.size(figure.value(figure.peak()));
    }

    private String shape() {
        return switch (test.shape()) {
            case GROWS -> grows();
            case WARM_UP -> "grew until " + place(test.from()) + ", and " + growth() + " since";
            case PERIODIC -> "piles up and is let go, " + test.teeth() + " times, down to " + Words.size(test.lowest());
            case LEVELS -> "jumps " + jumps() + ", and " + growth() + " between";
            case LEVEL -> growth();
            case SWINGS ->
                "swings too much to judge: " + Words.size(Math.round(test.mayHide()))
                        + " could have been added unseen. Measure at the same point of every step, or for longer";
            case TOO_FEW ->
                "has only " + Words.count(figure.size(), "measurement") + ": at least "
                        + Thresholds.DEFAULT.fewestSteps() + " are needed, better fifty";
        };
    }

    private String grows() {
        FigureTrend trend = test.trend();
        String beside = test.jumps().isEmpty() ? "" : "; beside that it jumps " + jumps();
        return "grows by " + FigureWords.rate(trend.slope(), trend.low(), trend.high(), figure.axis()) + ", from "
                + place(test.from()) + " to the last" + beside;
    }

    /** The most that may have grown unseen. */
    private String growth() {
        double high = test.trend().high();
        return Math.round(test.mayHide()) <= 0
                ? "does not grow"
                : "grows by no more than " + FigureWords.rate(high, figure.axis()) + ", "
                        + Words.size(Math.round(test.mayHide())) + " in all";
    }

    private String jumps() {
        Change largest = test.jumps().stream()
                .max(Comparator.comparingLong(jump -> Math.abs(jump.bytes())))
                .orElseThrow();
        String by = (largest.bytes() > 0 ? "+" : "") + Words.size(largest.bytes());
        String where = " by " + by + " at " + place(figure.placeOf(largest.position()));
        return test.jumps().size() == 1 ? "once" + where : test.jumps().size() + " times, most" + where;
    }

    private String place(double place) {
        return FigureWords.place(figure, place);
    }
}
