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

    /** Kinds of shortages: what ran out, and why. */
    public enum Kind {
        /** The process itself holds too much of the device, or the message does not say who holds it. */
        DEVICE_OOM,
        /** The allocator's cache would have been enough, but is in pieces, or in pools of CUDA graphs. */
        DEVICE_OOM_FRAGMENTATION,
        /** Other processes hold what was missing. */
        DEVICE_OOM_OTHER_PROCESSES,
        /** A limit that somebody set for the process, or MPS's. */
        DEVICE_OOM_LIMIT,
        /** More than the whole device was requested at once. */
        DEVICE_OOM_REQUEST_TOO_BIG,
        /** More was free than was requested: the sizes do not explain it. */
        DEVICE_OOM_BUT_FREE,
        /** A size that no device has: negative or overflowed. */
        BAD_SIZE,
        /** A library's memory beside the allocator's: cuBLAS, cuDNN, NCCL. */
        LIBRARY_WORKSPACE,
        /** A server that does not begin, as it would not fit. */
        STARTUP_REFUSAL,
        /** Too little memory once; no error followed. */
        RECOVERED,
        /** The host's memory: the machine's, or that of a container or a job. */
        HOST_OOM,
        /** The limit on the host that a runtime sets its own processes, such as a JVM's. */
        HOST_LIMIT,
        /** The host's shared memory. */
        SHARED_MEMORY,
        /** The host's pinned memory. */
        PINNED_MEMORY,
        /** Registers or shared memory of a multiprocessor; no memory of the device. */
        KERNEL_RESOURCES;

        /** Returns whether a request for a tensor found too little memory of a device. */
        public boolean isDeviceOom() {
            return compareTo(DEVICE_OOM_BUT_FREE) <= 0;
        }
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
            /** Memory that it had and had not given out. */
            UNALLOCATED,
            /** Memory of tensors, without the cache of private pools. */
            LIVE,
            /** Memory that this process held beside the allocator's. */
            NON_PYTORCH,
            /** Memory that other processes held. */
            OTHER_PROCESSES,
            /** Memory that is neither free nor this allocator's, where the message does not say what this process held. */
            OUTSIDE
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
