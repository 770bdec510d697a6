package dev.leakline.series;

import com.carrotsearch.hppc.DoubleArrayList;
import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.LongArrayList;
import com.carrotsearch.hppc.cursors.IntCursor;
import dev.leakline.columns.MemorySeries;
import dev.leakline.columns.MemorySeries.Quantity;
import dev.leakline.columns.MemorySeries.Source;
import dev.leakline.columns.MemorySeries.Subject;
import dev.leakline.primitive.Bisection;
import dev.leakline.result.MeasuredSeries.Axis;
import dev.leakline.result.MeasuredSeries.Change;
import dev.leakline.result.MeasuredSeries.Shape;
import dev.leakline.statistics.ChangePoints;
import dev.leakline.statistics.Ratchet;
import dev.leakline.statistics.Thresholds;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Tests whether a figure grows without bound.
 *
 * <p>A recording shows every block, and {@link Ratchet} can count how often a floor rises for good. A figure is a sum, looked at now and
 * then: it swings, it jumps when somebody else takes memory, and a highest value so far can only rise. So growth must show in two ways
 * that have little to do with each other, and either will do:
 *
 * <ul>
 *   <li>as a trend that is there in the whole, in its first half and in its second by themselves (Mann-Kendall, allowing for measurements
 *       that depend on those before), and hardly slows from one half to the other: a warm-up, a jump or a plateau is in one half only;
 *   <li>as a ratchet that clicks often enough, to the end: growth that begins late, or comes at every epoch.
 * </ul>
 *
 * <p>Of simulated figures of fifty measurements or more that do not grow (levels, noise of all kinds, warm-ups, sawteeth, caches, jumps, other
 * jobs that come and go, highest values so far) fewer than one in twenty is taken for growing; of random walks, which no test can tell from
 * growth while they last, one in nine.
 */
public final class CurveShape {
    /** Windows that are judged: each holds whole steps where there are many measurements, and each half has thirty. */
    static final int WINDOWS = 60;
    /** Windows in which clicks are counted: those of a job of some hundred steps are steps. */
    private static final int FINE = 240;
    /** One in a hundred: some ten figures of a job are judged. */
    private static final double CHANCE = 0.01;
    /** The customary one in twenty, of each half beside the whole. */
    private static final double CHANCE_OF_HALF = 0.05;
    /** A part that was chosen among several, because it begins where the figure changes, must be ten times as sure. */
    private static final double CHOSEN = 0.1;
    /**
     * The highest of {@code n} random values so far rises about {@code ln n} times: seven times in a thousand, and twelve times or more
     * in fewer than one of twenty.
     */
    private static final int CLICKS = 12;
    /** A second half that rises less than a third as fast as the first is on its way to a ceiling. */
    private static final double SLOWS = 3;
    /** What is left of a figure after its rise has slowed once, and then slows by a third again, has not come to its own rate. */
    private static final double SLOWS_STILL = 1.5;
    /** Beyond this part of what is judged, a change is not the end of a warm-up: too little would be left. */
    private static final double WARM_PART = 2.0 / 3;
    /** A job that is level for more than the first tenth of what was measured has begun. */
    private static final double BEGINNING = 0.1;
    /** A thousandth of what a figure moves by is no change that anybody sees. */
    private static final double SEEN = 0.001;
    /** What may hide in a figure that swings, as a part of its highest value: more than a tenth would be seen in a chart. */
    private static final double HIDDEN = 0.1;
    /** What rises by less of its highest value takes fifty times as long as it was measured to become twice as much: it is level. */
    private static final double NOTABLE = 0.02;
    /** A pile is built up in more steps than free it; in at least twice as many. */
    private static final int PILES = 2;
    /** Standard deviations of the noise that a pile must exceed: a hundred values at random reach over five. */
    private static final int BEYOND_NOISE = 6;
    /** Teeth of a sawtooth; two may be chance. */
    private static final int TEETH = 3;

    private final Curve figure;
    private final CurveFloor floor;
    private final IntArrayList cuts;
    private final int warm;
    private final CurveTrend trend;
    /** The measurements at which a pile was freed. */
    private final IntArrayList teeth;

    private final boolean isTrend;
    /** Whether it rises on the whole, by more than chance would make, though not in each half by itself. */
    private final boolean mayGrow;

    private final boolean isGrowing;
    /** What it repeats, where that hides no growth that would be seen; empty where it grows. */
    private final Optional<CurvePeriod> period;

    private final List<Change> jumps;

