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
        /** It rose, and growth that goes on explains that about as well as growth that ends. */
        OPEN,
        /** It grew and then stopped, or grows ever more slowly. */
        ENDS,
        /** It piles up and is freed, more than once. */
        SAWTOOTH
    }

    /**
     * Rises that make a floor grow: if a rise were as likely as a fall, six in a row would be seen once in 64 times, which is below the
     * customary one in twenty even when two floors are tested; five would not.
     */
    public static final int FEWEST_RISES = 6;
    /** Rises whose three intervals are equal: two may be by chance. */
    private static final int FEWEST_REGULAR = 4;

    private final long[] floor;
    private final Sawteeth teeth;
    private final int judged;
    private final Level level;
    /** The steps that are looked at: of a sawtooth the troughs, else all that are judged. */
    private final IntArrayList points;

    private final Clicks clicks;
    private final Shape shape;

    /** Tests a floor. */
    public Ratchet(long[] floor) {
        this.floor = floor;
        this.teeth = new Sawteeth(floor);
        Clicks seen = new Clicks(new ClickFinder(floor, teeth.points()).clicks(), teeth);
        this.judged = judged(seen.steps());
        this.level = level(floor);
        // beneath what comes and goes the sum grows, though it is seldom above all that it ever was
        boolean isBeneath = level.grows() && seen.steps().size() < FEWEST_RISES;
        this.points = isBeneath
                ? IntArrayList.from(IntStream.range(teeth.from(), floor.length).toArray())
                : teeth.points();
        this.clicks = isBeneath ? new Clicks(new ClickFinder(lowestAhead(), points).clicks(), teeth) : seen;
        this.shape = judge();
    }

    private long[] lowestAhead() {
        long[] lowest = floor.clone();
        for (int step = lowest.length - 2; step >= 0; step--) {
            lowest[step] = Math.min(lowest[step], lowest[step + 1]);
        }
        return lowest;
    }

    /** The shape of the floor. */
    public Shape shape() {
        return shape;
    }

    /** How much better growth that goes on explains it than a bound: the logarithm of the ratio of their likelihoods. */
    public double evidence() {
        return level.evidence();
    }

    /** The steps at which it rose for good. */
    public IntArrayList clicks() {
        return clicks.steps();
    }

    /** The steps at which a pile was freed. */
    public IntArrayList releases() {
        return teeth.releases();
    }

    /** The step before the first click, from which the growth counts; of a sawtooth the trough before it. */
    public int firstStep() {
        return clicks().isEmpty() ? teeth.from() : points.get(Math.max(points.indexOf(clicks.first()) - 1, 0));
    }

    /** The step of the last click. */
    public int lastStep() {
        return clicks().isEmpty() ? teeth.from() : clicks.last();
    }

    /** How steep the floor is from the first click to the last: of a sawtooth from trough to trough, beneath what comes and goes as its sum. */
    public Slope slope() {
        return slope(floor, level);
    }

    /** How steep another floor of the same steps is where this one grows. */
    public Slope slope(long[] other) {
        return slope(other, level.slope() == null ? level : level(other));
    }

    private Slope slope(long[] values, Level its) {
        Slope sum = its.slope();
        if (sum != null) {
            return sum;
        }
        int first = firstStep();
        int last = lastStep();
        int[] steps = Arrays.stream(points.toArray())
                .filter(step -> step >= first && step <= last)
                .toArray();
        return new Slope(
                Arrays.stream(steps).asDoubleStream().toArray(),
                Arrays.stream(steps).mapToDouble(step -> values[step]).toArray());
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

    private Shape judge() {
        if (clicks().size() < FEWEST_RISES) {
            return releases().size() > 1 ? Shape.SAWTOOTH : Shape.FLAT;
        }
        if (clicks.hasPaused()) {
            return Shape.ENDS;
        }
        // of what is only kept each rise is seen, so even odds are enough
        boolean grows = turnover() == 0 ? level.evidence() >= 0 : level.grows() && slope().low() > 0;
        return level.isBounded() ? Shape.ENDS : grows ? Shape.GROWS : Shape.OPEN;
    }

    /** The step after the last that is judged. A last tenth without clicks is left out: who ended a moment ago cannot be told from who pauses. */
    private int judged(IntArrayList steps) {
        int last = steps.isEmpty() ? teeth.from() : steps.get(steps.size() - 1);
        boolean isLastTenth = last - teeth.from() >= MeanShapes.LAST_END * (teeth.to() - teeth.from());
        return Math.min((isLastTenth ? last : teeth.to()) + 1, floor.length);
    }

    private Level level(long[] some) {
        double[] places = IntStream.range(teeth.from(), judged).asDoubleStream().toArray();
        return Level.ofBlocks(places, Arrays.copyOfRange(some, teeth.from(), judged));
    }

    private long turnover() {
        long sum = 0;
        for (int step = teeth.from() + 1; step <= teeth.to(); step++) {
            sum += Math.max(floor[step - 1] - floor[step], 0);
        }
        return sum;
    }
}
