package dev.leakline.statistics;

import com.carrotsearch.hppc.IntArrayList;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Tests whether the floor of a line's memory, the bytes that it holds through each step, grows without bound.
 *
 * <p>A floor that leaks works like a ratchet: again and again it rises above all that it ever was, and never comes back below. So the
 * test counts these clicks: after one at step {@code s}, the next is the first step {@code t} from which on the floor stays above the
 * highest it had been until {@code s}. Noise does not click (what goes up comes down again), a sawtooth clicks only as far as its
 * troughs rise, and a plateau clicks no more. Few of them are nothing; of more the {@link Level} says whether they go on, or are those of a cache that
 * fills, or of a warm-up that is over.
 *
 * <p>Memory that piles up and is freed at once is examined from trough to trough. But where it is freed only once, at the end, as when
 * the function that kept it returns, it was growing all the way up to there.
 */
public final class Ratchet {
    /** Shapes of a floor. */
    public enum Shape {
        /** It never grew, or in too few steps to say. */
        FLAT,
        /** It grows to the end. */
        GROWS,
        /** It grew and then stopped. */
        PLATEAU,
        /** It grows ever more slowly. */
        SATURATES,
        /** It piles up and is freed, more than once. */
        SAWTOOTH
    }

    /**
     * Rises that make a floor grow: if a rise were as likely as a fall, six in a row would be seen once in 64 times, which is below the
     * customary one in twenty even when two floors are tested; five would not.
     */
    public static final int FEWEST_RISES = 6;
    /**
     * Rises of what is freed as well, after a while: a full cache of entries of random sizes rises now and then; in thousands of simulated ones of 8 to 64
     * entries that was at most 12 times, and a queue that really grows does so at every second step or so.
     */
    public static final int FEWEST_RISES_OF_TURNOVER = 18;
    /** Rises whose three intervals are equal: two may be by chance. */
    private static final int FEWEST_REGULAR = 4;

    private final long[] floor;
    private final Sawteeth teeth;
    private final Clicks clicks;
    private final Shape shape;
    private double evidence;

    /** Tests a floor. */
    public Ratchet(long[] floor) {
        this(floor, FEWEST_RISES);
    }

    /** Tests a floor; at least {@code fewestClicks} make it grow. */
    public Ratchet(long[] floor, int fewestClicks) {
        this.floor = floor;
        this.teeth = new Sawteeth(floor);
        this.clicks = new Clicks(new ClickFinder(floor, teeth).clicks(), teeth);
        this.shape = judge(fewestClicks);
    }

    /** The shape of the floor. */
    public Shape shape() {
        return shape;
    }

    /** How much better growth that goes on explains it than a bound: the logarithm of the ratio of their likelihoods, 0 where it was not judged. */
    public double evidence() {
        return evidence;
    }

    /** The steps at which it rose for good. */
    public IntArrayList clicks() {
        return clicks.steps();
    }

    /** The steps at which a pile was freed. */
    public IntArrayList releases() {
        return teeth.releases();
    }

    /** The step before the first click, from which the growth counts. */
    public int firstStep() {
        return clicks().isEmpty() ? teeth.from() : Math.max(clicks.first() - 1, 0);
    }

    /** The step of the last click. */
    public int lastStep() {
        return clicks().isEmpty() ? teeth.from() : clicks.last();
    }

    /** How steep the floor is from the first click to the last. */
    public Slope slope() {
        return new Slope(floor, firstStep(), lastStep());
    }

    /** Bytes between the first click and the last, but for single jumps, such as a workspace that the first call takes. */
    public double growth() {
        return slope().value() * (lastStep() - firstStep());
    }

    /** Returns whether it rose at equal intervals from the beginning to the end and never fell, if too few times to be sure that it grows. */
    public boolean isRegular() {
        boolean isTested = shape == Shape.FLAT && clicks().size() >= FEWEST_REGULAR;
        return isTested && clicks.isRegular() && turnover() == 0;
    }

    /** The last step that is judged. */
    public int end() {
        return teeth.to();
    }

    /** Returns whether it was freed at the end of the run. */
    public boolean isGivenBack() {
        return shape == Shape.GROWS && teeth.isFreedAtEnd();
    }

    /** Returns whether it has risen no more for longer than its clicks can be apart: it has stopped, or is not fed any more. */
    public boolean hasPaused() {
        return clicks.hasPaused();
    }

    private Shape judge(int fewestClicks) {
        if (clicks().size() < fewestClicks) {
            return releases().size() > 1 ? Shape.SAWTOOTH : Shape.FLAT;
        }
        if (hasPaused()) {
            return Shape.PLATEAU;
        }
        Level level = level();
        this.evidence = level.evidence();
        // what stays for a while clicks as it fills, and wanders then: its sum must show that it grows; of what is kept
        // the clicks have shown it
        boolean goesOn = turnover() > 0 ? level.grows() : !level.isBounded();
        return goesOn ? Shape.GROWS : Shape.SATURATES;
    }

    /** The level of the part that is judged. A last tenth without clicks is left out: who ended a moment ago cannot be told from who pauses. */
    private Level level() {
        boolean isLastTenth = lastStep() - teeth.from() >= MeanShapes.LAST_END * (teeth.to() - teeth.from());
        int to = isLastTenth ? lastStep() : teeth.to();
        double[] places =
                IntStream.rangeClosed(teeth.from(), to).asDoubleStream().toArray();
        return Level.ofBlocks(places, Arrays.copyOfRange(floor, teeth.from(), to + 1), 0);
    }

    private long turnover() {
        long sum = 0;
        for (int step = teeth.from() + 1; step <= teeth.to(); step++) {
            sum += Math.max(floor[step - 1] - floor[step], 0);
        }
        return sum;
    }
}
