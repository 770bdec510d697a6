package dev.leakline.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.leakline.statistics.Ratchet.Shape;
import dev.leakline.testkit.Seeds;
import java.util.Arrays;
import java.util.Random;
import java.util.function.IntToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RatchetTest {
    private static final long MB = 1 << 20;
    /** Of a thousand. */
    private static final int RARELY = 10;

    private static final int FEWEST = Ratchet.FEWEST_RISES;

    @Test
    void noStepsAreFlat() {
        assertThat(test(0, _ -> 0).shape()).isEqualTo(Shape.FLAT);
    }

    @Test
    void aLevelIsFlat() {
        Ratchet test = test(100, _ -> 700 * MB);
        assertThat(test.shape()).isEqualTo(Shape.FLAT);
        assertThat(test.clicks().isEmpty()).isTrue();
        assertThat(test.growth()).isZero();
    }

    @Test
    void aRampGrows() {
        Ratchet test = test(100, step -> 700 * MB + 3 * MB * step);
        assertThat(test.shape()).isEqualTo(Shape.GROWS);
        assertThat(test.firstStep()).isZero();
        assertThat(test.lastStep()).isEqualTo(99);
        assertThat(test.slope().value()).isEqualTo(3.0 * MB);
        assertThat(test.growth()).isEqualTo(99 * 3.0 * MB);
        assertThat(test.isGivenBack()).isFalse();
    }

    @Test
    void aRampThatStartsLateGrowsFromThere() {
        Ratchet test = test(100, step -> 700 * MB + 3 * MB * Math.max(step - 60, 0));
        assertThat(test.shape()).isEqualTo(Shape.GROWS);
        assertThat(test.firstStep()).isEqualTo(60);
        assertThat(test.slope().value()).isEqualTo(3.0 * MB);
    }

    @Test
    void stairsGrow() {
        Ratchet test = test(200, step -> 5 * MB * (step / 20));
        assertThat(test.shape()).isEqualTo(Shape.GROWS);
        assertThat(test.clicks().toArray()).containsExactly(20, 40, 60, 80, 100, 120, 140, 160, 180);
        assertThat(test.slope().value()).isCloseTo(0.25 * MB, within(0.05 * MB));
    }

    @Test
    void whatStopsGrowingIsAPlateau() {
        Ratchet test = test(100, step -> 3 * MB * Math.min(step, 30));
        assertThat(test.shape()).isEqualTo(Shape.ENDS);
        assertThat(test.lastStep()).isEqualTo(30);
    }

    /** Ten clicks, one in twenty steps, then five times as long without: clicks at random leave such a gap less than once in a hundred times. */
    @Test
    void whatClickedNowAndThenAndThenNoMoreIsAPlateau() {
        Ratchet test = test(301, step -> 5 * MB * Math.min(step / 20, 10));
        assertThat(test.shape()).isEqualTo(Shape.ENDS);
    }

    /** Rare keys whose entries are large make the bytes of the last half many; the keys still come ever more rarely. */
    @Test
    void aCacheThatFillsEverMoreSlowlyIsNoLeakHoweverLargeTheLastEntriesAre() {
        Ratchet test = test(320, step -> (long) (Math.pow(2, Math.floor(2 * Math.log(step + 1.0))) * MB));
        assertThat(test.clicks().size()).isGreaterThanOrEqualTo(FEWEST);
        assertThat(test.shape()).isNotEqualTo(Shape.GROWS);
    }

    @Test
    void aWarmUpBeforeALateLeakIsNoReasonToOverlookIt() {
        Ratchet test = test(200, step -> 40 * MB * Math.min(step, 7) + MB * Math.max(step - 120, 0));
        assertThat(test.shape()).isEqualTo(Shape.GROWS);
    }

    @Test
    void whatRisesFiveTimesLikeClockworkIsRegularButDoesNotGrow() {
        Ratchet test = test(82, step -> 3 * MB * ((step + 1) / 15));
        assertThat(test.shape()).isEqualTo(Shape.FLAT);
        assertThat(test.isRegular()).isTrue();
    }

    @Test
    void whatRisesUnevenlyOrStopsOrFallsIsNotRegular() {
        assertThat(test(82, step -> 3 * MB * Math.min((step + 1) / 8, 5)).isRegular())
                .isFalse();
        assertThat(test(82, step -> 3 * MB * (int) Math.sqrt(step / 4.0)).isRegular())
                .isFalse();
        assertThat(test(82, step -> 3 * MB * ((step + 1) / 15) - (step == 40 ? MB : 0))
                        .isRegular())
                .isFalse();
        assertThat(test(40, step -> 3 * MB * (step / 15)).isRegular()).isFalse();
    }

    @Test
    void whatGrowsInBurstsAtRandomTimesGrowsAndDoesNotSlowDown() {
        int[] bursts = {4, 95, 108, 191, 206, 330, 380, 465, 620, 710, 785};
        Ratchet test = test(810, step -> {
            long sum = 0;
            for (int i = 0; i < bursts.length; i++) {
                sum += MB * Math.clamp(step - bursts[i], 0, i < 6 ? 8 : 5);
            }
            return sum;
        });
        assertThat(test.shape()).isEqualTo(Shape.GROWS);
    }

    @Test
    void whatGrowsInBurstsGrows() {
        Ratchet test = test(200, step -> 10 * MB * (step / 50) + MB * Math.min(step % 50, 10));
        assertThat(test.shape()).isEqualTo(Shape.GROWS);
    }

    @Test
    void aSawtoothIsNoGrowth() {
        Ratchet test = test(205, step -> 3 * MB * (step % 25));
        assertThat(test.shape()).isEqualTo(Shape.SAWTOOTH);
        assertThat(test.releases().toArray()).containsExactly(25, 50, 75, 100, 125, 150, 175, 200);
    }

    @Test
    void aSawtoothWhoseTroughsRiseGrows() {
        Ratchet test = test(255, step -> 3 * MB * (step % 25) + 2 * MB * (step / 25));
        assertThat(test.shape()).isEqualTo(Shape.GROWS);
    }

    @Test
    void whatIsGivenBackAtTheEndGrewUntilThen() {
        Ratchet test = test(100, step -> step < 95 ? 3 * MB * step : 0);
        assertThat(test.shape()).isEqualTo(Shape.GROWS);
        assertThat(test.isGivenBack()).isTrue();
        assertThat(test.lastStep()).isEqualTo(94);
    }

    @ParameterizedTest
    @CsvSource({"1,FLAT", "2,FLAT", "6,FLAT", "7,GROWS"})
    void aFewRisesAreNoTrend(int steps, Shape expected) {
        assertThat(test(steps, step -> 3 * MB * step).shape()).isEqualTo(expected);
    }

    /** Of each seed another order in which the keys of a cache without limit come up; a key that is known adds nothing. */
    @Test
    void aCacheOfAllThereIsFillsUp() {
        int taken = count(seed -> entriesOfAllKeys(new Random(seed), 300, 30), Shape.GROWS);
        assertThat(taken).as("taken for leaks").isLessThanOrEqualTo(Seeds.most(RARELY - 1));
    }

    @ParameterizedTest
    @CsvSource({"300,8", "300,16", "300,24", "300,64", "1000,8", "1000,16", "1000,24", "1000,64"})
    void aCacheThatDropsTheOldestIsRarelyTakenForALeak(int steps, int entries) {
        int taken = count(seed -> boundedCache(new Random(seed), steps, entries), Shape.GROWS);
        // one that fills for a fifth of the steps has little left to be seen full: 33 of 1000
        int most = 5 * entries > steps ? 4 * RARELY : RARELY;
        assertThat(taken).as("taken for leaks").isLessThanOrEqualTo(Seeds.most(most - 1));
    }

    @ParameterizedTest
    @CsvSource({"20,0.5", "50,0", "50,0.5", "50,0.9", "100,0.8", "300,0", "300,0.5", "300,0.9"})
    void noiseAroundALevelIsRarelyTakenForALeak(int steps, double memory) {
        int taken = count(seed -> noise(new Random(seed), steps, memory), Shape.GROWS);
        assertThat(taken).as("taken for leaks").isLessThanOrEqualTo(Seeds.most(RARELY - 1));
    }

    /** Every second step, or every fifth, leaks a block of random size; in fifty steps one in fifty may as well have ended. */
    @ParameterizedTest
    @CsvSource({"50,0.5", "100,0.5", "300,0.2", "1000,0.2"})
    void aLeakIsRarelyMissed(int steps, double often) {
        int found = count(seed -> leak(new Random(seed), steps, often), Shape.GROWS);
        int missed = steps < 100 ? 2 * RARELY : RARELY;
        assertThat(found).as("found").isGreaterThanOrEqualTo(Seeds.fewest(1000 - missed));
    }

    @ParameterizedTest
    @ValueSource(longs = {2, 6, 20})
    void aLeakAmongNoiseIsRarelyMissed(long slope) {
        int steps = (int) (6_000 / slope);
        int found = count(seed -> risingNoise(new Random(seed), steps, slope * MB), Shape.GROWS);
        assertThat(found).as("found").isGreaterThanOrEqualTo(Seeds.fewest(1000 - RARELY));
    }

    private static Ratchet test(int steps, IntToLongFunction floor) {
        long[] floors = new long[steps];
        Arrays.setAll(floors, floor);
        return new Ratchet(floors);
    }

    private interface Floors {
        long[] of(long seed);
    }

    private static int count(Floors floors, Shape shape) {
        return Seeds.count(seed -> new Ratchet(floors.of(seed)).shape() == shape);
    }

    private static long[] entriesOfAllKeys(Random random, int steps, int keys) {
        long[] sizes = random.longs(keys, 1, 4 * MB).toArray();
        long[] floor = new long[steps];
        for (int step = 1; step < steps; step++) {
            int key = random.nextInt(keys);
            floor[step] = floor[step - 1] + sizes[key];
            sizes[key] = 0;
        }
        return floor;
    }

    /** A new entry each step; in the place of the oldest, once there are enough. */
    private static long[] boundedCache(Random random, int steps, int entries) {
        long[] sizes = random.longs(steps, 1, 4 * MB).toArray();
        long[] floor = new long[steps];
        for (int step = 1; step < steps; step++) {
            floor[step] = floor[step - 1] + sizes[step] - (step > entries ? sizes[step - entries] : 0);
        }
        return floor;
    }

    /** Around 1000 MiB, each step's deviation {@code memory} times the last one's and something new. */
    private static long[] noise(Random random, int steps, double memory) {
        double deviation = random.nextGaussian() / Math.sqrt(1 - memory * memory);
        long[] floor = new long[steps];
        for (int step = 0; step < steps; step++) {
            floor[step] = Math.max(1000 * MB + (long) (50 * MB * deviation), 0);
            deviation = memory * deviation + random.nextGaussian();
        }
        return floor;
    }

    private static long[] leak(Random random, int steps, double often) {
        long[] floor = new long[steps];
        for (int step = 1; step < steps; step++) {
            floor[step] = floor[step - 1] + (random.nextDouble() < often ? random.nextLong(1, 4 * MB) : 0);
        }
        return floor;
    }

    private static long[] risingNoise(Random random, int steps, long slope) {
        long[] floor = noise(random, steps, 0.5);
        Arrays.setAll(floor, step -> floor[step] + step * slope);
        return floor;
    }
}
