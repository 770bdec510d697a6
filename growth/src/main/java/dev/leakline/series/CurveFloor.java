package dev.leakline.series;

import java.util.Arrays;

/**
 * The floor of a figure: the lowest value of each of so many windows of equally many measurements, where it was measured.
 *
 * <p>What is measured at any moment of a step swings with what the step does; what stays after it is the lowest that is seen.
 */
final class CurveFloor {
    /** Computes a value from another one and from the place where it was measured. */
    interface Value {
        long of(double place, long value);
    }

    private final double[] places;
    private final long[] values;

    private CurveFloor(double[] places, long[] values) {
        this.places = places;
        this.values = values;
    }

    /** The floor of a figure, in at most {@code most} windows. */
    static CurveFloor of(Curve figure, int most) {
        int windows = Math.min(figure.size(), most);
        double[] places = new double[windows];
        long[] values = new long[windows];
        for (int window = 0; window < windows; window++) {
            int lowest = lowest(figure, first(figure, window, windows), first(figure, window + 1, windows));
            places[window] = figure.place(lowest);
            values[window] = figure.value(lowest);
        }
        return new CurveFloor(places, values);
    }

    /** The first measurement of a window. */
    static int first(Curve figure, int window, int windows) {
        return (int) ((long) window * figure.size() / windows);
    }

    private static int lowest(Curve figure, int from, int to) {
        int lowest = from;
        for (int i = from + 1; i < to; i++) {
            lowest = figure.value(i) < figure.value(lowest) ? i : lowest;
        }
        return lowest;
    }

    /** The windows from one to another, without that. */
    CurveFloor part(int from, int to) {
        return new CurveFloor(Arrays.copyOfRange(places, from, to), Arrays.copyOfRange(values, from, to));
    }

    /** The floor with other values. */
    CurveFloor with(Value value) {
        long[] others = new long[size()];
        Arrays.setAll(others, window -> value.of(places[window], values[window]));
        return new CurveFloor(places, others);
    }

    /** How many windows there are. */
    int size() {
        return values.length;
    }

    /** Where a window is lowest. */
    double place(int window) {
        return places[window];
    }

    /** How low a window is. */
    long value(int window) {
        return values[window];
    }

    /** Where windows are lowest. */
    double[] places() {
        return places.clone();
    }

    /** How low windows are. */
    double[] values() {
        return Arrays.stream(values).asDoubleStream().toArray();
    }
}
