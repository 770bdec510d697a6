package dev.leakline.series;

import dev.leakline.columns.MemorySeries.Quantity;
import dev.leakline.columns.MemorySeries.Source;
import dev.leakline.columns.MemorySeries.Subject;
import dev.leakline.result.MeasuredSeries.Axis;
import dev.leakline.statistics.Thresholds;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;
import java.util.Locale;

/** Formats figures, rates and places as words. */
final class CurveWords {
    private static final double MINUTE = 60;
    private static final double HOUR = 3600;
    private static final double DAY = 24 * HOUR;
    /** A rate is given per second, minute or hour, whichever is the first to make it as much as this many bytes. */
    private static final double NOTABLE = 1 << 20;

    private CurveWords() {}

    /** The name of a figure with its source. One of free memory that is not judged is that, and not what is in use. */
    static String name(Curve figure) {
        Subject subject = figure.subject();
        boolean isFree = figure.isTaken() && figure.size() < Thresholds.FEWEST_STEPS;
        StringBuilder name = new StringBuilder(isFree ? "free memory" : quantity(subject.quantity()));
        if (subject.process() >= 0) {
            name.append(" of process ").append(subject.process());
        }
        if (subject.device() >= 0) {
            name.append(subject.process() >= 0 ? " on device " : " of device ").append(subject.device());
        }
        String label = subject.label().isBlank() ? "" : subject.label() + ", ";
        return name.append(" (")
                .append(label)
                .append(source(subject.source()))
                .append(')')
                .toString();
    }

    static String quantity(Quantity quantity) {
        return switch (quantity) {
            case ALLOCATED -> "allocated memory";
            case PEAK_ALLOCATED -> "the peak of allocated memory";
            case RESERVED -> "reserved memory";
            case PEAK_RESERVED -> "the peak of reserved memory";
            case ACTIVE -> "active memory";
            case REQUESTED -> "requested memory";
            case INACTIVE_SPLIT -> "fragmented free memory";
            case DEVICE_USED -> "used memory";
            case DEVICE_FREE -> "memory in use, told by what is free";
            case DEVICE_TOTAL -> "all memory";
            case PROCESS_USED -> "used memory";
            case HOST_USED -> "host memory";
            case POOL_SHARE -> "the share of the KV cache in use";
            case OUT_OF_MEMORY -> "failed requests";
            case RETRIES -> "requests met only after the cache was freed";
        };
    }

    private static String source(Source source) {
        return switch (source) {
            case TELEMETRY -> "telemetry";
            case PROFILER -> "function profiler";
            case MEMORY_STATS -> "memory_stats";
            case NVIDIA_SMI -> "nvidia-smi";
            case EXPORTER -> "exporter";
            case TIMELINE -> "memory timeline";
            case MONITOR -> "monitor";
            case LOG -> "log";
        };
    }

    /** A rate in bytes per unit, with its interval where that is not as narrow as the figures shown. */
    static String rate(double rate, double low, double high, Axis axis) {
        String interval = size(low, rate, axis).equals(size(high, rate, axis))
                ? ""
                : " (" + size(low, rate, axis) + " to " + size(high, rate, axis) + ")";
        return rate(rate, axis) + interval;
    }

    /** A rate in bytes per unit. */
    static String rate(double rate, Axis axis) {
        return size(rate, rate, axis) + " per " + unit(rate, axis);
    }

    private static String size(double value, double rate, Axis axis) {
        return ByteSize.format(Math.round(value * scale(rate, axis)));
    }

    private static double scale(double rate, Axis axis) {
        double size = Math.abs(rate);
        return !axis.isTime() || size >= NOTABLE ? 1 : size * MINUTE >= NOTABLE ? MINUTE : HOUR;
    }

    private static String unit(double rate, Axis axis) {
        double scale = scale(rate, axis);
        return scale == 1 ? axis.unit() : scale == MINUTE ? "minute" : "hour";
    }

    /** A place of a figure. */
    static String place(Curve figure, double place) {
        return switch (figure.axis()) {
            case TIME, ELAPSED -> "+" + span(place);
            case STEP, EPOCH, INDEX ->
                figure.axis().unit() + " " + String.format(Locale.ROOT, "%,d", Math.round(figure.position(place)));
        };
    }

    /** A number of units: steps, or a time. */
    static String span(double units, Axis axis) {
        return axis.isTime() ? span(units) : Numbers.counted((long) units, axis.unit());
    }

    /** Seconds with the unit that suits them. */
    private static String span(double seconds) {
        if (seconds < 2 * MINUTE) {
            return String.format(Locale.ROOT, "%.3g s", seconds);
        }
        if (seconds < 2 * HOUR) {
            return String.format(Locale.ROOT, "%.1f min", seconds / MINUTE);
        }
        return seconds < 2 * DAY
                ? String.format(Locale.ROOT, "%.1f h", seconds / HOUR)
                : String.format(Locale.ROOT, "%.1f d", seconds / DAY);
    }
}
