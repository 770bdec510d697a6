package dev.leakline.host;

import dev.leakline.statistics.MannKendall;
import dev.leakline.statistics.Slope;
import dev.leakline.statistics.Thresholds;
import dev.leakline.text.ByteSize;
import java.util.Arrays;

/**
 * The growth of one part over the looks. A part grows where later looks show more than earlier ones, seldom so by chance; where its floor rises, so
 * that waves of it do not count, though it may stand still in the middle, between two events; and where it goes on to the end, so that loads and warm-up do not.
 */
final class RowGrowth {
    /** The customary one in twenty. */
    private static final double BY_CHANCE = 0.05;
    /** Looks of which rises in all are seldom chance: four, one order of 24. */
    static final int FEWEST_LOOKS = 4;
    /** The second half must grow by a third of the whole's rate, as for samples of {@code leakline watch}. */
    private static final double SECOND_HALF = 0.35;

    /** A rise that is not acquitted, in bytes: of jobs that keep nothing, what is in use rises by up to 180 KiB in 25 s, but not to the end. */
    private static final double SLOW = 64 * ByteSize.KIB;

    private final double[] places;
    private final double[] bytes;
    private final double least;
    private final Slope slope;

    /**
     * Growth of bytes at ascending places; {@code least} is what matters.
     *
     * <p>The first fifth is left out while enough looks remain: what every step needs comes to be then.
     */
    RowGrowth(double[] places, double[] bytes, double least) {
        int from = 0;
        double late = places[0] + (places[places.length - 1] - places[0]) * Thresholds.WARM_UP_SHARE;
        while (places.length - from > FEWEST_LOOKS && places[from] < late) {
            from++;
        }
        int to = end(bytes);
        this.places = Arrays.copyOfRange(places, from, to);
        this.bytes = Arrays.copyOfRange(bytes, from, to);
        this.least = least;
        this.slope = new Slope(this.places, this.bytes);
    }

    /**
     * The number of values before a fall at the very end, in the last fifth: when the function that kept it returns, or the job cleans up, what it kept is freed, and it grew
     * up to there.
     */
    private static int end(double[] bytes) {
        double highest = Arrays.stream(bytes).max().orElse(0);
        int to = bytes.length;
        while (to > bytes.length * (1 - Thresholds.WARM_UP_SHARE) && bytes[to - 1] < (highest + bytes[0]) / 2) {
            to--;
        }
        return bytes.length < 2 * FEWEST_LOOKS || bytes[to - 1] < (highest + bytes[0]) / 2 ? bytes.length : to;
    }

    /** Bytes per unit of the places. */
    double rate() {
        return slope.value();
    }

    /** How much its lowest values have risen from the first half to the second. */
    double rise() {
        int middle = bytes.length / 2;
        return bytes.length < 2 ? 0 : lowest(middle, bytes.length) - lowest(0, middle);
    }

    /** How much its highest values have risen. */
    double riseOfPeaks() {
        return highest(bytes.length) - highest(bytes.length / 2);
    }

    /** Returns whether it rises by what matters, if maybe by chance. */
    boolean rises() {
        return rise() >= least;
    }

    /** Returns whether it grows to its end. */
    boolean grows() {
        return grows(least);
    }

    /** Returns whether it does, be it by less than what matters in the time. */
    boolean creeps() {
        return grows(Math.min(least, SLOW)) && isSteady();
    }

    private boolean grows(double by) {
        return bytes.length >= FEWEST_LOOKS
                && rise() >= by
                && MannKendall.of(bytes).chanceOfRise() < BY_CHANCE
                && lowest(bytes.length / 2, bytes.length) >= highest(bytes.length / 2)
                && lasts();
    }

    /** Returns whether its rate is above 0 by the rates of parts of the time as well. */
    boolean isSteady() {
        return slope.low() > 0;
    }

    private boolean lasts() {
        int last = bytes.length - 1;
        int middle = bytes.length / 2;
        double late = (bytes[last] - bytes[middle]) / (places[last] - places[middle]);
        return late >= SECOND_HALF * (bytes[last] - bytes[0]) / (places[last] - places[0]);
    }

    private double lowest(int from, int to) {
        return Arrays.stream(bytes, from, to).min().orElse(0);
    }

    private double highest(int to) {
        return Arrays.stream(bytes, 0, to).max().orElse(0);
    }
}
