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
 * troughs rise, and a plateau clicks no more. What counts is when the clicks come: few of them are nothing; clicks that stopped long
 * before the end, measured by the gaps between them, are a cache that is full or a warm-up that is over; clicks that come ever more
 * rarely are a cache that fills.
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
     * The same for memory that is freed after a while: a full cache of entries of random sizes rises now and then as well; in thousands of
     * simulated ones of 8 to 64 entries that was at most 12 times, and a queue that really grows does so at every second step or so.
     */
    public static final int FEWEST_RISES_OF_TURNOVER = 18;

    /** Rises whose three intervals are equal: two may be by chance. */
    private static final int FEWEST_REGULAR = 4;

    /** The last part of the steps, in which freeing everything counts as the end of the run. */
    private static final double LAST_PART = 0.1;
    /** A fall by this share of a pile frees it; a smaller one is turnover. */
    private static final double RELEASED = 0.5;
    /** Steps that must have added to a pile for its release to be one. */
    private static final int FEWEST_PILED = 3;
    /** Normal quantile of the gap between clicks that is seen once in a hundred times. */
    private static final double RARE = 2.33;
    /** Clicks that come in bursts, by epochs say: half as long again as the longest gap that was seen. */
    private static final double LONGEST_GAPS = 1.5;
    /**
     * What clicked at nearly every step, as with gaps of less than this, and then no more, without replacing any of it, is no cache that is full: that
     * had known some keys before. It was switched off, maybe by the last phase of a run, which may take a quarter of it.
     */
    private static final double EVERY_STEP = 1.25;

    private static final double LAST_PHASE = 0.25;
    /** Clicks of the second half, as a share of those of the first, from which on a cache fills ever more slowly. */
    private static final double SLOWED = 0.5;
    /** Normal quantile: clicks so early that they would be seen once in twenty times if they came at random. */
    private static final double SIGNIFICANT = 1.64;
    /** A gap of this part of all that is judged is a lull, if it is one that clicks at random leave once in twenty times. */
    private static final double LULL = 0.4;

    private static final double UNLIKELY = 0.05;
    private static final double HALF = 0.5;

    private final long[] floor;
    /** How many of the steps before each do the work that the floor comes of; only they count as time. */
    private final int[] clock;

    private final int fewestClicks;
    private final IntArrayList releases = new IntArrayList();
    private final IntArrayList clicks = new IntArrayList();
    private int from;
    private int to;
    private Shape shape = Shape.FLAT;

    /** Tests a floor; at least {@code fewestClicks} make it grow. */
    public Ratchet(long[] floor, int fewestClicks) {
        this(floor, fewestClicks, IntStream.range(0, floor.length).toArray());
    }

    /**
     * Tests a floor that rises only in some phases of a run, not in its validation for example.
     *
     * @param clock for each step, how many of those before it can have made it rise
     */
    public Ratchet(long[] floor, int fewestClicks, int[] clock) {
        this.floor = floor;
        this.clock = clock;
        this.fewestClicks = fewestClicks;
        findReleases();
        bound();
        findClicks();
        shape = judge();
    }

    /** What the floor does. */
    public Shape shape() {
        return shape;
    }

    /** The steps at which it rose for good. */
    public IntArrayList clicks() {
        return clicks;
    }

    /** The steps at which a pile was freed. */
    public IntArrayList releases() {
        return releases;
    }

    /** The step before the first click, from which the growth counts. */
    public int firstStep() {
        return clicks.isEmpty() ? from : Math.max(clicks.get(0) - 1, 0);
    }

    /** The step of the last click. */
    public int lastStep() {
        return clicks.isEmpty() ? from : clicks.get(clicks.size() - 1);
    }

    /** How steep the floor is from the first click to the last. */
    public Slope slope() {
        return new Slope(floor, firstStep(), lastStep());
    }

    /** Bytes between the first click and the last, but for single jumps, such as a workspace that the first call takes. */
    public double growth() {
        return slope().value() * (lastStep() - firstStep());
    }

    /** Whether it falls as well as rises, and its slope may be zero (95 %): it wanders. */
    public boolean wanders() {
        return slope().low() <= 0 && turnover(from, to) > 0;
    }

    /** Whether it rose at equal intervals from the beginning to the end and never fell, if too few times to be sure that it grows. */
    public boolean isRegular() {
        if (shape != Shape.FLAT || clicks.size() < FEWEST_REGULAR) {
            return false;
        }
        int shortest = IntStream.range(1, clicks.size()).map(this::gap).min().orElse(0);
        int ends = Math.max(time(from, clicks.get(0)), time(lastStep(), to));
        return Math.max(longestGap(), ends) <= LONGEST_GAPS * shortest && turnover(from, to) == 0;
    }

    /** The last step that is judged. */
    public int end() {
        return to;
    }

    /** Whether it was freed at the end of the run. */
    public boolean isGivenBack() {
        return shape == Shape.GROWS && releases.size() == 1 && releases.get(0) > to;
    }

    private void findReleases() {
        long trough = floor.length == 0 ? 0 : floor[0];
        long high = trough;
        int piled = 0;
        for (int step = 1; step < floor.length; step++) {
            if (floor[step] > high) {
                high = floor[step];
                piled++;
            } else if (piled >= FEWEST_PILED && high - floor[step] >= RELEASED * (high - trough)) {
                releases.add(step);
                trough = floor[step];
                high = trough;
                piled = 0;
            } else if (floor[step] < trough) {
                trough = floor[step];
                high = trough;
                piled = 0;
            }
        }
    }

    /** Sets the part of the steps that is judged. */
    private void bound() {
        to = floor.length - 1;
        if (releases.isEmpty()) {
            return;
        }
        int last = releases.get(releases.size() - 1);
        if (releases.size() == 1 && last >= floor.length * (1 - LAST_PART)) {
            to = last - 1;
        } else if (floor.length - last > 2 * longestTooth()) {
            from = last;
        } else {
            to = last;
        }
    }

    private int longestTooth() {
        int longest = releases.get(0);
        for (int i = 1; i < releases.size(); i++) {
            longest = Math.max(longest, releases.get(i) - releases.get(i - 1));
        }
        return longest;
    }

    private void findClicks() {
        IntArrayList points = points();
        long[] lowestAhead = new long[points.size()];
        long lowest = Long.MAX_VALUE;
        for (int i = points.size() - 1; i >= 0; i--) {
            lowest = Math.min(lowest, isReplacing(points, i) ? floor[points.get(i - 1)] : floor[points.get(i)]);
            lowestAhead[i] = lowest;
        }
        long highestOfLast = Long.MAX_VALUE;
        long highest = 0;
        for (int i = 0; i < points.size(); i++) {
            highest = Math.max(highest, floor[points.get(i)]);
            if (i == 0) {
                highestOfLast = highest;
            } else if (lowestAhead[i] > highestOfLast) {
                clicks.add(points.get(i));
                highestOfLast = highest;
            }
        }
    }

    /**
     * Whether a block makes way for another in a step, so that neither lives through the whole of it: the floor falls for that step alone and is level
     * for two steps on either side, as one that wanders seldom is.
     */
    private boolean isReplacing(IntArrayList points, int i) {
        if (i < 2 || i + 2 >= points.size() || isSawtooth()) {
            return false;
        }
        long level = floor[points.get(i - 1)];
        return floor[points.get(i)] < level
                && floor[points.get(i - 2)] == level
                && floor[points.get(i + 1)] == level
                && floor[points.get(i + 2)] == level;
    }

    private boolean isSawtooth() {
        return releases.size() > 1 && to == releases.get(releases.size() - 1);
    }

    /** The steps to look at: of a sawtooth the troughs, else all that are judged. */
    private IntArrayList points() {
        IntArrayList points = new IntArrayList();
        if (isSawtooth()) {
            points.add(from);
            points.addAll(releases);
        } else {
            for (int step = from; step <= to; step++) {
                points.add(step);
            }
        }
        return points;
    }

    private Shape judge() {
        if (clicks.size() < fewestClicks) {
            return releases.size() > 1 ? Shape.SAWTOOTH : Shape.FLAT;
        }
        if (hasStopped() || hasLull()) {
            return Shape.PLATEAU;
        }
        return isSlowing() ? Shape.SATURATES : Shape.GROWS;
    }

    private boolean hasStopped() {
        int quiet = time(lastStep(), to);
        boolean isSwitchedOff = meanGap() < EVERY_STEP && turnover(lastStep(), to) == 0;
        return hasPaused() && (!isSwitchedOff || quiet > LAST_PHASE * time(from, to));
    }

    /** Whether it has risen no more for longer than its clicks can be apart: it has stopped, or is not fed any more. */
    public boolean hasPaused() {
        int quiet = time(lastStep(), to);
        boolean isLong = quiet > Math.max(patience() * meanGap(), LONGEST_GAPS * longestGap());
        return isLong && quiet > LAST_PART * time(from, to);
    }

    private double meanGap() {
        return (double) time(clicks.get(0), lastStep()) / (clicks.size() - 1);
    }

    private long turnover(int first, int last) {
        long sum = 0;
        for (int step = first + 1; step <= last; step++) {
            sum += Math.max(floor[step - 1] - floor[step], 0);
        }
        return sum;
    }

    /**
     * Mean gaps that pass without a click once in a hundred times. Clicks at random leave 4.6; those that come like clockwork hardly more than
     * one. Gaps are taken for a gamma distribution's, whose shape is the square of mean by deviation, and no larger than so many gaps can
     * tell; its quantile is Wilson's and Hilferty's (1931, PNAS 17, 684–688).
     */
    private double patience() {
        int gaps = clicks.size() - 1;
        double mean = (double) time(clicks.get(0), lastStep()) / gaps;
        double squares = 0;
        for (int i = 1; i <= gaps; i++) {
            double distance = time(clicks.get(i - 1), clicks.get(i)) / mean - 1;
            squares += distance * distance;
        }
        double ninth = (squares + 1) / gaps / 9;
        return Math.pow(1 - ninth + RARE * Math.sqrt(ninth), 3);
    }

    /** Steps from one to another, of those that count. */
    private int time(int first, int last) {
        return clock[last] - clock[first];
    }

    private int gap(int click) {
        return time(clicks.get(click - 1), clicks.get(click));
    }

    private int longestGap() {
        return gap(endOfLongestGap());
    }

    private int endOfLongestGap() {
        int longest = 1;
        for (int i = 2; i < clicks.size(); i++) {
            longest = gap(i) > gap(longest) ? i : longest;
        }
        return longest;
    }

    /**
     * Whether it had long stopped and then clicked a few times more: a cache that is full and by chance holds large entries. Of {@code n}
     * points at random on a line, the chance that a given part of it stays empty somewhere is about {@code n (1 - part)^(n - 1)}.
     */
    private boolean hasLull() {
        int gaps = clicks.size() - 1;
        double part = (double) longestGap() / time(clicks.get(0), to);
        boolean isUnlikely = gaps * Math.pow(1 - part, gaps - 1.0) < UNLIKELY;
        return part > LULL && isUnlikely && clicks.size() - endOfLongestGap() < fewestClicks;
    }

    /**
     * Laplace's test of trend: clicks at random lie in the middle on average, with a deviation of 1 / sqrt(12 n). Those that come in bursts count for
     * as many fewer as their numbers vary more than those of clicks at random do.
     */
    private boolean isSlowing() {
        int first = clicks.get(0);
        int gaps = clicks.size() - 1;
        double[] places = new double[gaps];
        for (int i = 1; i <= gaps; i++) {
            places[i - 1] = (double) time(first, clicks.get(i)) / time(first, to);
        }
        long late = Arrays.stream(places).filter(place -> place > HALF).count();
        double early = HALF - Arrays.stream(places).average().orElse(HALF);
        boolean isEarly = early * Math.sqrt(12.0 * gaps / Bursts.dispersion(places)) > SIGNIFICANT;
        return isEarly && late < SLOWED * (gaps - late);
    }
}
