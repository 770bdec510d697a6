package dev.leakline;

import dev.leakline.lifetime.DeviceEvents;
import dev.leakline.primitive.Bisection;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A part of a recording, from one bound up to, but without, another. */
public record Window(Bound from, Bound to) {
    /** All of a recording. */
    public static final Window ALL = new Window(new Bound.Event(0), new Bound.Event(Integer.MAX_VALUE));

    /** A moment of a recording, given in one of the ways that people name one. */
    public sealed interface Bound {
        /** The first event that is not before this moment. */
        int event(DeviceEvents events);

        /** The number of an event within its device's trace. */
        record Event(int number) implements Bound {
            @Override
            public int event(DeviceEvents events) {
                return Math.min(number, events.count());
            }

            @Override
            public String toString() {
                return Integer.toString(number);
            }
        }

        /** Microseconds since the device's first event. */
        record Elapsed(long micros) implements Bound {
            @Override
            public int event(DeviceEvents events) {
                return events.count() == 0 ? 0 : firstAt(events, time(events, 0) + micros);
            }
        }

        /** A point in time, in Unix microseconds. */
        record Time(long micros) implements Bound {
            @Override
            public int event(DeviceEvents events) {
                return firstAt(events, micros);
            }
        }
    }

    /** Returns whether no moment can be in it, as it ends before it begins; not known where its bounds are of different kinds. */
    public boolean isBackwards() {
        return switch (from) {
            case Bound.Event(int first) -> to instanceof Bound.Event(int end) && first >= end;
            case Bound.Elapsed(long first) -> to instanceof Bound.Elapsed(long end) && first >= end;
            case Bound.Time(long first) -> to instanceof Bound.Time(long end) && first >= end;
        };
    }

    /** More microseconds than there are in any recording; to add two of them overflows nothing. */
    private static final long FOREVER = 1L << 61;

    private static final Pattern ELAPSED = Pattern.compile("\\+?(\\d{1,12}(?:\\.\\d{1,9})?)(us|ms|s|min|h)");

    /**
     * Reads a bound: {@code 12000} is an event, {@code 3.5s} (or us, ms, min, h) the time since the recording began,
     * {@code 2026-11-21T09:30:00Z} a point in time. Throws {@link IllegalArgumentException} for anything else.
     */
    public static Bound parse(String text) {
        if (text.matches("\\d{1,9}")) {
            return new Bound.Event(Integer.parseInt(text));
        }
        Matcher elapsed = ELAPSED.matcher(text);
        if (elapsed.matches()) {
            double micros = Double.parseDouble(elapsed.group(1)) * micros(elapsed.group(2));
            return new Bound.Elapsed(Math.min(Math.round(micros), FOREVER));
        }
        try {
            Instant time = Instant.parse(text);
            long seconds = Math.clamp(time.getEpochSecond(), -FOREVER / 1_000_000, FOREVER / 1_000_000);
            return new Bound.Time(seconds * 1_000_000 + time.getNano() / 1000);
        } catch (DateTimeException e) {
            throw new IllegalArgumentException(
                    "'" + text
                            + "' is not a moment of a recording: expected an event number (12000), a time since its"
                            + " beginning (3.5s, 120ms, 2min) or a date and time (2026-11-21T09:30:00Z)",
                    e);
        }
    }

    private static long micros(String unit) {
        return switch (unit) {
            case "us" -> 1;
            case "ms" -> 1_000;
            case "s" -> 1_000_000;
            case "min" -> 60_000_000;
            default -> 3_600_000_000L;
        };
    }

    private static long time(DeviceEvents events, int event) {
        long time = events.timeMicros(event);
        if (time == 0) {
            throw new IllegalArgumentException(
                    "the recording has no times (torch before 2.2 records none): give event numbers, such as 12000");
        }
        return time;
    }

    private static int firstAt(DeviceEvents events, long micros) {
        return Bisection.first(events.count(), event -> time(events, event) >= micros);
    }
}