    CurveShape(Curve figure) {
        this.figure = figure;
        this.floor = CurveFloor.of(figure, WINDOWS);
        this.cuts = ChangePoints.of(floor.places(), floor.values(), SEEN * range());
        boolean risesAtOnce = rises(floor, 1, SLOWS);
        int warmest = warm();
        boolean risesThen = rises(floor.part(warmest, floor.size()), CHOSEN, SLOWS_STILL);
        this.warm = risesAtOnce && !risesThen ? 0 : warmest;
        CurveFloor rest = floor.part(warm, floor.size());
        this.teeth = teeth(figure.toArray());
        this.isTrend = risesAtOnce || risesThen;
        this.isGrowing = isEnough()
                && (teeth.size() < TEETH ? isTrend || clicks() : troughsClick() || (isTrend && troughsRise()));
        List<Change> found = jumpsSinceWarm();
        CurveTrend between = new CurveTrend(level(rest, found));
        boolean isStairs = isGrowing && !between.rises(CHANCE);
        this.jumps = isStairs ? List.of() : found;
        this.trend = isStairs ? new CurveTrend(rest) : between;
        this.mayGrow = !isGrowing
                && trend.rises(CHOSEN * CHANCE)
                && trend.rise() > NOTABLE * figure.value(figure.peak())
                && trend.rise() <= range(figure.toArray()) // more was seen to fall between
                && !slows(level(rest, jumps), SLOWS);
        this.period = !isEnough() || isGrowing || mayGrow || mayHide() <= NOTABLE * figure.value(figure.peak())
                ? Optional.empty()
                : CurvePeriod.of(figure).filter(repeated -> repeated.spread() <= seen());
    }

    /** The shape of levels of the same memory, one after another. */
    public static CurveShape of(long[] levels) {
        Subject subject = new Subject(Source.PROFILER, Quantity.ALLOCATED, MemorySeries.Axis.INDEX, -1, -1, "");
        DoubleArrayList places = new DoubleArrayList(levels.length);
        LongArrayList values = new LongArrayList(levels.length);
        for (long level : levels) {
            places.add(places.size());
            values.add(level);
        }
        return new CurveShape(new Curve(0, subject, Axis.INDEX, 0, places, values));
    }

    /** Whether there are enough measurements to judge. */
    boolean isEnough() {
        return figure.size() >= Thresholds.DEFAULT.fewestSteps();
    }

    /** Whether it grows without a ceiling. */
    public boolean isGrowing() {
        return isGrowing;
    }

    /** Whether it rises in both halves; else a floor that grows does so by clicks. */
    boolean isTrend() {
        return isTrend;
    }

    /** How it rises since it is warm, between its jumps. */
    CurveTrend trend() {
        return trend;
    }

    /** By how much it has risen since it is warm, as it was measured. */
    long grown() {
        return Math.max(floor.value(floor.size() - 1) - floor.value(warm), 0);
    }

    /** The place from which on it is judged. */
    public double from() {
        return floor.place(warm);
    }

    /** The place from which on it never again is below the lowest that it has when it is warm: where it stopped rising. */
    double settled() {
        int window = warm;
        while (window > 0 && floor.value(window - 1) >= lowest()) {
            window--;
        }
        return floor.place(window);
    }

    /** The lowest value since it is warm. */
    long lowest() {
        long lowest = Long.MAX_VALUE;
        for (int window = warm; window < floor.size(); window++) {
            lowest = Math.min(lowest, floor.value(window));
        }
        return lowest;
    }

    /** Whether it rises less than a third as fast in the later half of its places: measurements may be dense at first. */
    boolean slowsLater() {
        return slowsLater(floor.part(warm, floor.size()), SLOWS);
    }

    /** What it does. */
    public Shape shape() {
        if (!isEnough()) {
            return Shape.TOO_FEW;
        }
        if (isGrowing) {
            return Shape.GROWS;
        }
        if (teeth.size() >= TEETH || period.isPresent()) {
            return Shape.PERIODIC;
        }
        if (mayGrow || mayHide() > seen()) {
            return Shape.SWINGS;
        }
        return level();
    }

    /** Whether it rises on the whole, though not in each half by itself. */
    boolean mayGrow() {
        return mayGrow;
    }

    /** What it repeats, where nothing else tells what it does. */
    Optional<CurvePeriod> period() {
        return teeth.size() >= TEETH ? Optional.empty() : period;
    }

    /** The most that may hide in a figure of which it is said that it does not grow. */
    private double seen() {
        return HIDDEN * figure.value(figure.peak());
    }

    /** How often a pile was freed. */
    int teeth() {
        return teeth.size();
    }

    /** The jumps to another level that stay; none where it grows by jumps alone. */
    List<Change> jumps() {
        return jumps;
    }

    /** The most that it may have grown unnoticed since warm-up: no more than its highest and its lowest differ by. */
    double mayHide() {
        return Math.min(Math.max(trend.high(), 0) * trend.span(), range(figure.toArray()));
    }

    private Shape level() {
        long before = floor.value(0);
        if (warm > 0 && lowest() > before + seen()) {
            return Shape.WARM_UP;
        }
        return jumps.isEmpty() ? Shape.LEVEL : Shape.LEVELS;
    }

    /** What rises at the end of the warm-up belongs to that. */
    private List<Change> jumpsSinceWarm() {
        return new CurveJumps(figure, floor, cuts)
                .list().stream()
                        .filter(jump -> figure.placeOf(jump.position()) > from())
                        .toList();
    }

