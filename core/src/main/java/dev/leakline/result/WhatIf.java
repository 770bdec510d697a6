package dev.leakline.result;

import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What recorded jobs would have taken under other settings of PyTorch's caching allocator: each of them replayed.
 *
 * @param toolVersion the version that replayed them
 * @param inputs the recordings
 * @param devices what was replayed, input by input, in order of the devices' numbers
 */
public record WhatIf(String toolVersion, List<InputFile> inputs, List<Device> devices) {
    /**
     * One device of one recording.
     *
     * @param input the index of the input
     * @param device the ordinal within the process
     * @param memory what this process could take of the device, 0 where nobody said, and replays have no limit
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
            long memory,
            MemorySource memorySource,
            boolean isFromStart,
            Credibility credibility,
            Outcome recorded,
            List<Outcome> others,
            @Nullable Recommendation recommendation,
            String reason) {
        /** The same with each outcome changed. */
        public Device withOutcomes(UnaryOperator<Outcome> change) {
            return new Device(
                    input,
                    device,
                    memory,
                    memorySource,
                    isFromStart,
                    credibility,
                    change.apply(recorded),
                    others.stream().map(change).toList(),
                    recommendation,
                    reason);
        }
    }

    /** How it is known what a process could take of a device. */
    public enum MemorySource {
        /** It is not. */
        UNKNOWN,
        /** Somebody said. */
        GIVEN,
        /** A request failed in the recording: what the allocator had then, and what the device had free. */
        FAILED_REQUEST
    }

    /**
     * How well the model of the allocator tells what the real one did: its replay under the recorded settings, held against the recording.
     *
     * @param recorded calls to the driver in the recording: segments and pages that came and went
     * @param predicted those of the replay
     * @param matching those that are the same, at the same place between the requests, with the same size
     * @param recordedPeakBytes the most that was reserved in the recording
     */
    public record Credibility(int recorded, int predicted, int matching, long recordedPeakBytes) {
        /** The share of either that is in both; 1 where there is nothing to tell. */
        public double share() {
            int all = recorded + predicted - matching;
            return all == 0 ? 1 : (double) matching / all;
        }
    }

    /**
     * How a job went under one setting.
     *
     * @param settings as PYTORCH_CUDA_ALLOC_CONF has them, empty for the defaults
     * @param peakReservedBytes the most that was taken from the driver
     * @param peakHeldBytes the most that live blocks held
     * @param driverCalls how often memory was asked of the driver, by cudaMalloc or by mapping pages
     * @param releases how often memory went back to it
     * @param retries how often it refused, and the cache was given back to ask again
     * @param failure the first request that failed, null where none did
     */
    public record Outcome(
            String settings,
            long peakReservedBytes,
            long peakHeldBytes,
            long driverCalls,
            long releases,
            long retries,
            @Nullable Failure failure) {
        /** The same with another failure. */
        public Outcome withFailure(Failure other) {
            return new Outcome(settings, peakReservedBytes, peakHeldBytes, driverCalls, releases, retries, other);
        }
    }

    /**
     * A request that failed in a replay.
     *
     * @param event the event of the recording that asked
     * @param requestedBytes what it asked for
     * @param site the line that asked, null where the recording has no stacks
     * @param wasRecorded whether it failed in the recording too
     */
    public record Failure(
            int event, long requestedBytes, @Nullable Site site, boolean wasRecorded) {
        /** The same with the line that asked. */
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
