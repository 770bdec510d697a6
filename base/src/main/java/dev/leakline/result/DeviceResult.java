package dev.leakline.result;

import io.avaje.jsonb.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of one device. Sizes in bytes, held by the allocator unless they are said to be requested.
 *
 * @param input the index of the input it comes from
 * @param device the ordinal within the process, -1 for the host's memory: all that PyTorch allocates there where a profiler recorded it,
 *     else what is pinned
 * @param events events of its trace
 * @param startBytes live before the first event
 * @param startRequestedBytes requested for what was live before the first event; this and all that is requested is -1 where a
 *     profiler recorded it
 * @param endBytes live after the last event
 * @param endReservedBytes reserved from the driver at the end
 * @param peakRequestedBytes the most that was requested at any moment of the window; not always at the peak
 * @param peak the moment at which most was live, within the chosen window
 * @param timeline how live and reserved bytes went, at most a few hundred points
 * @param outOfMemory requests that could not be met, in order
 * @param levers what would lower the peak, most bytes for the effort first; each alone, since together they may save less
 * @param fit whether it fits into the device's memory, null where that is not known
 * @param steps what repeats
 * @param coverage what the recording can and cannot tell
 */
public record DeviceResult(
        int input,
        int device,
        int events,
        long startBytes,
        @Json.Serializer(UnknownIfNegative.class) long startRequestedBytes,
        long endBytes,
        long endReservedBytes,
        @Json.Serializer(UnknownIfNegative.class) long peakRequestedBytes,
        Peak peak,
        List<TimelinePoint> timeline,
        List<FailedRequest> outOfMemory,
        List<Lever> levers,
        @Nullable Fit fit,
        StepSummary steps,
        Coverage coverage) {
    /** The limits of the recording, in sentences. */
    @Json.Property("sentences")
    public List<String> sentences() {
        return RecordingSentences.of(this);
    }

    /** The name that people use. */
    @Json.Property("name")
    public String name() {
        if (device >= 0) {
            return "device " + device;
        }
        return coverage.isTrace() ? "host memory" : "pinned host memory";
    }

    /** Stands for a moment before the first event. */
    public static final int BEFORE = -1;

    /**
     * A stretch of the recording, as one point of a chart.
     *
     * @param event its first event
     * @param timeUs when that was, Unix microseconds, 0 where the recording has no times
     * @param bytes the most that was live in it
     * @param reservedBytes the most that was reserved in it
     */
    public record TimelinePoint(
            int event, @Json.Serializer(UnknownIfZero.class) long timeUs, long bytes, long reservedBytes) {}

    /**
     * A request that could not be met.
     *
     * @param event its number in the trace
     * @param timeUs Unix microseconds, 0 where the recording has no times
     * @param requestedBytes the requested bytes, rounded as the allocator does
     * @param deviceFreeBytes what the device had free then, -1 where the recording does not say
     * @param site the line that asked
     */
    public record FailedRequest(
            int event,
            @Json.Serializer(UnknownIfZero.class) long timeUs,
            long requestedBytes,
            @Json.Serializer(UnknownIfNegative.class) long deviceFreeBytes,
            Site site) {}

    /** A copy with fewer sites of its peak, and with or without their stacks. */
    public DeviceResult shown(int most, boolean hasStacks) {
        return new DeviceResult(
                input,
                device,
                events,
                startBytes,
                startRequestedBytes,
                endBytes,
                endReservedBytes,
                peakRequestedBytes,
                peak.shown(most, hasStacks),
                timeline,
                outOfMemory,
                levers,
                fit,
                steps,
                coverage);
    }
}
