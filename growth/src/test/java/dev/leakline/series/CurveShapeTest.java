package dev.leakline.series;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.leakline.columns.MemorySeries;
import dev.leakline.columns.MemorySeries.Axis;
import dev.leakline.columns.MemorySeries.Quantity;
import dev.leakline.columns.MemorySeries.Source;
import dev.leakline.columns.MemorySeries.Subject;
import dev.leakline.result.MeasuredSeries.Shape;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CurveShapeTest {
    private static final double MB = 1 << 20;
    private static final int SEEDS = 100;

    /** Makes a value of the number of a measurement and of chance. */
    private interface Maker {
        IntToDoubleFunction of(int count, Random random);
    }

    @Test
    void aLevel_doesNotGrow() {
        CurveShape test = test(200, _ -> 1000);
        assertThat(test.shape()).isEqualTo(Shape.LEVEL);
        assertThat(test.mayHide()).isZero();
    }

    @Test
    void tooFewMeasurements_areNotJudged() {
        assertThat(test(0, i -> i).shape()).isEqualTo(Shape.TOO_FEW);
        assertThat(test(7, i -> 100 * i).shape()).isEqualTo(Shape.TOO_FEW);
        assertThat(test(8, i -> 100 * i).shape()).isEqualTo(Shape.GROWS);
    }

    /** All but one rise is taken back, so there is none whose times say how it ends. */
    @Test
    void aRampThatIsFreedAtItsEnd_doesNotGrow() {
        assertThat(test(100, i -> i == 0 ? 0 : i == 99 ? 1000 : 1000 + 10 * i).isGrowing())
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 50, 300, 5_000})
    void aRamp_growsByItsSlope(int count) {
        CurveShape test = test(count, i -> 700 + 3 * i);
        assertThat(test.shape()).isEqualTo(Shape.GROWS);
        assertThat(test.trend().slope()).isEqualTo(3 * MB);
        assertThat(test.trend().low()).isEqualTo(3 * MB);
    }

    @Test
    void aWarmUp_isCutOff() {
        CurveShape flat = test(300, i -> Math.min(i, 50) * 20);
        assertThat(flat.shape()).isEqualTo(Shape.WARM_UP);
        assertThat(flat.from()).isBetween(45.0, 60.0);
        CurveShape slow = test(300, i -> Math.min(i, 50) * 20 + 0.5 * i);
        assertThat(slow.shape()).isEqualTo(Shape.GROWS);
        assertThat(slow.trend().slope()).isEqualTo(0.5 * MB);
        assertThat(slow.from()).isBetween(45.0, 60.0);
    }

    @Test
    void aPlateau_countsByItsStepsWhereFewOfThemWereMeasured() {
        assertThat(thinned(120, i -> 700 + Math.min(i, 64) / 8 * 3).isGrowing()).isFalse();
        assertThat(thinned(120, i -> 700 + i / 8 * 3).isGrowing()).isTrue();
    }

    /** A cache that is full is looked at ever more rarely, as the probe does: 96 level steps are nine of its ninety measurements. */
    @ParameterizedTest
    @ValueSource(doubles = {64, 98.9, 400})
    void aCacheThatIsFull_isLevelThoughItIsLookedAtEverMoreRarely(double kibibytes) {
        MemorySeries series = new MemorySeries(new Subject(Source.LOG, Quantity.ALLOCATED, Axis.STEP, 0, -1, ""));
        IntStream.concat(IntStream.rangeClosed(1, 82), IntStream.of(85, 91, 98, 102, 111, 135, 156, 177))
                .forEach(step -> series.add(step, Math.round(24 * MB + Math.min(step, 81) * kibibytes * 1024)));
        CurveShape test = new CurveShape(Curve.of(0, series));
        assertThat(test.isGrowing()).isFalse();
        assertThat(test.level().isSurelyBounded()).isTrue();
    }

    /** The noise before the ramp falls by half of what it rose, now and then: those are no piles beside a ramp of 480 MiB. */
    @ParameterizedTest
    @ValueSource(doubles = {0.05, 1, 5})
    void aRampThatBeginsLate_growsWhateverTheNoiseBeforeItDoes(double noise) {
        int found = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            Shape shape = test(240, i -> 10_000 + 4.0 * Math.max(i - 120, 0) + noise * random.nextGaussian())
                    .shape();
            found += shape == Shape.GROWS ? 1 : 0;
        }
        assertThat(found).as("of %s", SEEDS).isGreaterThan(SEEDS - 5);
    }

    @Test
    void whatHasGrown_isWhatWasMeasured() {
        assertThat(test(60, i -> 700 + 3 * i).grown()).isEqualTo(Math.round(177 * MB));
        assertThat(test(60, i -> 700 + 3 * i - (i < 30 ? 0 : 20)).grown()).isEqualTo(Math.round(157 * MB));
    }

    @Test
    void aJump_isNoGrowth() {
        CurveShape test = test(300, i -> i < 180 ? 1000 : 2000);
        assertThat(test.shape()).isEqualTo(Shape.LEVELS);
        assertThat(test.jumps()).hasSize(1);
        assertThat(test.jumps().getFirst().bytes()).isEqualTo(1000L << 20);
        assertThat(test.jumps().getFirst().position()).isBetween(175.0, 185.0);
        assertThat(test.mayHide()).isZero();
    }

    @Test
    void aLateJumpOfANoisyLevel_isNoWarmUp() {
        CurveShape late = test(300, new Random(3), (_, random) -> i -> (i < 60 ? 1000 : 1500) + random.nextGaussian());
        assertThat(late.shape()).isEqualTo(Shape.LEVELS);
        assertThat(late.jumps()).hasSize(1);
        CurveShape first = test(300, new Random(3), (_, random) -> i -> (i < 20 ? 1000 : 1500) + random.nextGaussian());
        assertThat(first.shape()).isEqualTo(Shape.WARM_UP);
    }

    @Test
    void whatComesBackEachDay_isPeriodic() {
        CurveShape days = test(
                700,
                new Random(4),
                (_, random) -> i -> 3000 - 1500 * Math.cos(2 * Math.PI * i / 120) + 40 * random.nextGaussian());
        assertThat(days.shape()).isEqualTo(Shape.PERIODIC);
        CurvePeriod day = days.period().orElseThrow();
        assertThat(day.times()).isEqualTo(5);
        assertThat(day.length()).isBetween(115.0, 125.0);
        assertThat(day.isRamp()).isFalse();
        assertThat(day.spread()).isLessThan((long) (150 * MB));
    }

    @Test
    void whatIsFreedInEachPeriod_risesByItsSlope() {
        CurveShape restarts =
                test(700, new Random(4), (_, random) -> i -> 1000 + 10 * (i % 100) + 20 * random.nextGaussian());
        CurvePeriod period = restarts.period().orElseThrow();
        assertThat(restarts.shape()).isEqualTo(Shape.PERIODIC);
        assertThat(period.isRamp()).isTrue();
        assertThat(period.slope()).isCloseTo(10 * MB, within(MB));
    }

    @Test
    void daysWhoseLowsRise_areNotAcquitted() {
        CurveShape days = test(700, i -> 1000 - 500 * Math.cos(2 * Math.PI * i / 120) + i);
        assertThat(days.shape()).isNotEqualTo(Shape.PERIODIC);
    }

    @Test
    void noiseHasNoPeriod() {
        for (int seed = 0; seed < SEEDS; seed++) {
            CurveShape noise = test(300, new Random(seed), (_, random) -> _ -> 2000 + 2000 * random.nextDouble());
            assertThat(noise.period()).isEmpty();
        }
    }

    @Test
    void aSawtooth_isJudgedByItsTroughs() {
        assertThat(test(300, i -> 500 + i % 10 * 30).shape()).isEqualTo(Shape.PERIODIC);
        CurveShape rising = test(300, i -> 500 + i % 10 * 30 + 2 * i);
        assertThat(rising.shape()).isEqualTo(Shape.GROWS);
        assertThat(rising.trend().slope()).isCloseTo(2 * MB, within(0.02 * MB));
    }

    @Test
    void stairsByEpochs_grow() {
        CurveShape test = test(300, i -> 1000 + 100 * Math.floorDiv(i, 30));
        assertThat(test.shape()).isEqualTo(Shape.GROWS);
        assertThat(test.trend().slope()).isCloseTo(100 / 30.0 * MB, within(0.4 * MB));
    }

    @Test
    void growthThatBeginsLate_isSeen() {
        CurveShape test = test(300, i -> 1000 + 3 * Math.max(i - 150, 0));
        assertThat(test.shape()).isEqualTo(Shape.GROWS);
        assertThat(test.trend().slope()).isEqualTo(3 * MB);
        assertThat(test.from()).isBetween(145.0, 160.0);
    }

    @Test
    void swingsInWhichGrowthCouldHide_areNotJudged() {
        CurveShape test = test(20, new Random(5), (_, random) -> _ -> 2000 + 4000 * random.nextDouble());
        assertThat(test.shape()).isEqualTo(Shape.SWINGS);
        assertThat(test.mayHide()).isGreaterThan(600 * MB);
    }

    /** Of what does not grow, hardly anything is accused. */
    @ParameterizedTest
    @ValueSource(ints = {50, 300})
    void nothingElseGrows(int count) {
        assertThat(growing(count, (_, random) -> _ -> 1000 + 20 * random.nextGaussian()))
                .isZero();
        assertThat(growing(count, CurveShapeTest::persistent)).isLessThanOrEqualTo(SEEDS / 25);
        assertThat(growing(count, CurveShapeTest::highestSoFar)).isLessThanOrEqualTo(SEEDS / 50);
        assertThat(growing(count, CurveShapeTest::otherJobs)).isLessThanOrEqualTo(SEEDS / 20);
        assertThat(growing(count, (_, random) -> i -> 1000 * (1 - Math.exp(-i / 15.0)) + random.nextGaussian()))
                .isZero();
        assertThat(growing(count, CurveShapeTest::walk)).isLessThanOrEqualTo(SEEDS / 5);
    }

    /** What is measured at any moment of a step swings by as much as it grows in all. */
    @Test
    void growthUnderneathSwings_isSeenWithTime() {
        Maker swings = (count, random) -> i -> 2000 + 4000 * random.nextDouble() + 4000.0 * i / count;
        assertThat(growing(50, swings)).isBetween(10, 70);
        assertThat(growing(300, swings)).isGreaterThanOrEqualTo(SEEDS - SEEDS / 50);
    }

    /** Growth that is sure only on the whole is not acquitted; of what does not grow, hardly anything is suspected. */
    @Test
    void growthThatIsSureOnlyOnTheWhole_isNeitherConvictedNorAcquitted() {
        Maker slow = (count, random) -> i -> 1200 + 20 * random.nextGaussian() + 50.0 * i / count;
        assertThat(shaped(Shape.LEVEL, 140, slow)).isLessThanOrEqualTo(SEEDS / 10);
        assertThat(shaped(Shape.SWINGS, 140, slow)).isGreaterThan(SEEDS / 10);
        assertThat(shaped(Shape.SWINGS, 300, (_, random) -> _ -> 1000 + 20 * random.nextGaussian()))
                .isLessThanOrEqualTo(SEEDS / 20);
        assertThat(shaped(
                        Shape.SWINGS,
                        300,
                        (_, random) -> i -> 1000 * (1 - Math.exp(-i / 15.0)) + random.nextGaussian()))
                .isZero();
    }

    private static int shaped(Shape shape, int count, Maker maker) {
        int such = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            such += test(count, new Random(seed), maker).shape() == shape ? 1 : 0;
        }
        return such;
    }

    /** Each value keeps nine tenths of the one before. */
    private static IntToDoubleFunction persistent(int count, Random random) {
        double[] values = new double[count];
        for (int i = 1; i < count; i++) {
            values[i] = 0.9 * values[i - 1] + random.nextGaussian();
        }
        return i -> 1000 + 10 * values[i];
    }

    private static IntToDoubleFunction walk(int count, Random random) {
        double[] values = new double[count];
        for (int i = 1; i < count; i++) {
            values[i] = values[i - 1] + random.nextGaussian();
        }
        return i -> 5000 + 20 * values[i];
    }

    private static IntToDoubleFunction highestSoFar(int count, Random random) {
        double[] values = new double[count];
        for (int i = 0; i < count; i++) {
            values[i] = Math.max(i == 0 ? 0 : values[i - 1], 1000 * Math.exp(0.5 * random.nextGaussian()));
        }
        return i -> values[i];
    }

    private static IntToDoubleFunction otherJobs(int count, Random random) {
        double[] values = new double[count];
        for (int job = 0; job < 6; job++) {
            int from = random.nextInt(count);
            int to = from + random.nextInt(count);
            double size = 1000 * random.nextDouble();
            for (int i = from; i < Math.min(to, count); i++) {
                values[i] += size;
            }
        }
        return i -> 600 + values[i];
    }

    private static int growing(int count, Maker maker) {
        int growing = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            growing += test(count, new Random(seed), maker).isGrowing() ? 1 : 0;
        }
        return growing;
    }

    private static CurveShape test(int count, Random random, Maker maker) {
        return test(count, maker.of(count, random));
    }

    private static CurveShape thinned(int steps, IntToDoubleFunction megabytes) {
        MemorySeries series = new MemorySeries(new Subject(Source.LOG, Quantity.ALLOCATED, Axis.STEP, 0, -1, ""));
        for (int i = 0; i < steps; i += i < steps / 2 ? 1 : 5) {
            series.add(i, Math.round(megabytes.applyAsDouble(i) * MB));
        }
        return new CurveShape(Curve.of(0, series));
    }

    private static CurveShape test(int count, IntToDoubleFunction megabytes) {
        MemorySeries series = new MemorySeries(new Subject(Source.LOG, Quantity.ALLOCATED, Axis.STEP, 0, -1, ""));
        for (int i = 0; i < count; i++) {
            series.add(i, Math.max(Math.round(megabytes.applyAsDouble(i) * MB), 0));
        }
        return new CurveShape(Curve.of(0, series));
    }
}
