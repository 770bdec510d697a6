package dev.leakline.result;

import dev.leakline.result.DeviceResult.FailedRequest;
import dev.leakline.result.Finding.Advice;
import io.avaje.jsonb.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A message about memory that ran out, explained.
 *
 * @param log the index of the log it stands in, among the logs
 * @param found the message and its places
 * @param kind why the request failed
 * @param title the reason in a sentence
 * @param reasons what that was concluded from, in plain words
 * @param derivations sizes that the message does not print and that follow from it
 * @param checks whether the printed sizes add up, as far as they can be compared
 * @param warning the warning of the same failure, which knows its sizes to the byte; null where the log has none
 * @param failures the same failure in a snapshot that was read with the log
 * @param advice what to do, the best first
 */
public record OutOfMemoryExplanation(
        int log,
        OutOfMemoryLog.Found found,
        Kind kind,
        String title,
        List<String> reasons,
        List<Derived> derivations,
        List<SizeCheck> checks,
        OutOfMemoryLog.@Nullable Found warning,
        List<SnapshotFailure> failures,
        List<Advice> advice) {
    /** How often the message stands in its log. */
    @Json.Property("count")
    public long count() {
        return found.count();
    }

    /** The first few places where it stands. */
    @Json.Property("places")
    public List<OutOfMemoryLog.Place> places() {
        return found.places();
    }

    /** The message. */
    @Json.Property("text")
    public String text() {
        return found.message().text();
    }

    /** The printed sizes whose meaning is known, by that, in small letters; of several the first. */
    @Json.Property("sizes")
    public Map<String, PrintedSize> sizes() {
        Map<String, PrintedSize> sizes = new LinkedHashMap<>();
        for (OutOfMemoryMessage.Figure figure : found.message().figures()) {
            if (figure.meaning() != OutOfMemoryMessage.Meaning.UNKNOWN) {
                sizes.putIfAbsent(figure.meaning().name().toLowerCase(Locale.ROOT), figure.size());
            }
        }
        return sizes;
    }

    /** The sizes that follow from those, by name in small letters. */
    @Json.Property("derived")
    public Map<String, Derived> derived() {
        Map<String, Derived> derived = new LinkedHashMap<>();
        derivations.forEach(one -> derived.put(one.name().name().toLowerCase(Locale.ROOT), one));
        return derived;
    }

    /** Reasons why a request fails. */
    public enum Kind {
        /** What the process itself holds leaves too little. */
        REAL_SHORTAGE,
        /** Enough was free or cached, but in pieces. */
        FRAGMENTATION,
        /** A limit that somebody set for the process. */
        LIMIT,
        /** Other processes hold most of the device. */
        OTHER_PROCESSES,
        /** Most of what the process holds is not PyTorch's: the context, NCCL, other libraries. */
        NON_PYTORCH,
        /** What is cached in private pools would have been enough. */
        GRAPH_POOLS,
        /** No device could meet the request. */
        IMPOSSIBLE_SIZE,
        /** The error is not the caching allocator's. */
        NOT_THE_ALLOCATOR,
        /** The driver had too little once; the allocator asked again, and no error followed. */
        RECOVERED,
        /** The message does not say enough. */
        UNKNOWN
    }

    /**
     * A size that follows from the printed ones.
     *
     * @param name what it is
     * @param least the smallest that fits the print
     * @param most the largest
     */
    public record Derived(Name name, long least, long most) {
        /** Names of derived sizes. */
        public enum Name {
            /** All that the allocator had from the driver. */
            RESERVED,
            /** What it had and had not given out. */
            UNALLOCATED,
            /** What tensors held, without what private pools cache. */
            LIVE,
            /** What this process held beside the allocator's memory. */
            NON_PYTORCH,
            /** What other processes held. */
            OTHER_PROCESSES
        }

        /** The middle, for people. */
        public long bytes() {
            return least + (most - least) / 2;
        }
    }

    /** A check of whether the printed sizes agree; {@code text} says what was compared. */
    public record SizeCheck(boolean holds, String text) {}

    /**
     * A failed request of a snapshot that a message is about.
     *
     * @param input the index of the snapshot among the inputs
     * @param device the device's number there
     */
    public record SnapshotFailure(int input, int device, FailedRequest request) {}
}
