package dev.leakline.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.testkit.Seeds;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How often the interval of a slope holds the mean rate of what arrives: 95 %, as it says. */
class SlopeTest {
    private static final double MEAN = 1 << 20;

    /** Of the eighths of 160 steps those that grow faster. */
    private static final Set<Integer> LARGER = Set.of(1, 4, 6);

    /** Arrivals at random, now and then or several at each step; equal blocks, or sizes of which a few make most of the sum. */
    @ParameterizedTest
    @CsvSource({"0.05,0", "0.05,1.2", "0.1,0", "0.1,1.2", "0.3,0", "0.3,1.2", "1,0", "1,1.2", "3,1.2"})
    void theIntervalHoldsTheMeanRateOfCompoundArrivals(double often, double spread) {
        Random random = new Random(7);
        int runs = 0;
        int held = 0;
        while (runs < Seeds.COUNT) {
            long[] floor = arrivals(random, 160 + random.nextInt(320), often, spread);
            Ratchet test = new Ratchet(floor);
            if (test.clicks().size() >= Ratchet.FEWEST_RISES) {
                runs++;
                Slope slope = test.slope();
                double rate = often * MEAN * Math.exp(spread * spread / 2);
                held += slope.low() <= rate && rate <= slope.high() ? 1 : 0;
            }
        }
        assertThat(held).isBetween(Seeds.fewest(920), Seeds.most(980));
    }

    /** Five of eight parts are alike, three grow three times as fast. */
    @Test
    void partsThatAreAlikeDoNotMakeTheOthersImpossible() {
        long[] floor = new long[161];
        IntStream.range(1, floor.length)
                .forEach(step ->
                        floor[step] = floor[step - 1] + (LARGER.contains((step - 1) / 20) ? 3 : 1) * (1L << 18));
        Slope slope = new Slope(floor, 0, 160);
        double mean = (double) floor[160] / 160;
        assertThat(slope.low()).isLessThan(mean);
        assertThat(slope.high()).isGreaterThan(mean);
    }

    @Test
    void aRampHasOneSlope() {
        Slope slope = new Slope(
                IntStream.range(0, 50).mapToLong(step -> 700L + 3L * step).toArray(), 10, 40);
        assertThat(new double[] {slope.low(), slope.value(), slope.high()}).containsExactly(3, 3, 3);
    }

    private static long[] arrivals(Random random, int steps, double often, double spread) {
        long[] floor = new long[steps];
        for (int step = 1; step < steps; step++) {
            floor[step] = floor[step - 1];
            for (double time = -Math.log(1 - random.nextDouble());
                    time < often;
                    time -= Math.log(1 - random.nextDouble())) {
                floor[step] += Math.round(MEAN * Math.exp(spread * random.nextGaussian()));
            }
        }
        return floor;
    }
}
