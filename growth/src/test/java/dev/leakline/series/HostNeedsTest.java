package dev.leakline.series;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.columns.MemorySeries;
import dev.leakline.columns.MemorySeries.Axis;
import dev.leakline.columns.MemorySeries.Quantity;
import dev.leakline.columns.MemorySeries.Source;
import dev.leakline.columns.MemorySeries.Subject;
import dev.leakline.result.MeasuredSeries.Shape;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a process without a leak takes of the host's memory is no growth. */
class HostNeedsTest {
    private static final String PROBED = "host_anonymous_bytes";
    private static final int LOOKS = 100;
    private static final long MB = 1 << 20;

    @Test
    void aProcessThatStartsForSomeSeconds_isNotJudged() {
        assertThat(shape(PROBED, 6, 30 * MB)).isEqualTo(Shape.TOO_FEW);
        assertThat(reason(PROBED, 6, 30 * MB)).startsWith("grows by 17").endsWith("which a process may take to start");
    }

    @Test
    void whatGoesOn_grows() {
        assertThat(shape(PROBED, 60, 30 * MB)).isEqualTo(Shape.GROWS);
    }

    @Test
    void whatImportsAndCachesTake_doesNotGrow() {
        assertThat(shape(PROBED, 60, MB)).isEqualTo(Shape.LEVEL);
    }

    @Test
    void whatRisesWhileLooksAreDenseAndThenRests_doesNotGrow() {
        MemorySeries series = series(PROBED);
        for (int look = 0; look < LOOKS; look++) {
            double second = look < 80 ? look * 0.1 : 8 + (look - 80) * 0.5;
            series.add(second * Curve.MICROS, Math.round(1000 * MB + Math.min(look, 80) * 2.0 * MB + look * 20_000.0));
        }
        Curve figure = Curve.of(0, series);
        CurveShape test = new CurveShape(figure);
        assertThat(test.slowsLater()).isTrue();
        assertThat(HostNeeds.of(List.of()).shape(figure, test)).isNotEqualTo(Shape.GROWS);
    }

    @Test
    void aRecordingTakesMoreTheMoreEventsItHas() {
        assertThat(HostNeeds.bytes(200_000) - HostNeeds.bytes(0)).isBetween(50 * MB, 100 * MB);
    }

    @Test
    void whatOthersMeasured_growsAlsoInSomeSeconds() {
        assertThat(shape("rss", 6, 30 * MB)).isEqualTo(Shape.GROWS);
        assertThat(shape("rss", 60, MB)).isEqualTo(Shape.GROWS);
    }

    private static Shape shape(String label, int seconds, long rate) {
        Curve figure = figure(label, seconds, rate);
        return HostNeeds.of(List.of()).shape(figure, new CurveShape(figure));
    }

    private static String reason(String label, int seconds, long rate) {
        Curve figure = figure(label, seconds, rate);
        CurveShape test = new CurveShape(figure);
        return new CurveReason(figure, test, HostNeeds.of(List.of()).shape(figure, test)).toString();
    }

    private static MemorySeries series(String label) {
        return new MemorySeries(new Subject(Source.LOG, Quantity.HOST_USED, Axis.TIME, -1, -1, label));
    }

    /** So many looks in so many seconds at memory that grows by so many bytes a second. */
    private static Curve figure(String label, int seconds, long rate) {
        MemorySeries series = series(label);
        for (int look = 0; look < LOOKS; look++) {
            double second = (double) look * seconds / LOOKS;
            series.add(second * Curve.MICROS, Math.round(1000 * MB + second * rate));
        }
        return Curve.of(0, series);
    }
}
