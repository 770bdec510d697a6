package dev.leakline.series;

import dev.leakline.statistics.MannKendall;
import dev.leakline.statistics.Slope;
import dev.leakline.statistics.TheilSen;

/** The trend of a floor: its slope, its confidence interval, and its significance. */
final class CurveTrend {
    private final CurveFloor floor;
    private final MannKendall test;
    private final TheilSen line;
    private final CurveFloor whole;

    CurveTrend(CurveFloor floor) {
        this(floor, floor);
    }

    /** The trend between jumps; whether what is kept comes in them as well nobody knows, so the interval of its rate holds that of the {@code whole} too. */
    CurveTrend(CurveFloor floor, CurveFloor whole) {
        this.floor = floor;
        this.whole = whole;
        double[] values = floor.values();
        this.test = MannKendall.of(values);
        this.line = TheilSen.of(floor.places(), values, test.variance());
    }

    /** Per unit; 0 where there are not two places. */
    double slope() {
        return Double.isNaN(line.slope()) ? 0 : line.slope();
    }

    double low() {
        return Double.isNaN(line.low()) ? 0 : line.low();
    }

    double high() {
        return Double.isNaN(line.high()) ? 0 : line.high();
    }

    /** Its rate with an interval that holds what it says: {@link #low} and {@link #high} are those of the middle of all pairs, by which it is tested. */
    Slope rate() {
        Slope between = new Slope(floor.places(), floor.values());
        return whole.equals(floor) ? between : between.or(new Slope(whole.places(), whole.values()));
    }

    /** How many standard deviations its rises are from those of chance. */
    double deviations() {
        return test.deviations();
    }

    /** How many measurements are worth one. */
    double dependence() {
        return test.correction();
    }

    /** From the first place to the last. */
    double span() {
        return floor.size() == 0 ? 0 : floor.place(floor.size() - 1) - floor.place(0);
    }

    /** From the first place to the last, at its slope. */
    long rise() {
        return Math.round(slope() * span());
    }

    /** Returns whether it rises, and would seldom do so by chance; {@code chance} says how seldom. */
    boolean rises(double chance) {
        return test.chanceOfRise() < chance && low() > 0;
    }
}
