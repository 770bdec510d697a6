package dev.leakline.statistics;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Compares arrivals at random that go on with such that stop, or come ever more rarely, by their times: Poisson's process, and Schwarz's criterion. Those
 * that come at more equal intervals than at random say as much more, and those that come in bursts as much less: the logarithm of their likelihood is divided by
 * their dispersion.
 */
final class Arrivals {
    /** By how much the rate has fallen at the end, as a logarithm, where it decays exponentially. */
    private static final double[] DECAYS = {2, 3, 4, 6, 8, 12, 20};
    /** By what factor it has fallen, or the root of that, where it does so as 1/t or faster. */
    private static final double[] SLOWER = {6, 12, 25, 50, 100};
    /** Arrivals that make a rate of their own. */
    private static final int FEWEST = 3;
    /** Arrivals of a part, on average, whose numbers show whether they come in bursts: with fewer a burst is longer than a part. */
    private static final int OF_PART = 5;

    private final double[] times;
    private final double span;
    private final int count;
    private final double dispersion;
    /** The evidence of a rate that goes on, and the time from which on it does. */
    private final double goingOn;

    private final double from;

    /** Arrivals at ascending times between 0 and {@code span}, in steps; there are some. */
    Arrivals(double[] times, double span) {
        this.times = times;
        this.span = span;
        this.count = times.length;
        this.dispersion = dispersion();
        double price = 1.5 * Math.log(count);
        double best = likelihood(0, 0);
        double since = 0;
        for (int before = 0; before <= count - FEWEST && times[before] <= MeanShapes.LAST_ONSET * span; before++) {
            double place = Math.max(times[before] - 0.5, 0.25);
            double changed = likelihood(before, place) - price;
            since = changed > best && before > 0 ? place : since;
            best = Math.max(changed, best);
        }
        this.goingOn = best;
        this.from = since;
    }

    /** How much better they are explained by a rate that goes on: the logarithm of the ratio of their likelihoods. */
    double evidence() {
        return goingOn - Math.max(stopping(), slowing());
    }

    /** The variance of the intervals as a part of their mean's square, with one that is as at random added; where they vary more that of the numbers in parts. */
    private double dispersion() {
        double mean = (times[count - 1] - times[0]) / (count - 1);
        double squares = 0;
        for (int i = 1; i < count; i++) {
            squares += Math.pow((times[i] - times[i - 1]) / mean - 1, 2);
        }
        double ofIntervals = (squares + 1) / (count - 1);
        return ofIntervals < 1 ? ofIntervals : Math.max(ofNumbers(), 1);
    }

    /** The variance of the numbers of arrivals in parts of the time as a part of their mean, by neighbours, so that a rate that changes slowly is none. */
    private double ofNumbers() {
        int[] numbers = new int[count / OF_PART];
        for (double time : times) {
            numbers[Math.min((int) (time / span * numbers.length), numbers.length - 1)]++;
        }
        return IntStream.range(1, numbers.length)
                .mapToDouble(part ->
                        Math.pow(numbers[part] - numbers[part - 1], 2) / Math.max(numbers[part] + numbers[part - 1], 1))
                .average()
                .orElse(1);
    }

    /** The time from which on they come at the rate that goes on; 0 where they always did. */
    double from() {
        return from;
    }

    private double stopping() {
        double last = times[count - 1];
        double longest = IntStream.range(1, count)
                .mapToDouble(i -> times[i] - times[i - 1])
                .max()
                .orElse(0);
        return last > MeanShapes.LAST_END * span || span - last <= longest
                ? Double.NEGATIVE_INFINITY
                : likelihood(count, last + 0.5) - Math.log(count);
    }

    /** The likelihood of so many before a time, and the rest after it, each at the rate that fits. */
    private double likelihood(int before, double time) {
        return (likelihood(before, 0, time) + likelihood(count - before, time, span) - count) / dispersion;
    }

    private static double likelihood(int arrivals, double from, double to) {
        return arrivals == 0 ? 0 : arrivals * Math.log(arrivals / (to - from));
    }

    private double slowing() {
        double sum = Arrays.stream(times).sum() / span;
        double best = Double.NEGATIVE_INFINITY;
        for (double fall : DECAYS) {
            best = Math.max(best, decayed((1 - Math.exp(-fall)) / fall, fall * sum));
        }
        for (double slower : SLOWER) {
            double logs = Arrays.stream(times)
                    .map(time -> Math.log(1 + slower * time / span))
                    .sum();
            best = Math.max(best, decayed(Math.log(1 + slower) / slower, logs));
            best = Math.max(best, decayed(1 / (1 + slower), 2 * logs));
        }
        return best - 0.5 * Math.log(count);
    }

    /** The likelihood of a rate that falls: its mean as a share of its first value, and the sum of the logarithms of what it fell by. */
    private double decayed(double mean, double fallen) {
        return (count * Math.log(count / (span * mean)) - fallen - count) / dispersion;
    }
}
