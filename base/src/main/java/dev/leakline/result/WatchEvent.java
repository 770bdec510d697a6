package dev.leakline.result;

import dev.leakline.text.ByteSize;
import dev.leakline.text.Printable;
import io.avaje.jsonb.Json;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How one process stands at one moment, as a watcher judges it. A watcher says so whenever state or verdict change.
 *
 * @param t the time of the sample that it rests on, in seconds
 * @param pid the process
 * @param name what it calls itself, null if not known
 * @param state whether somebody should look
 * @param verdict what the samples so far show
 * @param bytesPerHour how fast it grows; NaN where it does not
 * @param fullAt when what it fills is full, null where it does not fill, or the size is not known
 * @param resource the memory that this is about
 * @param device the GPU's number; negative for host memory
 * @param since when the growth began, in seconds; NaN where there is none
 * @param reason in a sentence
 * @param cause what was found out by looking into the process, null where nobody did
 */
public record WatchEvent(
        double t,
        long pid,
        @Nullable String name,
        State state,
        Verdict verdict,
        double bytesPerHour,
        @Nullable FullAt fullAt,
        Resource resource,
        @Json.Serializer(UnknownIfNegative.class) long device,
        double since,
        String reason,
        @Nullable Cause cause) {
    /** The schema of an event as JSON. */
    public static final String SCHEMA = "leakline.watch/1";

    /** Linux keeps as many letters of a name. */
    private static final int NAME = 15;
    /** The last second, about, of the last year of four digits. */
    private static final double LATEST = 253_000_000_000.0;

    /** Says it in one line for a terminal, with times of this time zone. */
    public String line() {
        String full = fullAt == null
                ? ""
                : "; full at " + clock(fullAt.estimate) + " (" + clock(fullAt.low) + " to " + clock(fullAt.high) + ")";
        return clock(t) + " " + who() + ": " + (state == State.OK ? verdict.words() : state.words(verdict)) + ": "
                + reason + full + (cause == null ? "" : "; " + cause.sentence);
    }

    /** The same with what was found out about it. */
    public WatchEvent because(@Nullable Cause why) {
        return why == null
                ? this
                : new WatchEvent(
                        t, pid, name, state, verdict, bytesPerHour, fullAt, resource, device, since, reason, why);
    }

    /** The process, by number and name. */
    public String who() {
        return "PID " + pid + (name == null ? "" : " " + Printable.of(name, NAME));
    }

    /** Says what grows, and how fast. */
    public String growth() {
        String memory = resource == Resource.HOST ? "host memory" : "memory of GPU " + device;
        return memory + " grows by " + ByteSize.format(bytesPerHour) + " per hour";
    }

    /** The time of day, with the date where that is another than of the event. */
    private String clock(double seconds) {
        ZonedDateTime time = at(seconds);
        boolean isSameDay = time.toLocalDate().equals(at(t).toLocalDate());
        return time.format(DateTimeFormatter.ofPattern(isSameDay ? "HH:mm:ss" : "yyyy-MM-dd HH:mm", Locale.ROOT));
    }

    /** The time of day on this machine, in years of four digits: forecasts beyond say no more than "not soon", and samples may say anything. */
    public static ZonedDateTime at(double seconds) {
        return Instant.ofEpochSecond((long) Math.clamp(seconds, 0, LATEST)).atZone(ZoneId.systemDefault());
    }

    /** States of the alert of a process. */
    public enum State {
        /** Nothing grows, or it is too early to tell. */
        OK,
        /** Something grows, but not for long enough to wake somebody: caches, warm-ups and cycles do so, too. */
        GROWING,
        /** It grows and does not stop: somebody should look. */
        FIRING,
        /** It grew, somebody was told, and it stopped or was freed. */
        RESOLVED;

        private String words(Verdict verdict) {
            return switch (this) {
                case OK, GROWING -> "growing";
                case FIRING -> verdict.words();
                case RESOLVED -> "resolved";
            };
        }
    }

    /** Verdicts on the samples of a process. */
    public enum Verdict {
        /** Memory is kept for good, more and more. */
        LEAK,
        /** The allocator reserves more and more, and tensors do not: what is free lies in pieces that fit no request. */
        FRAGMENTATION,
        /** Nothing grows without a ceiling. */
        NO_LEAK,
        /** Too few samples, or growth that may be a cache, a warm-up or a cycle. */
        UNDETERMINED;

        private String words() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    /** Memory that can be full. */
    public enum Resource {
        /** The memory of a GPU. */
        DEVICE,
        /** The memory of the host, resident or pinned. */
        HOST
    }

    /**
     * Why a process grows, as a look into it showed.
     *
     * @param rung how far one had to go: its counters, a light snapshot, who holds its tensors, a record of its allocations
     * @param site the line that keeps the memory, null where it is not known
     * @param holder who keeps it alive, null where it is not known
     * @param sentence all of that in words
     * @param files what was written, for {@code leakline report}
     */
    public record Cause(
            Rung rung, @Nullable String site, @Nullable String holder, String sentence, List<String> files) {}

    /** How far one looks into a process; each costs it more than the one before. */
    public enum Rung {
        /** The allocator's memory and how much of it is in use; some milliseconds. */
        SNAPSHOT,
        /** The owner of each tensor; a second for a million objects. */
        HOLDERS,
        /** A minute of allocations; some percent of its speed meanwhile. */
        HISTORY
    }

    /**
     * A forecast, in seconds as {@code t} is. In nine of ten cases it is full between {@code low} and {@code high}.
     *
     * @param estimate when it is full, if it goes on as it did
     * @param low the earliest likely time
     * @param high the latest likely time
     */
    public record FullAt(double estimate, double low, double high) {}
}
