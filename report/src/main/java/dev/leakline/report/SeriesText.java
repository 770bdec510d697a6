package dev.leakline.report;

import dev.leakline.report.terminal.Chart;
import dev.leakline.report.terminal.Page;
import dev.leakline.report.terminal.Style;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.MeasuredSeries;
import dev.leakline.result.MeasuredSeries.Shape;
import dev.leakline.result.MeasuredSeries.Trend;
import dev.leakline.text.Numbers;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.UnaryOperator;

/** Figures over time or steps: what each does and how it went, drawn; then what of a device's memory is whose, and who agrees with whom. */
final class SeriesText {
    private static final int ROWS = 5;
    /** Figures that are drawn; a job of many ranks has hundreds. */
    private static final int DRAWN = 4;
    /** Figures that are listed; JSON has all. */
    private static final int LISTED = 24;
    /** Columns of a chart for a step or epoch. */
    private static final double FINE = 1000;

    private final AnalysisResult result;
    private final Style style;
    private final Page page;

    private SeriesText(AnalysisResult result, Style style) {
        this.result = result;
        this.style = style;
        this.page = new Page(style);
    }

    static List<String> lines(AnalysisResult result, Style style) {
        SeriesText text = new SeriesText(result, style);
        text.series();
        text.page.lines(GapText.lines(result, style));
        return text.page.lines();
    }

    /** Prints growing figures first, then in the order of the files. */
    private void series() {
        List<MeasuredSeries> all = new ArrayList<>(result.series());
        all.sort(Comparator.comparing(series -> series.shape() != Shape.GROWS));
        for (int i = 0; i < Math.min(all.size(), LISTED); i++) {
            if (i == 0) {
                page.heading("figures");
            }
            series(all.get(i), i < DRAWN);
        }
        if (all.size() > LISTED) {
            page.text("and " + Numbers.counted(all.size() - LISTED, "more figure") + "; --format json has all");
        }
    }

    private void series(MeasuredSeries series, boolean isDrawn) {
        page.blank();
        page.wrap("  ", series.name() + where(series) + ": " + series.reason(), look(series));
        if (series.isBytes()) {
            page.wrap("  ", series.values(), style::faint);
        }
        List<String> chart = isDrawn && series.isBytes() ? chart(series) : List.of();
        page.lines(chart);
    }

    private String where(MeasuredSeries series) {
        return Devices.fileOf(result, series.input());
    }

    private UnaryOperator<String> look(MeasuredSeries series) {
        return series.shape() == Shape.GROWS ? style::bold : UnaryOperator.identity();
    }

    /** The lowest of each stretch as columns, the highest as a line above. */
    private List<String> chart(MeasuredSeries series) {
        List<Chart.Point> points = series.curve().stream()
                .map(band -> new Chart.Point(column(series, band.position()), band.low(), band.high()))
                .toList();
        Trend trend = series.shape() == Shape.GROWS ? series.trend() : null;
        double marked = trend == null ? series.peak().position() : trend.from();
        String mark = trend == null ? "peak" : "grows from here";
        Chart.Foot foot = new Chart.Foot(column(series, marked), mark, series.place(series.last()));
        return Chart.of(points, ROWS, foot, style);
    }

    /** Charts have whole positions, epochs may be fractions. */
    private static long column(MeasuredSeries series, double position) {
        double distance = position - series.first().position();
        return Math.round(series.axis().isTime() ? distance : distance * FINE);
    }
}
