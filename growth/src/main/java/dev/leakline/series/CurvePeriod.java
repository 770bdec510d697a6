package dev.leakline.series;

import dev.leakline.statistics.TheilSen;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;

/** The period of a figure, such as a day's load: how long it is, and how low the figure is each time. */
final class CurvePeriod {
    /** Windows in which a figure is compared with itself. */
    private static final int WINDOWS = 240;
    /** Windows of the shortest period: with fewer, noise repeats itself by chance. */
    private static final int SHORTEST = 8;
    /** Times that a period must be seen; two may be chance. */
    private static final int FEWEST = 3;
    /** A figure has a period if half of what it moves by, or more, is what it moved by a period before. */
    private static final double ALIKE = 0.5;
    /** The part of each period for which a figure must rise to be a pile that something frees. */
    private static final double RISING = 0.75;

    private final CurveFloor floor;
    private final int windows;

    private CurvePeriod(CurveFloor floor, int windows) {
        this.floor = floor;
        this.windows = windows;
    }

    /** The period of a figure; empty where it has none, or too few of them were measured. */
    static Optional<CurvePeriod> of(Curve figure) {
        CurveFloor floor = CurveFloor.of(figure, WINDOWS);
        double[] moves = moves(floor);
        int longest = moves.length / FEWEST;
        double[] alike = IntStream.rangeClosed(0, longest + 1)
                .mapToDouble(windows -> alike(moves, windows))
                .toArray();
        return IntStream.rangeClosed(SHORTEST, longest)
                .filter(windows -> alike[0] > 0 && isHighest(alike, windows) && alike[windows] >= ALIKE * alike[0])
                .boxed()
                .findFirst()
                .map(windows -> new CurvePeriod(floor, windows));
    }

    /** A floor without its trend, around zero. */
    private static double[] moves(CurveFloor floor) {
        double[] values = floor.values();
        double slope = TheilSen.median(floor.places(), values);
        double[] moves = new double[values.length];
        Arrays.setAll(moves, window -> values[window] - slope * floor.place(window));
        double mean = Arrays.stream(moves).average().orElse(0);
        return Arrays.stream(moves).map(move -> move - mean).toArray();
    }

    /** The mean product of moves and those so many windows before. */
    private static double alike(double[] moves, int windows) {
        double sum = 0;
        for (int window = windows; window < moves.length; window++) {
            sum += moves[window] * moves[window - windows];
        }
        return sum / (moves.length - windows);
    }

    private static boolean isHighest(double[] alike, int windows) {
        return alike[windows] >= alike[windows - 1] && alike[windows] > alike[windows + 1];
    }

    /** How often it was seen whole. */
    int times() {
        return floor.size() / windows;
    }

    /** How long it takes. */
    double length() {
        return (floor.place(floor.size() - 1) - floor.place(0)) / (floor.size() - 1) * windows;
    }

    /** The lowest of all. */
    long lowest() {
        return IntStream.range(0, times()).mapToLong(this::low).min().orElse(0);
    }

    /** How much the lows of whole periods differ by: no more can have grown unseen beneath what repeats. */
    long spread() {
        return IntStream.range(0, times()).mapToLong(this::low).max().orElse(0) - lowest();
    }

    /** Returns whether it rises for most of each period and then falls. */
    boolean isRamp() {
        return windowsOfRises().average().orElse(0) >= RISING * windows;
    }

    /** How much it rises by until it falls, in a unit of its places: the median of all rises. */
    double slope() {
        double[] slopes = IntStream.range(0, times() - 1)
                .mapToDouble(time -> {
                    int low = lowAt(time);
                    int high = highAfter(low);
                    return (floor.value(high) - floor.value(low))
                            / Math.max(floor.place(high) - floor.place(low), Double.MIN_NORMAL);
                })
                .sorted()
                .toArray();
        return slopes[slopes.length / 2];
    }

    private IntStream windowsOfRises() {
        return IntStream.range(0, times() - 1).map(time -> highAfter(lowAt(time)) - lowAt(time));
    }

    private long low(int time) {
        return floor.value(lowAt(time));
    }

    private int lowAt(int time) {
        int low = time * windows;
        for (int window = low; window < (time + 1) * windows; window++) {
            low = floor.value(window) < floor.value(low) ? window : low;
        }
        return low;
    }

    /** The highest window within a period behind a low. */
    private int highAfter(int low) {
        int high = low;
        for (int window = low; window < Math.min(low + windows, floor.size()); window++) {
            high = floor.value(window) > floor.value(high) ? window : high;
        }
        return high;
    }
}
