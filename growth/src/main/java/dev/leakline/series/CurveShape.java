package dev.leakline.series;

import com.carrotsearch.hppc.DoubleArrayList;
import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.LongArrayList;
import dev.leakline.columns.MemorySeries;
import dev.leakline.columns.MemorySeries.Quantity;
import dev.leakline.columns.MemorySeries.Source;
import dev.leakline.columns.MemorySeries.Subject;
import dev.leakline.primitive.Bisection;
import dev.leakline.result.MeasuredSeries.Axis;
import dev.leakline.result.MeasuredSeries.Change;
import dev.leakline.result.MeasuredSeries.Shape;
import dev.leakline.statistics.ChangePoints;
import dev.leakline.statistics.Level;
import dev.leakline.statistics.Thresholds;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Describes what a figure does. Whether it grows without bound is said by its {@link Level}, as it is of the floors of recordings and of calls; this finds what
 * else there is to say: since when and how steeply it rises, its warm-up, its jumps, what it repeats, and how much growth may hide in it.
 */
public final class CurveShape {
    /** Windows of which a floor is made, as many as a level is judged by. */
    static final int WINDOWS = 60;
    /** One in a thousand: some ten figures of a job are looked at, and each by itself. */
    private static final double CHANCE = 0.001;
    /** A second half that rises less than a third as fast as the first is on its way to a ceiling. */
    private static final double SLOWS = 3;
    /** Beyond this part of what is judged, a change is not the end of a warm-up: too little would be left. */
    private static final double WARM_PART = 2.0 / 3;
    /** A job that is level for more than the first tenth of what was measured has begun. */
    private static final double BEGINNING = 0.1;
    /** A thousandth of what a figure moves by is no change that anybody sees. */
    private static final double SEEN = 0.001;
    /** The most growth that swings may hide, as a part of the highest value: more than a tenth would be seen in a chart. */
    private static final double HIDDEN = 0.1;
    /** The least notable rise, as a part of the highest value: with a smaller one, doubling takes over fifty times the time measured. */
    private static final double NOTABLE = 0.02;
    /** Teeth of a sawtooth; two may be chance. */
    private static final int TEETH = 3;

    private final Curve figure;
    private final CurveFloor floor;
    private final IntArrayList cuts;
    private final Level level;
    private final int warm;
    private final CurveTrend trend;
    /** Its period, if that hides no growth that would be seen; empty where it grows. */
    private final Optional<CurvePeriod> period;

    private final List<Change> jumps;

    CurveShape(Curve figure) {
        this.figure = figure;
        this.floor = CurveFloor.of(figure, WINDOWS);
        this.cuts = ChangePoints.of(floor.places(), floor.values(), SEEN * range());
        this.level =
                Level.ofProcess(figure.places(), figure.toArray(), figure.axis().isTime());
        this.warm = level.grows()
                ? Bisection.first(floor.size() - 1, window -> floor.place(window) >= level.from())
                : warm();
        CurveFloor rest = floor.part(warm, floor.size());
        List<Change> found = jumpsSinceWarm();
        CurveTrend between = new CurveTrend(level(rest, found), rest);
        boolean isStairs = level.grows() && !between.rises(CHANCE);
        this.jumps = isStairs ? List.of() : found;
        this.trend = isStairs ? new CurveTrend(rest) : between;
        this.period = !isEnough() || level.grows() || mayGrow() || mayHide() <= NOTABLE * figure.value(figure.peak())
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

    /** Returns whether there are enough measurements to judge. */
    boolean isEnough() {
        return figure.size() >= Thresholds.FEWEST_STEPS;
    }

    /** Returns whether it grows without a ceiling. */
    public boolean isGrowing() {
        return level.grows();
    }

    /** The level that its growth is judged by. */
    public Level level() {
        return level;
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

    /** Returns whether it rises less than a third as fast in the later half of its places: measurements may be dense at first. */
    boolean slowsLater() {
        return slowsLater(floor.part(warm, floor.size()));
    }

    /** The shape of the curve. */
    public Shape shape() {
        if (!isEnough()) {
            return Shape.TOO_FEW;
        }
        if (level.grows()) {
            return Shape.GROWS;
        }
        if (level.teeth().size() >= TEETH || period.isPresent()) {
            return Shape.PERIODIC;
        }
        if (level.isOpen() || (mayHide() > seen() && (isFew() || !level.isSurelyBounded()))) {
            return Shape.SWINGS;
        }
        return bounded();
    }

    /** Returns whether it rises on the whole, though what is bounded explains that about as well. */
    boolean mayGrow() {
        return level.isOpen() && trend.rise() > NOTABLE * figure.value(figure.peak()) && trend.rises(CHANCE);
    }

    /** Its period; empty where its teeth explain it already. */
    Optional<CurvePeriod> period() {
        return level.teeth().size() >= TEETH ? Optional.empty() : period;
    }

    /** The most that may hide in a figure of which it is said that it does not grow. */
    private double seen() {
        return (isFew() ? NOTABLE : HIDDEN) * figure.value(figure.peak());
    }

    /** Returns whether there are too few measurements to see a level in their swings: some steps explain as many. */
    private boolean isFew() {
        return figure.size() < Level.FEWEST_WINDOWS;
    }

    /** How often a pile was freed. */
    int teeth() {
        return level.teeth().size();
    }

    /** The jumps to another level that stay; none where it grows by jumps alone. */
    List<Change> jumps() {
        return jumps;
    }

    /** The most that it may have grown unnoticed since warm-up: no more than its highest and its lowest differ by. */
    double mayHide() {
        return Math.min(Math.max(trend.high(), 0) * trend.span(), range(figure.toArray()));
    }

    private Shape bounded() {
        long before = floor.value(0);
        if (warm > 0 && lowest() > before + seen()) {
            return Shape.WARM_UP;
        }
        return jumps.isEmpty() ? Shape.LEVEL : Shape.LEVELS;
    }

    /** The jumps after the warm-up; one at its end belongs to it. */
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

    private double range() {
        double[] values = floor.values();
        double lowest = Arrays.stream(values).min().orElse(0);
        return Arrays.stream(values).max().orElse(0) - lowest;
    }

    private static double range(long[] values) {
        long lowest = Arrays.stream(values).min().orElse(0);
        return (double) Arrays.stream(values).max().orElse(0) - lowest;
    }

    private static boolean slowsLater(CurveFloor part) {
        double middle = part.size() == 0 ? 0 : part.place(0) + new CurveTrend(part).span() / 2;
        int later = Bisection.first(part.size(), window -> part.place(window) > middle);
        return part.size() - later >= Thresholds.FEWEST_STEPS
                && slows(part.part(0, later), part.part(later, part.size()));
    }

    private static boolean slows(CurveFloor first, CurveFloor second) {
        return new CurveTrend(second).slope() * SLOWS < new CurveTrend(first).slope();
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

    /** Returns whether it is level before a change and after it, which comes when the job has long begun: then it jumps, and no warm-up ends. */
    private boolean isLateJump(int cut, double before, double after) {
        double first = Math.abs(before) * (floor.place(cut) - floor.place(0));
        double second = after * (floor.place(floor.size() - 1) - floor.place(cut));
        return cut > BEGINNING * floor.size() && Math.max(first, second) < NOTABLE * figure.value(figure.peak());
    }
}
