package dev.leakline.report;

import dev.leakline.result.Agreement;
import dev.leakline.result.Measured;
import dev.leakline.result.MeasuredSeries;
import dev.leakline.result.MeasuredSeries.Band;
import dev.leakline.result.MeasuredSeries.Change;
import dev.leakline.result.MeasuredSeries.Point;
import dev.leakline.result.MeasuredSeries.Trend;
import dev.leakline.result.MemoryGap;
import dev.leakline.result.MemoryGap.Part;

/** Figures, what devices' figures say more than the allocator's, and who agrees with whom, as JSON. */
final class SeriesJson {
    private final Json json;

    SeriesJson(Json json) {
        this.json = json;
    }

    /** All that figures say. */
    void measured(Measured measured) {
        json.objects("series", measured.series(), this::series);
        json.objects("gaps", measured.gaps(), this::gap);
        json.objects("agreements", measured.agreements(), this::agreement);
    }

    private void series(MeasuredSeries series) {
        json.number("input", series.input());
        json.string("name", series.name());
        json.string("source", series.source());
        json.string("quantity", series.quantity());
        json.string("unit", series.isBytes() ? "bytes" : "count");
        json.constant("axis", series.axis());
        json.number("device", series.device());
        json.number("process", series.process());
        json.string("label", series.label());
        json.number("points", series.points());
        json.object("first", series.first(), this::point);
        json.object("last", series.last(), this::point);
        json.object("peak", series.peak(), this::point);
        json.number("floor", series.floor());
        json.constant("shape", series.shape());
        json.string("reason", series.reason());
        json.object("trend", series.trend(), this::trend);
        json.number("device_bytes", series.deviceBytes());
        json.number("units_to_oom", series.unitsToFull());
        json.objects("changes", series.changes(), this::change);
        json.objects("curve", series.curve(), this::band);
    }

    private void point(Point point) {
        json.number("position", point.position());
        json.number("value", point.value());
    }

    private void trend(Trend trend) {
        json.number("per_unit", trend.perUnit());
        json.number("low", trend.low());
        json.number("high", trend.high());
        json.number("from", trend.from());
        json.number("to", trend.to());
        json.number("deviations", trend.deviations());
        json.number("dependence", trend.dependence());
    }

    private void change(Change change) {
        json.number("position", change.position());
        json.number("bytes", change.bytes());
    }

    private void band(Band band) {
        json.number("position", band.position());
        json.number("low", band.low());
        json.number("high", band.high());
    }

    private void gap(MemoryGap gap) {
        json.number("device", gap.device());
        json.number("outer_series", gap.outer());
        json.number("inner_series", gap.inner());
        json.constant("alignment", gap.alignment());
        json.number("position", gap.position());
        json.number("used_bytes", gap.usedBytes());
        json.objects("parts", gap.parts(), this::part);
        json.string("text", gap.text());
        json.number("growth_per_unit", gap.growth());
    }

    private void part(Part part) {
        json.constant("kind", part.kind());
        json.number("bytes", part.bytes());
        json.string("text", part.text());
    }

    private void agreement(Agreement agreement) {
        json.generator.writeBooleanProperty("agreed", agreement.isAgreed());
        json.string("text", agreement.text());
    }
}
