package dev.leakline.statistics;

import dev.leakline.statistics.MeanShapes.Mean;
import dev.leakline.statistics.WhiteFit.Rest;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Compares means of a level that go on rising with bounded ones, by likelihood: Schwarz's criterion, by which each number of a mean costs half of the
 * logarithm of how many values there are, and each place in time a whole one. The noise is an autoregression of order one, up to a random walk.
 */
final class LevelTrend {
    /** The best mean of its kind: its likelihood, its slope in bytes from the first time to the last, and the time from which on it rises. */
    record Best(double likelihood, double slope, double from) {
        private static final Best NONE = new Best(Double.NEGATIVE_INFINITY, 0, 0);

        private Best or(Best other) {
            return other.likelihood > likelihood ? other : this;
        }
    }

    /** Steps of stairs, taken one by one, each the one that explains most: several warm-ups, or other jobs. */
    private static final int STAIRS = 5;
    /** Places at which a ramp begins or ends; more would follow the first waves of a leak. */
    private static final int RAMPS = 2;
    /** Noise that no chart shows, as a part of the range: what fits better does so by rounding. */
    private static final double SEEN = 1e-4;
    /** Rounding of the allocator, in bytes, and its standard deviation as a part of that. */
    private static final double GRAIN = 512;

    private static final double OF_GRAIN = 0.29;
    /** Waves of a level, in periods from its first time to its last: below, they are a bend, above, noise of the windows. */
    private static final double FEWEST_WAVES = 1.5;

    private static final double MOST_WAVES = 6;
    /** Apart by a quarter of a period, so that the nearest is out of step by an eighth at the most. */
    private static final double WAVES_APART = 0.25;

    private final double[] times;
    private final double[] level;
    private final double range;
    private final double least;
    private final double rounding;
    private Best bounded = Best.NONE;
    private Best goingOn = Best.NONE;

    /**
     * Compares the means.
     *
     * @param shapes of means
     * @param values what is held at their times, in bytes
     * @param least bytes that growth must come to
     */
    LevelTrend(MeanShapes shapes, double[] values, double least) {
        double lowest = Arrays.stream(values).min().orElse(0);
        this.times = shapes.times();
        this.range = Math.max(Arrays.stream(values).max().orElse(0) - lowest, 1);
        this.level =
                Arrays.stream(values).map(value -> (value - values[0]) / range).toArray();
        this.least = least / range;
        this.rounding = Math.pow(Math.max(SEEN, OF_GRAIN * GRAIN / range), 2);
        compare(shapes);
    }

    /** Compares them beside a wave as well: the one that explains most beside a level or a line. */
    void addWave() {
        double most = Double.NEGATIVE_INFINITY;
        double best = FEWEST_WAVES;
        for (double waves = FEWEST_WAVES; waves <= MOST_WAVES; waves += WAVES_APART) {
            MeanShapes shapes = MeanShapes.lines(times);
            int[] wave = shapes.addWave(waves);
            int[] all = {wave[0], wave[1], 0, 1};
            for (WhiteFit fit : shapes.fits(level)) {
                Rest rest = fit.rest(all, Double.NEGATIVE_INFINITY);
                double likelihood =
                        rest == null ? most : -Math.log(rest.squares() / level.length + rounding(fit.alike()));
                best = likelihood > most ? waves : best;
                most = Math.max(likelihood, most);
            }
        }
        MeanShapes shapes = MeanShapes.all(times);
        compare(shapes, shapes.addWave(best));
    }

    private double rounding(double alike) {
        return (1 + alike * alike) * rounding;
    }

    /** How much better the level is explained by a mean that goes on than by a bounded one: the logarithm of the ratio of their likelihoods. */
    double evidence() {
        return goingOn.likelihood - bounded.likelihood;
    }

    /** The best mean that goes on. */
    Best goingOn() {
        return goingOn;
    }

    private void compare(MeanShapes shapes, int... beside) {
        for (WhiteFit fit : shapes.fits(level)) {
            shapes.means().forEach(mean -> attempt(fit, mean, beside));
            climb(fit, false, shapes.ramps(), RAMPS, beside);
            climb(fit, false, shapes.steps(), STAIRS, beside);
            climb(fit, true, shapes.steps(), STAIRS, beside);
        }
    }

    /** Tries sums of parts. */
    private void climb(WhiteFit fit, boolean goesOn, List<Integer> parts, int most, int[] beside) {
        int[] always = IntStream.concat(
                        Arrays.stream(beside),
                        Arrays.stream(MeanShapes.sum(goesOn, List.of()).terms()))
                .toArray();
        List<Integer> taken = fit.best(always, parts, most, goesOn);
        for (int count = 1; count <= taken.size(); count++) {
            attempt(fit, MeanShapes.sum(goesOn, taken.subList(0, count)), beside);
        }
    }

    private @Nullable Rest rest(WhiteFit fit, Mean mean, int[] beside) {
        int[] terms = beside.length == 0
                ? mean.terms()
                : IntStream.concat(Arrays.stream(beside), Arrays.stream(mean.terms()))
                        .toArray();
        Rest rest = fit.rest(terms, mean.goesOn() ? least / (1 - mean.from()) : Double.NEGATIVE_INFINITY);
        // a line less some steps is what piles up and is freed
        boolean mayFall = rest != null && mean.isStairs();
        for (int term = beside.length + 1; mayFall && term < terms.length; term++) {
            if (rest.factors()[term] < 0) {
                return null;
            }
        }
        return rest;
    }

    private void attempt(WhiteFit fit, Mean mean, int[] beside) {
        Rest rest = rest(fit, mean, beside);
        if (rest == null) {
            return;
        }
        int count = level.length;
        int numbers = mean.terms().length + beside.length;
        int places = mean.places() + (beside.length > 0 ? 1 : 0);
        double likelihood = -0.5 * count * Math.log(rest.squares() / count + rounding(fit.alike()))
                - Math.log(count) * (0.5 * numbers + places);
        Best best = new Best(likelihood, rest.factors()[rest.factors().length - 1] * range, mean.from());
        if (mean.goesOn()) {
            goingOn = goingOn.or(best);
        } else {
            bounded = bounded.or(best);
        }
    }
}
