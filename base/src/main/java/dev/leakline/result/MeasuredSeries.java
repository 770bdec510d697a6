package dev.leakline.result;

import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;
import io.avaje.jsonb.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One figure over time or steps, and what is said of it.
 *
 * @param input the index of the input it comes from
 * @param name what it is, for people
 * @param source who measured, such as {@code nvidia_smi}
 * @param quantity what was measured, such as {@code device_used}
 * @param unit what values are
 * @param axis what positions are
 * @param device the ordinal, -1 where the source does not say
 * @param process the process's number, -1 for none or where the source does not say
 * @param label how the source names it; may be empty
 * @param points how many measurements there are
 * @param first the first measurement
 * @param last the last measurement
 * @param peak the first of the highest measurements; of free memory, of the lowest
 * @param floor the lowest value since whatever it was warming up for was done
 * @param shape what it does
 * @param reason the same in a sentence, with figures
 * @param trend how it rises or falls; null where there is too little to say
 * @param deviceBytes the memory of the device; 0 where nobody said
 * @param unitsToOom from the last measurement until the device is full, in the axis' unit; NaN where it does not grow or nobody knows
 * @param changes jumps to another level that stay, at most a few
 * @param curve the whole figure, thinned to at most a few hundred stretches
 */
public record MeasuredSeries(
        int input,
        String name,
        String source,
        String quantity,
        Unit unit,
        Axis axis,
        int device,
        long process,
        String label,
        int points,
        Point first,
        Point last,
        Point peak,
        long floor,
        Shape shape,
        String reason,
        @Nullable Trend trend,
        long deviceBytes,
        double unitsToOom,
        List<Change> changes,
        List<Band> curve) {
    private static final double WHOLE = 10_000;

    /** Its values in a sentence: the first, the highest, the last, the lowest. */
    @Json.Property("values")
    public String values() {
        if (quantity.equals("device_free")) {
            return "free: first " + ByteSize.format(first.value) + ", least " + ByteSize.format(peak.value) + " at "
                    + place(peak) + ", last " + ByteSize.format(last.value) + "; "
                    + Numbers.counted(points, "measurement");
        }
        if (unit == Unit.BASIS_POINTS) {
            return "first " + Numbers.percent(first.value / WHOLE) + ", peak " + Numbers.percent(peak.value / WHOLE)
                    + ", last " + Numbers.percent(last.value / WHOLE) + "; " + Numbers.counted(points, "measurement");
        }
        return isBytes()
                ? "first " + ByteSize.format(first.value) + ", peak " + ByteSize.format(peak.value) + " at "
                        + place(peak) + ", last " + ByteSize.format(last.value) + ", floor " + ByteSize.format(floor)
                        + "; " + Numbers.counted(points, "measurement")
                : Numbers.counted(points, "measurement");
    }

    /** Where on its axis a measurement stands, such as {@code +3.25 s} or {@code step 40}. */
    public String place(Point point) {
        return axis.isTime()
                ? "+" + Numbers.span((long) (point.position - first.position))
                : axis.unit() + " " + Numbers.grouped((long) point.position);
    }

    /** Units of values. */
    public enum Unit {
        BYTES,
        COUNT,
        /** Hundredths of a per cent. */
        BASIS_POINTS
    }

    /** Returns whether values are bytes; else they are counts. */
    public boolean isBytes() {
        return unit == Unit.BYTES;
    }

    /** Units of positions. */
    public enum Axis {
        /** Unix microseconds. */
        TIME("second"),
        /** Microseconds since a beginning that nobody knows. */
        ELAPSED("second"),
        /** Steps of training. */
        STEP("step"),
        /** Epochs. */
        EPOCH("epoch"),
        /** The number of the measurement. */
        INDEX("measurement");

        private final String unit;

        Axis(String unit) {
            this.unit = unit;
        }

        /** The unit that rates are per. */
        public String unit() {
            return unit;
        }

        /** Returns whether positions are microseconds. */
        public boolean isTime() {
            return this == TIME || this == ELAPSED;
        }
    }

    /** Shapes of a figure. */
    public enum Shape {
        /** Its floor grows to the end, without a ceiling. */
        GROWS,
        /** It grew and then no more, or ever more slowly. */
        WARM_UP,
        /** It piles up and is freed, again and again. */
        PERIODIC,
        /** It jumps between levels, and does not grow on them. */
        LEVELS,
        /** It stays where it is. */
        LEVEL,
        /** It swings so much that growth could hide in it. */
        SWINGS,
        /** There are too few measurements, or over too short a time, to say. */
        TOO_FEW
    }

    /** A measurement. */
    public record Point(double position, long value) {}

    /**
     * The trend of a figure after warm-up.
     *
     * @param perUnit the slope of its floor, per unit of the axis
     * @param low the lower end of the slope's 95 % interval, which allows for measurements that depend on those before
     * @param high its upper end
     * @param from the position from which on it is judged
     * @param to the last position that is judged
     * @param deviations how many standard deviations its rises are from what chance makes (Mann-Kendall)
     * @param dependence how many measurements are worth one, because they depend on those before
     */
    public record Trend(
            double perUnit, double low, double high, double from, double to, double deviations, double dependence) {}

    /** A jump to another level: where, and by how much. */
    public record Change(double position, long bytes) {}

    /** A stretch of the figure, as one column of a chart: where it begins, its lowest and its highest value. */
    public record Band(double position, long low, long high) {}
}
