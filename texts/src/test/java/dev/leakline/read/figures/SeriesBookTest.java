package dev.leakline.read.figures;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.columns.MemorySeries;
import dev.leakline.columns.MemorySeries.Axis;
import dev.leakline.columns.MemorySeries.Quantity;
import dev.leakline.columns.MemorySeries.Source;
import dev.leakline.columns.MemorySeries.Subject;
import dev.leakline.read.figures.Whereabouts.Place;
import java.util.List;
import org.junit.jupiter.api.Test;

class SeriesBookTest {
    private final SeriesBook book = new SeriesBook();

    @Test
    void measurementsWithoutAPlaceAreNumbered() {
        book.add(subject("a"), Place.NOWHERE, 5, 1);
        book.add(subject("b"), Place.NOWHERE, 6, 1);
        book.add(subject("a"), Place.NOWHERE, 7, 1);
        List<MemorySeries> series = book.finish();
        assertThat(series).extracting(one -> one.subject.label()).containsExactly("a", "b");
        assertThat(series.getFirst().position(1)).isEqualTo(1);
    }

    @Test
    void whatIsNoLevelIsPassedOver() {
        for (double number : new double[] {-1, Double.NaN, Double.POSITIVE_INFINITY, 1e30}) {
            book.add(subject("a"), Place.NOWHERE, number, 1);
            book.add(subject("a"), Place.NOWHERE, number, 0);
        }
        assertThat(book.isEmpty()).isTrue();
    }

    @Test
    void measurementsAreBounded() {
        int count = 9_000_000;
        for (int i = 0; i < count; i++) {
            book.add(subject(i % 2 == 0 ? "a" : "b"), new Place(Axis.STEP, i), i == 12_345 ? 1e12 : 500 + i % 7, 1);
        }
        List<MemorySeries> series = book.finish();
        assertThat(series.stream().mapToInt(MemorySeries::size).sum()).isBetween(1 << 20, 8 << 20);
        assertThat(series.get(1).position(series.get(1).size() - 1)).isGreaterThan(count - 100);
        assertThat(java.util.stream.IntStream.range(0, series.get(1).size())
                        .mapToLong(series.get(1)::value)
                        .max())
                .hasValue(1_000_000_000_000L);
        assertThat(book.notes())
                .containsExactly(
                        "more than 8388608 measurements: only the lowest and the highest of each few in a row were kept");
    }

    @Test
    void seriesAreBounded() {
        for (int i = 0; i < 5000; i++) {
            book.add(subject("name " + i), Place.NOWHERE, 5, 1);
        }
        assertThat(book.finish()).hasSize(4096);
        assertThat(book.notes())
                .containsExactly("904 measurements were left out: there are more than 4096 different series");
    }

    private static Subject subject(String label) {
        return new Subject(Source.LOG, Quantity.ALLOCATED, Axis.STEP, -1, -1, label);
    }
}
