package dev.leakline.series;

import dev.leakline.columns.MemorySeries.Quantity;
import dev.leakline.columns.MemorySeries.Subject;
import dev.leakline.result.MeasuredSeries;
import dev.leakline.result.MeasuredSeries.Band;
import dev.leakline.result.MeasuredSeries.Point;
import dev.leakline.result.MeasuredSeries.Shape;
import dev.leakline.result.MeasuredSeries.Trend;
import dev.leakline.result.MeasuredSeries.Unit;
import dev.leakline.text.Numbers;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A figure with the result of its test.
 *
 * @param name what it is, and who says so
 * @param figure what was measured
 * @param test how it goes
 * @param course what it does
 * @param deviceBytes the memory of its device, 0 where nobody said
 * @param room the bytes that were left on the device at the peak, 0 where its size is not known
 */
record JudgedCurve(String name, Curve figure, CurveShape test, Shape course, long deviceBytes, long room) {
    /** Stretches of the curve that reports show. */
    private static final int BANDS = 240;

    static JudgedCurve of(Curve figure, CurveSet set, HostNeeds needs) {
        long deviceBytes = set.deviceBytes(figure);
        long room = Math.max(deviceBytes - set.mostUsed(figure), 0);
        CurveShape test = new CurveShape(figure);
        return new JudgedCurve(CurveWords.name(figure), figure, test, needs.shape(figure, test), deviceBytes, room);
    }

    /** Another figure of the same device. */
    JudgedCurve with(String otherName, Curve other, CurveShape otherTest) {
        return new JudgedCurve(otherName, other, otherTest, otherTest.shape(), deviceBytes, room);
    }

    Subject subject() {
        return figure.subject();
    }

    Layer layer() {
        return Layer.of(subject().quantity());
    }

    /** Returns whether it grows without a ceiling. */
    boolean grows() {
        return isBytes() && course == Shape.GROWS;
    }

    /** Returns whether it is known not to grow. */
    boolean holds() {
        Shape shape = shape();
        return isBytes() && shape != Shape.GROWS && shape != Shape.SWINGS && shape != Shape.TOO_FEW;
    }

    private boolean isBytes() {
        return subject().quantity().isBytes();
    }

    /** The shape of the figure; counts do not grow as memory does. */
    Shape shape() {
        return isBytes() ? course : rise() > 0 ? Shape.LEVELS : Shape.LEVEL;
    }

    /** The course of the figure, in a sentence. */
    String reason() {
        return isBytes() ? new CurveReason(figure, test, course).toString() : countReason();
    }

    /** The rise of a count, including its first value, which was counted before the first measurement. */
    long rise() {
        return figure.value(figure.size() - 1);
    }

    private String countReason() {
        if (subject().quantity() == Quantity.POOL_SHARE) {
            return "changes with the requests that run, of a pool that was allocated at start";
        }
        int first = 0;
        while (figure.value(first) < rise()) {
            first++;
        }
        return rise() == 0
                ? "none"
                : Numbers.counted(rise(), subject().quantity() == Quantity.RETRIES ? "time" : "request")
                        + ", the last by " + CurveWords.place(figure, figure.place(first));
    }

    /** Units until the device is full, at the rate at which it grows; NaN where that is not known. */
    double unitsToFull() {
        return grows() && deviceBytes > 0 ? room / test.trend().slope() : Double.NaN;
    }

    /** The figure as reports have it. */
    MeasuredSeries describe() {
        Subject subject = subject();
        return new MeasuredSeries(
                figure.input(),
                name(),
                subject.source().name().toLowerCase(Locale.ROOT),
                subject.quantity().name().toLowerCase(Locale.ROOT),
                unit(),
                figure.axis(),
                subject.device(),
                subject.process(),
                subject.label(),
                figure.size(),
                point(0),
                point(figure.size() - 1),
                point(figure.peak()),
                figure.shown(test.lowest()),
                shape(),
                reason(),
                trend(),
                deviceBytes,
                unitsToFull(),
                isBytes() ? test.jumps() : List.of(),
                curve());
    }

    private Unit unit() {
        boolean isShare = subject().quantity() == Quantity.POOL_SHARE;
        return isBytes() ? Unit.BYTES : isShare ? Unit.BASIS_POINTS : Unit.COUNT;
    }

    private Point point(int index) {
        return new Point(figure.position(figure.place(index)), figure.shown(figure.value(index)));
    }

    private @Nullable Trend trend() {
        CurveTrend trend = test.trend();
        int sign = figure.isTaken() ? -1 : 1;
        return !isBytes() || !test.isEnough()
                ? null
                : new Trend(
                        sign * trend.slope(),
                        sign * (sign < 0 ? trend.rate().high() : trend.rate().low()),
                        sign * (sign < 0 ? trend.rate().low() : trend.rate().high()),
                        figure.position(test.from()),
                        figure.position(figure.place(figure.size() - 1)),
                        trend.deviations(),
                        trend.dependence());
    }

    private List<Band> curve() {
        int count = Math.min(figure.size(), BANDS);
        List<Band> bands = new ArrayList<>();
        for (int band = 0; band < count; band++) {
            int from = CurveFloor.first(figure, band, count);
            long low = figure.value(from);
            long high = low;
            for (int i = from + 1; i < CurveFloor.first(figure, band + 1, count); i++) {
                low = Math.min(low, figure.value(i));
                high = Math.max(high, figure.value(i));
            }
            long first = figure.shown(figure.isTaken() ? high : low);
            long second = figure.shown(figure.isTaken() ? low : high);
            bands.add(new Band(figure.position(figure.place(from)), first, second));
        }
        return bands;
    }
}
