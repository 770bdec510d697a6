package dev.leakline.statistics;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.statistics.LevelTrend.Best;
import java.util.Arrays;
import java.util.LongSummaryStatistics;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The bytes that are held, measurement after measurement, and whether they grow without bound: how much better growth that goes on explains them than what
 * comes to a level. Where hardly anything is given back, what is kept is seen piece by piece, and {@link Arrivals} judge by when the pieces come; else
 * {@link LevelTrend} judges the sum, by the lowest and the middle of sixty windows, or, of what piles up and is freed again and again, by its troughs.
 *
 * <p>Of 864 simulated programs of 200 to 480 steps (levels, noise, queues, warm-ups, ends, caches, waves; ramps of arrivals of all kinds) 0.8 % of those that do
 * not leak were called growing, and 2 % of the leaks that one who knows the noise can see were left open; none of these was called bounded.
 */
public final class Level {
    /** Evidence from which on it is said to grow: of those simulations with as much 98 of a hundred did. */
    private static final double GROWS = 2;
    /** And below which it is said to be bounded. */
    private static final double BOUNDED = -1;
    /** Evidence that leaves no doubt, 99 to 1: no other model changes it. */
    private static final double SURE = 4.6;

    private static final int FEWEST = Thresholds.FEWEST_STEPS;
    private static final int WINDOWS = 60;
    /** Values of a window, so that it has a lowest; of fewer than as many windows' each is one. */
    private static final int OF_WINDOW = 4;
    /** Growth of less is no news in a sum: a large block of the allocator, or so small a part of what is held. */
    private static final double LEAST = 1 << 20;

    private static final double LEAST_PART = 0.002;
    /** Blocks are seen whatever they hold; what adds less than so small a part of what they rose by since it began is the end of a rise. */
    private static final double LEAST_OF_RISE = 0.05;

    /** Values in whose swings a level is seen. */
    public static final int FEWEST_WINDOWS = 24;
    /** Where a program begins anew less than this is left of what it held. */
    private static final double RESTARTED = 0.3;
    /** The part of what comes after that in which it makes what it always has. */
    private static final double STARTING = 1.0 / 40;
    /** Falls by which memory that is kept piece by piece is told from one that comes and goes, as a share of the steps. */
    private static final double FEW_FALLS = 0.02;
    /** The share of the rise of the middles by which the floor must rise: that of inputs which vary evenly, and grow, rises by less than a fifth. */
    private static final double OF_MIDDLE = 0.4;
    /** The evidence where it does not. */
    private static final double INPUT = -0.5;

    /** Teeth of a sawtooth; two may be chance. */
    private static final int FEW_TEETH = 3;

    /** Where pieces are seen their times decide, unless their sum is bounded, by more than this and {@link #BOUNDED}: it sees less than they do. */
    private static final double OF_SUM = 3;

    private static final double DAY = 86_400;

    private double[] places;
    private long[] values;
    /** The middles of what has these values as its lowest; the values where each is one measurement. */
    private double[] middles;

    private final double least;
    private final double day;
    private final IntArrayList teeth;
    private double from;
    private @Nullable Slope slope;
    private final double evidence;

    private Level(double[] places, long[] values, double[] middles, double least, double day, boolean mayRestart) {
        this.places = places;
        this.values = values;
        this.middles = middles;
        this.least = least;
        this.day = day;
        this.teeth = Sawteeth.piles(values);
        if (teeth.size() >= FEWEST) {
            keep(teeth);
        } else if (mayRestart && teeth.size() < FEW_TEETH) {
            begin();
        }
        this.from = this.places.length == 0 ? 0 : this.places[0];
        this.evidence = this.values.length < FEWEST ? 0 : judge();
    }

    /**
     * Judges what a process holds, of which nothing may be left when it is restarted.
     *
     * @param places of the measurements, ascending
     * @param values bytes
     * @param isTime whether places are seconds
     */
    public static Level ofProcess(double[] places, long[] values, boolean isTime) {
        return ofProcess(places, values, doubles(values), isTime);
    }

    /** Judges what a process holds by an outline of its measurements: the lowest value of each part, and the middle one. */
    public static Level ofProcess(double[] places, long[] lowest, double[] middles, boolean isTime) {
        return new Level(
                places,
                lowest,
                middles,
                Math.max(LEAST, LEAST_PART * usual(middles)),
                isTime ? DAY : Double.POSITIVE_INFINITY,
                true);
    }

    /** Judges what is held by some blocks, of which none are left out. */
    public static Level ofBlocks(double[] places, long[] values) {
        LongSummaryStatistics range = Arrays.stream(values).summaryStatistics();
        double least = values.length == 0 ? 0 : LEAST_OF_RISE * ((double) range.getMax() - range.getMin());
        return new Level(places, values, doubles(values), least, Double.POSITIVE_INFINITY, false);
    }

    private static double usual(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted.length == 0 ? 0 : sorted[sorted.length / 2];
    }

    private static double[] doubles(long[] values) {
        return Arrays.stream(values).asDoubleStream().toArray();
    }

    /** How much better growth that goes on explains it than a bound: the logarithm of the ratio of their likelihoods. */
    public double evidence() {
        return evidence;
    }

    /** Returns whether it grows without bound. */
    public boolean grows() {
        return evidence > GROWS;
    }

    /** Returns whether it may grow as well as not. */
    public boolean isOpen() {
        return evidence <= GROWS && evidence >= BOUNDED;
    }