    /** A floor without its jumps: growth shows between them. */
    private CurveFloor level(CurveFloor part, List<Change> jumps) {
        return part.with((place, value) -> value
                - jumps.stream()
                        .filter(jump -> figure.placeOf(jump.position()) <= place)
                        .mapToLong(Change::bytes)
                        .sum());
    }

    /** The places where a pile was freed that exceeds the noise; none for noise alone, which falls as often as it rises. */
    private static IntArrayList teeth(long[] values) {
        int rises = 0;
        int falls = 0;
        for (int i = 1; i < values.length; i++) {
            rises += values[i] > values[i - 1] ? 1 : 0;
            falls += values[i] < values[i - 1] ? 1 : 0;
        }
        IntArrayList piles = new IntArrayList();
        double noise = ChangePoints.noise(Arrays.stream(values).asDoubleStream().toArray());
        int before = 0;
        for (IntCursor release : new Ratchet(values, CLICKS).releases()) {
            long pile = Arrays.stream(values, before, release.value).max().orElse(0) - values[release.value];
            if (rises >= PILES * falls && pile > BEYOND_NOISE * noise) {
                piles.add(release.value);
            }
            before = release.value;
        }
        return piles;
    }

    private double range() {
        double[] values = floor.values();
        double lowest = Arrays.stream(values).min().orElse(0);
        return Arrays.stream(values).max().orElse(0) - lowest;
    }

    private static double range(long[] values) {
        long lowest = Arrays.stream(values).min().orElse(0);
        return (double) Arrays.stream(values).max().orElse(0) - lowest;
    }

    private boolean rises(CurveFloor part, double share, double slows) {
        int half = part.size() / 2;
        CurveTrend first = new CurveTrend(part.part(0, half));
        CurveTrend second = new CurveTrend(part.part(part.size() - half, part.size()));
        return part.size() >= Thresholds.DEFAULT.fewestSteps()
                && new CurveTrend(part).rises(share * CHANCE)
                && first.rises(share * CHANCE_OF_HALF)
                && second.rises(share * CHANCE_OF_HALF)
                && !slows(part, slows);
    }

    private boolean clicks() {
        return isRatchet(FINE) || isRatchet(WINDOWS);
    }

    private boolean isRatchet(int windows) {
        CurveFloor part = CurveFloor.of(figure, windows);
        Ratchet test = part.ratchet(CLICKS);
        return test.shape() == Ratchet.Shape.GROWS && !slows(part.part(test.firstStep(), test.end() + 1), SLOWS);
    }

    /** Whether it slows from one half of the windows to the other, or of the places: measurements may be dense at first. */
    private static boolean slows(CurveFloor part, double most) {
        int half = part.size() / 2;
        return slows(part.part(0, half), part.part(part.size() - half, part.size()), most) || slowsLater(part, most);
    }

    private static boolean slowsLater(CurveFloor part, double most) {
        double middle = part.size() == 0 ? 0 : part.place(0) + new CurveTrend(part).span() / 2;
        int later = Bisection.first(part.size(), window -> part.place(window) > middle);
        return part.size() - later >= Thresholds.DEFAULT.fewestSteps()
                && slows(part.part(0, later), part.part(later, part.size()), most);
    }

    private static boolean slows(CurveFloor first, CurveFloor second, double most) {
        return new CurveTrend(second).slope() * most < new CurveTrend(first).slope();
    }

    /** Whether the troughs of a sawtooth rise for good, as often as a line's floor must. */
    private boolean troughsClick() {
        int rises = Thresholds.DEFAULT.fewestRises();
        return teeth.size() >= rises
                && new Ratchet(figure.toArray(), rises).shape() == Ratchet.Shape.GROWS
                && troughsRise();
    }

    /** A sawtooth rises all the time but when it falls; only its troughs can grow. */
    private boolean troughsRise() {
        CurveFloor troughs = CurveFloor.of(figure.only(teeth), WINDOWS);
        return new CurveTrend(troughs).rises(CHANCE_OF_HALF);
    }

    /** The window at which a beginning ends that rises much faster, or much slower, than what comes after it. */
    private int warm() {
        int warm = 0;
        for (int i = 0; i < cuts.size() && cuts.get(i) <= WARM_PART * floor.size(); i++) {
            double before = new CurveTrend(floor.part(0, cuts.get(i))).slope();
            double after = Math.max(new CurveTrend(floor.part(cuts.get(i), floor.size())).slope(), 0);
            boolean isOther = before > SLOWS * after || before * SLOWS < after;
            warm = isOther && !isLateJump(cuts.get(i), before, after) ? cuts.get(i) : warm;
        }
        return warm;
    }

    /** Whether it is level before a change and after it, which comes when the job has long begun: then it jumps, and no warm-up ends. */
    private boolean isLateJump(int cut, double before, double after) {
        double first = Math.abs(before) * (floor.place(cut) - floor.place(0));
        double second = after * (floor.place(floor.size() - 1) - floor.place(cut));
        return cut > BEGINNING * floor.size() && Math.max(first, second) < NOTABLE * figure.value(figure.peak());
    }
}
