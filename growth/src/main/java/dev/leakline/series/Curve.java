package dev.leakline.series;

import com.carrotsearch.hppc.DoubleArrayList;
import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.LongArrayList;
import dev.leakline.columns.MemorySeries;
import dev.leakline.columns.MemorySeries.Subject;
import dev.leakline.primitive.Bisection;
import dev.leakline.result.MeasuredSeries.Axis;
import dev.leakline.statistics.Thresholds;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * A figure measured repeatedly, in order. Its places are seconds, steps, epochs or numbers of measurements since its first.
 *
 * <p>Clocks step back, so measurements with times are sorted. Steps begin again where a job does; of several runs in one source the
 * last counts that is long enough to be judged. Where positions go back all the time, several ranks write into one log: then only the
 * order of the measurements counts.
 */
final class Curve {
    /** Microseconds of a second. */
    static final double MICROS = 1e6;

    private final int input;
    private final Subject subject;
    private final Axis axis;
    private final double start;
    private final DoubleArrayList places;
    private final LongArrayList values;
    /** Where values are what was taken of memory that was free: the most that was; 0 else. */
    private final long mostFree;
    /** The highest value from each measurement on; empty until somebody asks. */
    private final LongArrayList highest = new LongArrayList();

    /** A figure made of another's subject. */
    Curve(int input, Subject subject, Axis axis, double start, DoubleArrayList places, LongArrayList values) {
        this(input, subject, axis, start, places, values, 0);
    }

    private Curve(
            int input,
            Subject subject,
            Axis axis,
            double start,
            DoubleArrayList places,
            LongArrayList values,
            long mostFree) {
        this.input = input;
        this.subject = subject;
        this.axis = axis;
        this.start = start;
        this.places = places;
        this.values = values;
        this.mostFree = mostFree;
    }

    /** Makes a figure of a series, in order; positions that are not numbers and values below 0 are left out. */
    static Curve of(int input, MemorySeries series) {
        Axis axis = Axis.valueOf(series.subject.axis().name());
        int[] usable = IntStream.range(0, series.size())
                .filter(i -> Double.isFinite(series.position(i)) && series.value(i) >= 0)
                .toArray();
        if (axis == Axis.TIME) {
            int[] sorted = IntStream.of(usable)
                    .boxed()
                    .sorted(Comparator.comparingDouble(series::position))
                    .mapToInt(Integer::intValue)
                    .toArray();
            return of(input, series, axis, IntArrayList.from(sorted));
        }
        IntArrayList run = lastRun(series, usable);
        return run.size() < Thresholds.FEWEST_STEPS && usable.length > run.size()
                ? of(input, series, Axis.INDEX, IntArrayList.from(usable))
                : of(input, series, axis, run);
    }

    private static Curve of(int input, MemorySeries series, Axis axis, IntArrayList kept) {
        DoubleArrayList places = new DoubleArrayList(kept.size());
        LongArrayList values = new LongArrayList(kept.size());
        boolean isOrder = axis == Axis.INDEX;
        double start = isOrder || kept.isEmpty() ? 0 : series.position(kept.get(0));
        for (int i = 0; i < kept.size(); i++) {
            double place = isOrder ? i : series.position(kept.get(i)) - start;
            places.add(axis.isTime() ? place / MICROS : place);
            values.add(series.value(kept.get(i)));
        }
        return new Curve(input, series.subject, axis, start, places, values);
    }

    /** The last stretch whose positions do not go back, if it can be judged; else the longest. */
    private static IntArrayList lastRun(MemorySeries series, int[] usable) {
        IntArrayList best = new IntArrayList();
        IntArrayList run = new IntArrayList();
        for (int i : usable) {
            if (!run.isEmpty() && series.position(i) < series.position(run.get(run.size() - 1))) {
                best = better(best, run);
                run = new IntArrayList();
            }
            run.add(i);
        }
        return better(best, run);
    }

    private static IntArrayList better(IntArrayList former, IntArrayList later) {
        return later.size() >= Math.min(former.size(), Thresholds.FEWEST_STEPS) ? later : former;
    }

    /** The index of the input that it comes from. */
    int input() {
        return input;
    }

    Subject subject() {
        return subject;
    }

    /** The unit of positions. */
    Axis axis() {
        return axis;
    }

    /** How many measurements there are. */
    int size() {
        return values.size();
    }

    /** Where a measurement is: units since the first. */
    double place(int index) {
        return places.get(index);
    }

    long value(int index) {
        return values.get(index);
    }

    /** A place as a position on the axis of the source. */
    double position(double place) {
        return start + place * (axis.isTime() ? MICROS : 1);
    }

    /** The place of a position on the axis of the source. */
    double placeOf(double position) {
        return (position - start) / (axis.isTime() ? MICROS : 1);
    }

    /** All values, in order. */
    long[] toArray() {
        return values.toArray();
    }

    /** Where all values were measured, in order. */
    double[] places() {
        return places.toArray();
    }

    /** The memory taken since most was free; where no total is known, free memory tells no more than that. */
    Curve taken() {
        long most = Arrays.stream(toArray()).max().orElse(0);
        LongArrayList taken = new LongArrayList(size());
        for (int i = 0; i < size(); i++) {
            taken.add(most - value(i));
        }
        return new Curve(input, subject, axis, start, places, taken, most);
    }

    /** Returns whether values are what was taken of free memory. */
    boolean isTaken() {
        return mostFree > 0;
    }

    /** A value as its source has it. */
    long shown(long value) {
        return isTaken() ? mostFree - value : value;
    }

    /** The index of the first of the highest values; -1 where there are none. */
    int peak() {
        int peak = -1;
        for (int i = 0; i < size(); i++) {
            peak = peak < 0 || value(i) > value(peak) ? i : peak;
        }
        return peak;
    }

    /** The highest value from a measurement on. */
    long highestFrom(int index) {
        if (highest.isEmpty()) {
            highest.resize(size());
            for (int i = size() - 1; i >= 0; i--) {
                highest.set(i, Math.max(value(i), i == size() - 1 ? 0 : highest.get(i + 1)));
            }
        }
        return highest.get(index);
    }

    /** The last measurement at or before a place; -1 where all are later. */
    int at(double place) {
        return Bisection.first(size(), index -> place(index) > place) - 1;
    }
}
