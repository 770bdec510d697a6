package dev.leakline.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.data.Percentage.withPercentage;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Figures of SciPy's linregress and NumPy's percentile. */
class RegressionTest {
    @Test
    void aLineThroughAFewPoints() {
        Regression line = Regression.of(new double[] {0, 1, 2, 3, 4, 5, 6.5}, new double[] {1, 3, 2, 5, 4, 6, 8});
        assertThat(line.slope()).isCloseTo(0.9908466819221969, within(1e-14));
        assertThat(line.correlation()).isCloseTo(0.937642462697321, within(1e-14));
        assertThat(line.p()).isCloseTo(0.0018030666403030873, withPercentage(1e-9));
    }

    @Test
    void whatIsAllButCertainHasAChanceAboveNone() {
        double[] x = IntStream.range(0, 40).asDoubleStream().toArray();
        double[] y = IntStream.range(0, 40).mapToDouble(i -> 3 * i + i * 7 % 5).toArray();
        Regression line = Regression.of(x, y);
        assertThat(line.slope()).isCloseTo(3.00750469043152, within(1e-13));
        assertThat(line.p()).isCloseTo(1.7536136162304303e-54, withPercentage(1e-8));
    }

    @Test
    void wherePositionsOrValuesDoNotDifferThereIsNoTrend() {
        assertThat(Regression.of(new double[] {5, 5, 5}, new double[] {1, 2, 3}).slope())
                .isNaN();
        assertThat(Regression.of(new double[] {5, 5, 5}, new double[] {1, 2, 3}).p())
                .isOne();
        assertThat(Regression.of(new double[] {1, 2, 3}, new double[] {7, 7, 7}))
                .isEqualTo(new Regression(0, 0, 1));
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "0.1, 1", "0.25, 1.75", "0.5, 3.5", "0.75, 5.25", "0.9, 6.9", "1, 9"})
    void quantilesLieBetweenTheValuesNextToThem(double part, double expected) {
        assertThat(Quantile.of(new double[] {3, 1, 4, 1, 5, 9, 2, 6}, part)).isCloseTo(expected, within(1e-15));
    }
}
