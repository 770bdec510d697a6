package dev.leakline.statistics;

import dev.leakline.statistics.MeanShapes.Mean;
import dev.leakline.statistics.WhiteFit.Rest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Compares means of a level that go on rising with bounded ones, by likelihood: Schwarz's criterion, by which each number of a mean costs half of the
 * logarithm of how many values there are, and each place in time a whole one. The noise is an autoregression of order one, up to a random walk.
 */
final class LevelTrend {
    /** The best mean of its kind: its likelihood, its slope in bytes from the first time to the last, the standard error of that, and the time from which on it rises. */
    record Best(double likelihood, double slope, double error, double from) {
        private static final Best NONE = new Best(Double.NEGATIVE_INFINITY, 0, 0, 0);

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
    /** The logarithm of the likelihood by which 95 % of an interval fall short at the most: half of a chi-square of one degree of freedom. */
    private static final double LIKELY = 1.92;
    /** Waves of a level, in periods from its first time to its last: below, they are a bend, above, noise of the windows. */
    private static final double FEWEST_WAVES = 1.5;

    private static final double MOST_WAVES = 6;
    /** Apart by a quarter of a period, so that the nearest is out of step by an eighth at the most. */
    private static final double WAVES_APART = 0.25;
    /** And the best of these by less, so that it is in step to a hundredth. */
    private static final double NEAREST_WAVES = 0.01;

    private final double[] times;
    private final double[] level;
    private final double range;
    private final double least;
    private final double days;
    private final double rounding;
    private final Map<Double, Double> waveRests = new HashMap<>();
    private final List<Best> likely = new ArrayList<>();
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
        double best = FEWEST_WAVES;
        for (double waves = FEWEST_WAVES; waves <= MOST_WAVES; waves += WAVES_APART) {
            best = better(best, waves);
        }
        for (double apart = WAVES_APART / 2; apart >= NEAREST_WAVES; apart /= 2) {
            best = better(better(best, best - apart), best + apart);
        }
        compare(best);
    }

    private double better(double one, double other) {
        return unexplained(other) < unexplained(one) ? other : one;
    }

    /** The logarithm of what a wave leaves unexplained beside a level or a line. */
    private double unexplained(double waves) {
        return waveRests.computeIfAbsent(waves, this::waveRest);
    }

    private double waveRest(double waves) {
        MeanShapes shapes = MeanShapes.lines(times);
        int[] wave = shapes.addWave(waves);
        int[] all = {wave[0], wave[1], 0, 1};
        double least = Double.POSITIVE_INFINITY;
        for (double alike : ALIKE) {
            Rest rest = new WhiteFit(alike, shapes.parts(), level).rest(all, Double.NEGATIVE_INFINITY);
            least = rest == null ? least : Math.min(least, Math.log(rest.squares() / level.length + rounding(alike)));
        }
        return least;
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

    /** The slope of the best mean that goes on, in bytes from the first time to the last, with the 95 % interval of the likelihood of all of them. */
    Slope slope() {
        double low = goingOn.slope;
        double high = goingOn.slope;
        for (Best one : likely) {
            double reach = one.error * Math.sqrt(2 * Math.max(LIKELY - goingOn.likelihood + one.likelihood, 0));
            low = Math.min(low, reach > 0 ? one.slope - reach : low);
            high = Math.max(high, reach > 0 ? one.slope + reach : high);
        }
        return new Slope(goingOn.slope, low, high);
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
        return rest == null || (mean.isStairs() && isFreed(rest.factors(), beside.length + 1)) ? null : rest;
    }

    /** Returns whether steps take back so much of what a line adds that it is what piles up and is freed. */
    private static boolean isFreed(double[] factors, int firstStep) {
        int line = factors.length - 1;
        double fallen = 0;
        for (int step = firstStep; step < line; step++) {
            fallen -= Math.min(factors[step], 0);
        }
        return fallen >= Sawteeth.RELEASED * factors[line];
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
        Best best = new Best(likelihood, rest.last() * range, rest.error(count) * range, mean.from());
        if (mean.goesOn()) {
            goingOn = goingOn.or(best);
            likely.add(best);
        } else {
            bounded = bounded.or(best);
        }
    }
}
