package dev.leakline.testkit;

import java.util.function.LongPredicate;
import java.util.stream.LongStream;

/**
 * Rates of error, counted over random seeds: of 1,000 in the full ring, which the bounds of tests are given for, and of fewer on a push, where a
 * bound leaves room for three standard deviations of the count.
 */
public final class Seeds {
    private static final int ALL = 1_000;
    private static final int DEVIATIONS = 3;

    /** Seeds that are tried. */
    public static final int COUNT = Thoroughness.of(ALL / 8, ALL);

    private Seeds() {}

    /** Counts the seeds, from 0 on, for which something holds. */
    public static int count(LongPredicate holds) {
        return (int) LongStream.range(0, COUNT).filter(holds).count();
    }

    /** The largest count that agrees with at most {@code bound} of 1,000. */
    public static int most(int bound) {
        return COUNT == ALL ? bound : (int) Math.ceil(expected(bound) + deviation(bound));
    }

    /** The smallest count that agrees with at least {@code bound} of 1,000. */
    public static int fewest(int bound) {
        return COUNT == ALL ? bound : (int) Math.floor(expected(bound) - deviation(bound));
    }

    private static double expected(int bound) {
        return bound * (double) COUNT / ALL;
    }

    private static double deviation(int bound) {
        return DEVIATIONS * Math.sqrt(expected(bound) * (1 - bound / (double) ALL));
    }
}
