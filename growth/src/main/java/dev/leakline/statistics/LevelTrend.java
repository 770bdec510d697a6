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

    /** Coefficients of the noise that are tried. */
    private static final double[] ALIKE = {0, 0.3, 0.5, 0.7, 0.85, 0.95, 1};
    /** Steps of stairs, taken one by one, each the one that explains most: several warm-ups, or other jobs. */
    private static final int STAIRS = 5;
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
    private final double days;
    private final double rounding;
    private Best bounded = Best.NONE;
    private Best goingOn = Best.NONE;

    /**
     * Compares the means.
     *
     * @param times from 0 to 1, ascending
     * @param values what is held at these times, in bytes
     * @param least bytes that growth must come to
     * @param days from the first time to the last; 0 where nobody knows
     */
    LevelTrend(double[] times, double[] values, double least, double days) {
        this.days = days;
        double lowest = Arrays.stream(values).min().orElse(0);
        this.times = times;
        this.range = Math.max(Arrays.stream(values).max().orElse(0) - lowest, 1);
        this.level =
                Arrays.stream(values).map(value -> (value - values[0]) / range).toArray();
        this.least = least / range;
        this.rounding = Math.pow(Math.max(SEEN, OF_GRAIN * GRAIN / range), 2);
        compare(0);
    }

    /** Compares them beside a wave as well: the one that explains most beside a level or a line. */
    void addWave() {
        double most = Double.NEGATIVE_INFINITY;
        double best = FEWEST_WAVES;
        for (double waves = FEWEST_WAVES; waves <= MOST_WAVES; waves += WAVES_APART) {
            MeanShapes shapes = MeanShapes.lines(times);
            int[] wave = shapes.addWave(waves);
            int[] all = {wave[0], wave[1], 0, 1};
            for (double alike : ALIKE) {
                Rest rest = new WhiteFit(alike, shapes.parts(), level).rest(all, Double.NEGATIVE_INFINITY);
                double likelihood = rest == null ? most : -Math.log(rest.squares() / level.length + rounding(alike));
                best = likelihood > most ? waves : best;
                most = Math.max(likelihood, most);
            }
        }
        compare(best);
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

    private void compare(double waves) {
        MeanShapes shapes = MeanShapes.all(times, days);
        int[] beside = waves == 0 ? new int[0] : shapes.addWave(waves);
        for (double alike : ALIKE) {
            WhiteFit fit = new WhiteFit(alike, shapes.parts(), level);
            double unseen = rounding(alike);
            shapes.means().forEach(mean -> attempt(fit, mean, beside, unseen));
            climb(fit, false, shapes.steps(false), beside, unseen);
            climb(fit, true, shapes.steps(true), beside, unseen);
        }
    }

    /** Tries stairs. */
    private void climb(WhiteFit fit, boolean goesOn, List<Integer> steps, int[] beside, double unseen) {
        int[] always = IntStream.concat(
                        Arrays.stream(beside),
                        Arrays.stream(MeanShapes.stairs(goesOn, List.of()).terms()))
                .toArray();
        List<Integer> taken = fit.best(always, steps, STAIRS, goesOn);
        for (int count = 1; count <= taken.size(); count++) {
            attempt(fit, MeanShapes.stairs(goesOn, taken.subList(0, count)), beside, unseen);
        }
    }

    private @Nullable Rest rest(WhiteFit fit, Mean mean, int[] beside) {
        int[] terms = IntStream.concat(Arrays.stream(beside), Arrays.stream(mean.terms()))
                .toArray();
        Rest rest = fit.rest(terms, mean.goesOn() ? least / (1 - mean.from()) : Double.NEGATIVE_INFINITY);
        // a line less some steps is what piles up and is freed
        boolean falls = rest != null
                && mean.isStairs()
                && IntStream.range(beside.length + 1, terms.length).anyMatch(term -> rest.factors()[term] < 0);
        return falls ? null : rest;
    }

    private void attempt(WhiteFit fit, Mean mean, int[] beside, double unseen) {
        Rest rest = rest(fit, mean, beside);
        if (rest == null) {
            return;
        }
        int count = level.length;
        int numbers = mean.terms().length + beside.length;
        int places = mean.places() + (beside.length > 0 ? 1 : 0);
        double likelihood =
                -0.5 * count * Math.log(rest.squares() / count + unseen) - Math.log(count) * (0.5 * numbers + places);
        Best best = new Best(likelihood, rest.factors()[rest.factors().length - 1] * range, mean.from());
        if (mean.goesOn()) {
            goingOn = goingOn.or(best);
        } else {
            bounded = bounded.or(best);
        }
    }
}