    /** Returns whether what is bounded explains it better. */
    public boolean isBounded() {
        return evidence < BOUNDED;
    }

    /** Returns whether it is bounded beyond doubt. */
    public boolean isSurelyBounded() {
        return evidence < -SURE;
    }

    /** Returns whether it grows without bound, beyond doubt. */
    public boolean isSurelyGrowing() {
        return evidence > SURE;
    }

    /** The place from which on it grows, if it does. */
    public double from() {
        return from;
    }

    /** How steep the sum is that it is judged by; null where pieces are seen, by whose times it is judged. */
    @Nullable
    Slope slope() {
        return slope;
    }

    /** Returns whether growth that began at a place would be seen: of what begins at the end there is too little. */
    public boolean shows(double place) {
        int last = places.length - 1;
        return last > 0 && place <= places[0] + MeanShapes.LAST_ONSET * (places[last] - places[0]);
    }

    /** The measurements at which a pile was freed that exceeds the noise. */
    public IntArrayList teeth() {
        return teeth;
    }

    private void keep(IntArrayList points) {
        double[] allPlaces = places;
        long[] allValues = values;
        this.places =
                Arrays.stream(points.toArray()).mapToDouble(i -> allPlaces[i]).toArray();
        this.values =
                Arrays.stream(points.toArray()).mapToLong(i -> allValues[i]).toArray();
        double[] allMiddles = middles;
        this.middles =
                Arrays.stream(points.toArray()).mapToDouble(i -> allMiddles[i]).toArray();
    }

    /** Leaves only what was measured since the program began anew: with less than a part of the least that it had held since it had started before. */
    private void begin() {
        int starting = Math.max(1, (int) (STARTING * values.length));
        int first = 0;
        long lowest = 0;
        for (int i = 0; i < values.length; i++) {
            if (values[i] < RESTARTED * lowest) {
                first = i + 1;
                lowest = 0;
            } else if (i >= first + starting) {
                lowest = lowest == 0 ? values[i] : Math.min(lowest, values[i]);
            }
        }
        if (first > 0) {
            int left = values.length - first;
            keep(IntArrayList.from(IntStream.range(first + Math.max(1, (int) (STARTING * left)), values.length)
                    .toArray()));
        }
    }

    private double judge() {
        int n = values.length;
        long[] ahead = values.clone();
        int falls = 0;
        for (int i = n - 2; i >= 0; i--) {
            falls += values[i + 1] < values[i] ? 1 : 0;
            ahead[i] = Math.min(ahead[i], ahead[i + 1]);
        }
        int[] rises = IntStream.range(1, n).filter(i -> ahead[i] > ahead[i - 1]).toArray();
        boolean isKept = falls <= FEW_FALLS * n;
        if (isKept && ahead[n - 1] - ahead[0] < Math.max(least, 1)) {
            return Double.NEGATIVE_INFINITY;
        }
        if (rises.length < Ratchet.FEWEST_RISES) {
            return Math.min(judgeSum(isKept), 0);
        }
        return isKept ? judgeTimes(rises) : judgeSum(false);
    }

    /** Judges by the arrivals after the first: the time before that says nothing of how they end. */
    private double judgeTimes(int[] rises) {
        int last = places.length - 1;
        double step = (places[last] - places[0]) / last;
        double begin = places[rises[0]];
        Arrivals arrivals = new Arrivals(
                Arrays.stream(rises)
                        .skip(1)
                        .mapToDouble(rise -> (places[rise] - begin) / step)
                        .toArray(),
                (places[last] - begin) / step + 0.5);
        double byTimes = arrivals.evidence();
        double bySum = byTimes < BOUNDED ? byTimes : judgeSum(true) + OF_SUM;
        double since = arrivals.from() > 0 ? begin + arrivals.from() * step : places[rises[0] - 1];
        this.from = Math.max(from, since);
        return Math.min(byTimes, bySum);
    }

    private double judgeSum(boolean isKept) {
        int most = isKept ? values.length : Math.max(values.length / OF_WINDOW, FEWEST_WINDOWS);
        int windows = Math.min(WINDOWS, Math.min(values.length, most));
        double[] times = new double[windows];
        double[] lowest = new double[windows];
        double[] middle = new double[windows];
        for (int window = 0; window < windows; window++) {
            int first = window * values.length / windows;
            int end = (window + 1) * values.length / windows;
            double[] some = Arrays.copyOfRange(middles, first, end);
            Arrays.sort(some);
            times[window] = (places[first] + places[end - 1]) / 2;
            lowest[window] = Arrays.stream(values, first, end).min().orElse(0);
            middle[window] = some[some.length / 2];
        }
        double begin = times[0];
        double span = times[windows - 1] - begin;
        times = Arrays.stream(times).map(time -> (time - begin) / span).toArray();
        LevelTrend floor = new LevelTrend(times, lowest, least, span / day);
        LevelTrend usual = new LevelTrend(times, middle, least, span / day);
        if (!isKept) {
            floor.addWave();
            usual.addWave();
        }
        Best growth = floor.goingOn();
        if (!isKept) {
            slope = usual.slope().or(floor.slope()).per(span);
        }
        from = growth.from() == 0 ? places[0] : begin + growth.from() * span;
        double both = (floor.evidence() + usual.evidence()) / 2;
        return growth.slope() < OF_MIDDLE * usual.goingOn().slope() ? Math.min(floor.evidence(), INPUT) : both;
    }
}
