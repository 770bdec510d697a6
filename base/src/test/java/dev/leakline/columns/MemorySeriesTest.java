package dev.leakline.columns;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.columns.MemorySeries.Axis;
import dev.leakline.columns.MemorySeries.Quantity;
import dev.leakline.columns.MemorySeries.Source;
import dev.leakline.columns.MemorySeries.Subject;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MemorySeriesTest {
    private final MemorySeries series =
            new MemorySeries(new Subject(Source.LOG, Quantity.ALLOCATED, Axis.STEP, 0, -1, ""));

    @Test
    void keepsAllInOrder() {
        add(7, 3, 3, 9);
        assertThat(shown()).isEqualTo("0=7 1=3 2=3 3=9");
        assertThat(series.isThinned()).isFalse();
    }

    @Test
    void ofFourInARowTheLowestAndTheHighestStay() {
        add(7, 3, 9, 5, 1, 2, 3, 4, 6, 6);
        series.thin();
        assertThat(shown()).isEqualTo("1=3 2=9 4=1 7=4 8=6 9=6");
        assertThat(series.isThinned()).isTrue();
    }

    @Test
    void whatComesLaterIsThinnedAlike() {
        add(1, 1, 1, 1);
        series.thin();
        int later = 8;
        IntStream.range(0, later).forEach(i -> series.add(100 + i, i));
        assertThat(shown()).isEqualTo("0=1 1=1 100=0 103=3 104=4 107=7");
    }

    @Test
    void floorsAndPeaksSurviveAnyNumberOfTimes() {
        Random random = new Random(20_261_121);
        int bound = 1_000_000;
        for (int i = 0; i < 10_000; i++) {
            series.add(i, i == 4_321 ? -1 : i == 7_890 ? bound : random.nextInt(bound));
        }
        IntStream.range(0, 8).forEach(_ -> series.thin());
        assertThat(series.size()).isBetween(20, 100);
        assertThat(shown()).contains("4321=-1", "7890=" + bound);
        assertThat(IntStream.range(1, series.size())).allMatch(i -> series.position(i) > series.position(i - 1));
    }

    private void add(long... values) {
        IntStream.range(0, values.length).forEach(i -> series.add(i, values[i]));
    }

    private String shown() {
        return String.join(
                " ",
                IntStream.range(0, series.size())
                        .mapToObj(i -> (long) series.position(i) + "=" + series.value(i))
                        .toList());
    }
}
