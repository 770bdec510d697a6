package dev.leakline.result;

import dev.leakline.text.Printable;
import io.avaje.jsonb.Json;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
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
        String reason) {
    /** Linux keeps as many letters of a name. */
    private static final int NAME = 15;

    /** What is said of it on a terminal, in one line, with times of this time zone. */
    public String line() {
        String who = "PID " + pid + (name == null ? "" : " " + Printable.of(name, NAME));
        String full = fullAt == null
                ? ""
                : "; full at " + clock(fullAt.estimate) + " (" + clock(fullAt.low) + " to " + clock(fullAt.high) + ")";
        return clock(t) + " " + who + ": " + (state == State.OK ? verdict.words() : state.words(verdict)) + ": "
                + reason + full;
    }

    /** The time of day, with the date where that is another than of the event. */
    private String clock(double seconds) {
        ZonedDateTime time = at(seconds);
        boolean isSameDay = time.toLocalDate().equals(at(t).toLocalDate());
        return time.format(DateTimeFormatter.ofPattern(isSameDay ? "HH:mm:ss" : "yyyy-MM-dd HH:mm", Locale.ROOT));
    }

    private static ZonedDateTime at(double seconds) {
        return Instant.ofEpochSecond((long) seconds).atZone(ZoneId.systemDefault());
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

    /** What the samples of a process show. */
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
     * A forecast, in seconds as {@code t} is. In nine of ten cases it is full between {@code low} and {@code high}.
     *
     * @param estimate when it is full, if it goes on as it did
     * @param low the earliest likely time
     * @param high the latest likely time
     */
    public record FullAt(double estimate, double low, double high) {}
}
