package dev.leakline.result;

import dev.leakline.result.Peak.Category;
import org.jspecify.annotations.Nullable;

/**
 * An allocation of a recording. Events are numbered by device; what is not known is null.
 *
 * @param address where it lies; unsigned
 * @param bytes held by the allocator
 * @param requestedBytes requested by the program; null in traces of a profiler
 * @param born the event that made it, null where that was before the recording
 * @param freed the event after which its memory was free again, null where the recording ends before
 * @param bornTimeUs when it was made, in Unix microseconds
 * @param freedTimeUs when its memory was free again
 * @param step the step that made it, null outside of steps
 * @param stream the raw handle of the stream; 0 is the default stream
 * @param isLiveAtPeak whether it was live when most was
 * @param category what it is probably for; only of what was live at the peak
 * @param site the line that is responsible
 * @param stack the number of the stack that tells most about it, see {@link RecordedProfile#frames}: its own, or that of its backward call; null where
 *     nobody recorded one
 */
public record RecordedAllocation(
        long address,
        long bytes,
        @Nullable Long requestedBytes,
        @Nullable Integer born,
        @Nullable Integer freed,
        @Nullable Long bornTimeUs,
        @Nullable Long freedTimeUs,
        @Nullable Integer step,
        @Nullable Long stream,
        boolean isLiveAtPeak,
        @Nullable Category category,
        Site site,
        @Nullable Integer stack) {}
