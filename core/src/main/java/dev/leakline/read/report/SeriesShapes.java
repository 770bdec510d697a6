package dev.leakline.read.report;

import dev.leakline.result.Agreement;
import dev.leakline.result.FunctionReport;
import dev.leakline.result.Measured;
import dev.leakline.result.MeasuredSeries;
import dev.leakline.result.MeasuredSeries.Axis;
import dev.leakline.result.MeasuredSeries.Band;
import dev.leakline.result.MeasuredSeries.Change;
import dev.leakline.result.MeasuredSeries.Point;
import dev.leakline.result.MeasuredSeries.Trend;
import dev.leakline.result.MemoryGap;
import dev.leakline.result.MemoryGap.Part;
import dev.leakline.source.JsonObject;
import dev.leakline.source.ReadException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How figures over time or steps are read, and what was made of them. Reports of before there were any have none. */
final class SeriesShapes {
    private static final Shape<Point> POINT =
            new Shape<>(json -> new Point(json.real("position"), json.number("value")));

    private static final Shape<Trend> TREND = new Shape<>(json -> new Trend(
            json.real("per_unit"),
            json.real("low"),
            json.real("high"),
            json.real("from"),
            json.real("to"),
            json.real("deviations"),
            json.real("dependence")));

    private static final Shape<Change> CHANGE =
            new Shape<>(json -> new Change(json.real("position"), json.number("bytes")));

    private static final Shape<Band> BAND =
            new Shape<>(json -> new Band(json.real("position"), json.number("low"), json.number("high")));

    static final Shape<MeasuredSeries> SERIES = new Shape<>(SeriesShapes::series)
            .with("first", POINT)
            .with("last", POINT)
            .with("peak", POINT)
            .with("trend", TREND)
            .withList("changes", CHANGE)
            .withList("curve", BAND);

    private static final Shape<Part> PART = new Shape<>(
            json -> new Part(json.constant("kind", MemoryGap.Kind.class), json.number("bytes"), json.text("text")));

    static final Shape<MemoryGap> GAP = new Shape<>(json -> new MemoryGap(
                    json.count("device"),
                    json.count("outer_series"),
                    json.count("inner_series"),
                    json.constant("alignment", MemoryGap.Alignment.class),
                    json.real("position"),
                    json.number("used_bytes"),
                    json.list("parts", Part.class),
                    json.text("text"),
                    json.real("growth_per_unit")))
            .withList("parts", PART);

    static final Shape<Agreement> AGREEMENT =
            new Shape<>(json -> new Agreement(json.truth("agreed"), json.text("text")));

    private SeriesShapes() {}

    /** What a report says of figures; {@code functions} is what it says of profiles. */
    static Measured measured(JsonObject report, @Nullable FunctionReport functions) throws ReadException {
        List<MeasuredSeries> series = report.listOrNone("series", MeasuredSeries.class);
        List<MemoryGap> gaps = report.listOrNone("gaps", MemoryGap.class);
        for (MemoryGap gap : gaps) {
            if (gap.outer() < 0 || gap.outer() >= series.size() || gap.inner() >= series.size()) {
                throw report.wrong("gaps", "the number of one of " + series.size() + " series", (long) gap.outer());
            }
        }
        return new Measured(series, gaps, report.listOrNone("agreements", Agreement.class), functions);
    }

    private static MeasuredSeries series(JsonObject json) throws ReadException {
        return new MeasuredSeries(
                json.count("input"),
                json.text("name"),
                json.text("source"),
                json.text("quantity"),
                json.text("unit").equals("bytes"),
                json.constant("axis", Axis.class),
                json.count("device"),
                json.number("process"),
                json.text("label"),
                json.count("points"),
                json.part("first", Point.class),
                json.part("last", Point.class),
                json.part("peak", Point.class),
                json.number("floor"),
                json.constant("shape", MeasuredSeries.Shape.class),
                json.text("reason"),
                json.partOrNull("trend", Trend.class),
                json.number("device_bytes"),
                json.real("units_to_oom"),
                json.list("changes", Change.class),
                json.list("curve", Band.class));
    }
}
