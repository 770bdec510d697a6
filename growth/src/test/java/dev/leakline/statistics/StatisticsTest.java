package dev.leakline.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** Figures from {@code growth/src/test/python/statistics_oracle.py}, which has them from the papers' formulas with numpy and scipy. */
class StatisticsTest {
    private static final Offset<Double> CLOSE = within(1e-8);
    private static final int SEEDS = 1_000;

    /** The Nile's flow at Aswan, 1871 to 1970, whose fall after 1898 is known (Cobb 1978). */
    private static final double[] NILE = {
        1120, 1160, 963, 1210, 1160, 1160, 813, 1230, 1370, 1140, 995, 935, 1110, 994, 1020, 960, 1180, 799, 958, 1140,
        1100, 1210, 1150, 1250, 1260, 1220, 1030, 1100, 774, 840, 874, 694, 940, 833, 701, 916, 692, 1020, 1050, 969,
        831, 726, 456, 824, 702, 1120, 1100, 832, 764, 821, 768, 845, 864, 862, 698, 845, 744, 796, 1040, 759, 781, 865,
        845, 944, 984, 897, 822, 1010, 771, 676, 649, 846, 812, 742, 801, 1040, 860, 874, 848, 890, 744, 749, 838, 1050,
        918, 986, 797, 923, 975, 815, 1020, 906, 901, 1170, 912, 746, 919, 718, 714, 740
    };

    @Test
    void nile_fallsWithSoMuchCertainty() {
        MannKendall test = MannKendall.of(NILE);
        assertThat(test.score()).isEqualTo(-1387);
        assertThat(test.independentVariance()).isCloseTo(112728.333333, within(1e-6));
        assertThat(test.correction()).isCloseTo(2.502577832, CLOSE);
        assertThat(test.deviations()).isCloseTo(-2.609473499, CLOSE);
        assertThat(test.chanceOfRise()).isCloseTo(0.995465917, CLOSE);
        TheilSen line = line(NILE, test.variance());
        assertThat(line.slope()).isCloseTo(-2.6, CLOSE);
        assertThat(line.low()).isCloseTo(-4.322033898, CLOSE);
        assertThat(line.high()).isCloseTo(-0.714285714, CLOSE);
    }

    @Test
    void nile_changesAfter1898() {
        assertThat(ChangePoints.noise(NILE)).isCloseTo(121.053783, within(1e-6));
        assertThat(ChangePoints.of(places(NILE.length), NILE, 0).toArray()).containsExactly(28);
    }

    @Test
    void persistentValues_areWorthLess() {
        double[] values = persistent(120, 0.8, 1);
        MannKendall test = MannKendall.of(values);
        assertThat(test.score()).isEqualTo(2941);
        assertThat(test.correction()).isCloseTo(1.399909842, CLOSE);
        assertThat(test.chanceOfRise()).isCloseTo(8.67049257e-09, within(1e-15));
        TheilSen line = line(values, test.variance());
        assertThat(line.slope()).isCloseTo(1.074085366, CLOSE);
        assertThat(line.low()).isCloseTo(0.745454545, CLOSE);
        assertThat(line.high()).isCloseTo(1.397058824, CLOSE);
        assertThat(ChangePoints.of(places(120), values, 0).toArray()).containsExactly(31, 45, 61, 68, 77, 85, 97);
    }

    @Test
    void persistentValuesWithoutTrend_haveNone() {
        MannKendall test = MannKendall.of(persistent(120, 0.8, 0));
        assertThat(test.score()).isEqualTo(250);
        assertThat(test.chanceOfRise()).isCloseTo(0.316538675, CLOSE);
    }

    @Test
    void aRampThatEnds_isCutThere() {
        double[] values = series(80, i -> Math.min(i, 20) * 50 + i * 37 % 11);
        MannKendall test = MannKendall.of(values);
        assertThat(test.correction()).isCloseTo(10.927437328, CLOSE);
        assertThat(ChangePoints.of(places(80), values, 0).toArray()).containsExactly(20);
    }

    @Test
    void stairs_areCutAtEach() {
        double[] values = series(60, i -> 100 * Math.floorDiv(i, 10));
        assertThat(ChangePoints.of(places(60), values, 5).toArray()).containsExactly(10, 20, 30, 40, 50);
        assertThat(line(values, MannKendall.of(values).variance()).slope()).isCloseTo(9.615384615, CLOSE);
    }

    @Test
    void sizesOfDevices_loseNothingToRounding() {
        double[] values = series(200, i -> 80e9 + 512.0 * i + (i < 120 ? 0 : 1e6));
        assertThat(ChangePoints.of(places(200), values, 512).toArray()).containsExactly(120);
        assertThat(line(values, 0).slope()).isEqualTo(512);
    }

    @Test
    void valuesThatAreAllEqual_haveNoTrend() {
        double[] values = series(50, _ -> 7);
        MannKendall test = MannKendall.of(values);
        assertThat(test.score()).isZero();
        assertThat(test.variance()).isZero();
        assertThat(test.deviations()).isZero();
        assertThat(test.chanceOfRise()).isEqualTo(0.5);
        assertThat(line(values, test.variance())).isEqualTo(new TheilSen(0, 0, 0));
        assertThat(ChangePoints.of(places(50), values, 0).isEmpty()).isTrue();
    }

    @Test
    void hardlyAnyValues_haveNoTrend() {
        for (int count = 0; count < 3; count++) {
            double[] values = series(count, i -> i);
            assertThat(MannKendall.of(values).chanceOfRise()).isGreaterThan(0.05);
            assertThat(ChangePoints.of(places(count), values, 1).isEmpty()).isTrue();
        }
        assertThat(line(new double[] {1}, 0).slope()).isNaN();
        assertThat(TheilSen.of(new double[] {2, 2}, new double[] {1, 5}, 0).slope())
                .isNaN();
    }

    /** Noise of which each value keeps half of the one before: one in twenty should look like a trend, one in ten does, a fifth did. */
    @Test
    void dependentNoise_isRarelyATrend() {
        Random random = new Random(3);
        int naive = 0;
        int corrected = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            MannKendall test = MannKendall.of(noise(random, 120, 0.5));
            corrected += test.chanceOfRise() < 0.05 ? 1 : 0;
            naive += test.score() / Math.sqrt(test.independentVariance()) > 1.645 ? 1 : 0;
        }
        assertThat(corrected).isLessThan(SEEDS / 10);
        assertThat(naive).isGreaterThan(SEEDS / 6);
    }

    private static double[] noise(Random random, int count, double share) {
        double[] values = new double[count];
        for (int i = 1; i < count; i++) {
            values[i] = share * values[i - 1] + random.nextGaussian();
        }
        return values;
    }

    private static double[] persistent(int count, double share, int slope) {
        double[] values = new double[count];
        double last = 0;
        long state = 1;
        for (int i = 0; i < count; i++) {
            state = (state * 1103515245 + 12345) & 0x7FFFFFFF;
            last = share * last + ((state >> 16) % 101 - 50);
            values[i] = Math.floor(last) + slope * i;
        }
        return values;
    }

    private static TheilSen line(double[] values, double variance) {
        return TheilSen.of(places(values.length), values, variance);
    }

    private static double[] places(int count) {
        return series(count, i -> i);
    }

    private static double[] series(int count, IntToDoubleFunction value) {
        double[] values = new double[count];
        Arrays.setAll(values, value);
        return values;
    }
}
