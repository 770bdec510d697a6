package dev.leakline.result;

import io.avaje.jsonb.Json;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The results of replaying recorded jobs under other settings of PyTorch's caching allocator.
 *
 * @param schema {@link #SCHEMA}
 * @param tool what replayed them
 * @param inputs the recordings
 * @param devices what was replayed, input by input, in order of the devices' numbers
 */
public record WhatIf(String schema, Tool tool, List<InputFile> inputs, List<Device> devices) {
    /** The schema of this as JSON. */
    public static final String SCHEMA = "leakline.whatif/1";

    /**
     * One device of one recording.
     *
     * @param input the index of the input
     * @param device the ordinal within the process
     * @param memoryBytes what this process could take of the device, 0 where nobody said, and replays have no limit
     * @param memorySource how that is known
     * @param isFromStart whether the recording begins with nothing allocated
     * @param credibility how well the model tells what was recorded
     * @param recorded the replay under the settings of the recording
     * @param others replays under other settings
     * @param recommendation the setting to use, null where none is worth it
     * @param reason why that one, or why none
     */
    public record Device(
            int input,
            int device,
            @Json.Serializer(UnknownIfZero.class) long memoryBytes,
            MemorySource memorySource,
            boolean isFromStart,
            Credibility credibility,
            Trial recorded,
            List<Trial> others,
            @Nullable Recommendation recommendation,
            String reason) {
        /** A copy with each outcome changed. */
        public Device withOutcomes(UnaryOperator<Trial> change) {
            return new Device(
                    input,
                    device,
                    memoryBytes,
                    memorySource,
                    isFromStart,
                    credibility,
                    change.apply(recorded),
                    others.stream().map(change).toList(),
                    recommendation,
                    reason);
        }
    }

    /** Sources of the memory limit. */
    public enum MemorySource {
        /** It is not. */
        UNKNOWN,
        /** Somebody said. */
        GIVEN,
        /** A request failed in the recording: what the allocator had then, and what the device had free. */
        FAILED_REQUEST
    }

    /**
     * The reliability of the allocator model: how well its replay under the recorded settings matches the recording.
     *
     * @param recordedDriverEvents calls to the driver in the recording: segments and pages that came and went
     * @param predictedDriverEvents those of the replay
     * @param matchingDriverEvents those that are the same, at the same place between the requests, with the same size
     * @param recordedPeakReservedBytes the most that was reserved in the recording
     */
    public record Credibility(
            int recordedDriverEvents,
            int predictedDriverEvents,
            int matchingDriverEvents,
            long recordedPeakReservedBytes) {
        private static final double RELIABLE = 0.95;

        /** The share of either that is in both; 1 where there is nothing to tell. */
        @Json.Property("share")
        public double share() {
            int all = recordedDriverEvents + predictedDriverEvents - matchingDriverEvents;
            return all == 0 ? 1 : (double) matchingDriverEvents / all;
        }

        /** Returns whether the model may say what happens under other settings: with one driver event in twenty wrong, the layout in the end is another one. */
        public boolean isReliable() {
            return share() >= RELIABLE;
        }
    }

    /**
     * The result of a replay under one setting.
     *
     * @param settings as PYTORCH_CUDA_ALLOC_CONF has them, empty for the defaults
     * @param peakReservedBytes the most that was taken from the driver
     * @param peakBytes the most that live blocks held
     * @param driverCalls how often memory was asked of the driver, by cudaMalloc or by mapping pages
     * @param releases how often memory went back to it
     * @param retries how often it refused, and the cache was given back to ask again
     * @param leastBytes memory of the device that was enough when the limit was lowered, 0 where that was not tried
     * @param failure the first request that failed, null where none did
     */
    public record Trial(
            String settings,
            long peakReservedBytes,
            long peakBytes,
            long driverCalls,
            long releases,
            long retries,
            @Json.Serializer(UnknownIfZero.class) long leastBytes,
            @Nullable Failure failure) {
        /** A copy for settings under which the same happens. */
        public Trial withSettings(String others) {
            return new Trial(others, peakReservedBytes, peakBytes, driverCalls, releases, retries, leastBytes, failure);
        }

        /** A copy with another failure. */
        public Trial withFailure(Failure other) {
            return new Trial(settings, peakReservedBytes, peakBytes, driverCalls, releases, retries, leastBytes, other);
        }

        /** A copy that tells how little memory was enough. */
        public Trial withLeast(long bytes) {
            return new Trial(settings, peakReservedBytes, peakBytes, driverCalls, releases, retries, bytes, failure);
        }
    }

    /**
     * A request that failed in a replay.
     *
     * @param event the event of the recording that asked
     * @param requestedBytes the bytes that it requested
     * @param site the line that asked, null where the recording has no stacks
     * @param wasRecorded whether it failed in the recording too
     */
    public record Failure(
            int event,
            long requestedBytes,
            @Nullable Site site,
            @Json.Property("recorded") boolean wasRecorded) {
        /** A copy with the line that asked. */
        public Failure at(Site place) {
            return new Failure(event, requestedBytes, place, wasRecorded);
        }
    }

    /**
     * A setting to use.
     *
     * @param settings as PYTORCH_CUDA_ALLOC_CONF has them
     * @param savedBytes how much less is reserved at the peak than under the recorded settings
     */
    public record Recommendation(String settings, long savedBytes) {}
}
