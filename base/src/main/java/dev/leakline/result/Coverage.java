package dev.leakline.result;

import java.util.Map;

/**
 * The scope of a recording: what it can show, and what is missing from it.
 *
 * @param events events of the device
 * @param isTrace whether a profiler recorded it: sizes are what the allocator held, not what was requested, and a frame's line is the one
 *     at which its function begins
 * @param hasTimes whether events have times (torch 2.2 and later)
 * @param isResorted whether events had to be put in order
 * @param ring whether the buffer overflowed and lost the beginning
 * @param unknownFrees frees of what was allocated before the recording, or was overwritten
 * @param unknownFreeBytes the bytes requested for those
 * @param olderLiveBlocks allocations from before the recording that live on at its end
 * @param olderLiveBytes the bytes held by those
 * @param lostFrees allocations whose free must be missing, because their address was used again
 * @param liveWithoutBlock allocations never freed that the final state does not have
 * @param unsizedAllocations allocations that count as 0 bytes, because the file has no size for them that memory can have
 * @param endMismatchBytes live bytes after the last event, less those in the final state's active blocks; 0 where all is well
 * @param unseenReleaseBytes reserved bytes that must have gone back to the driver without an event that says so; 0 where all is well
 * @param explainedShare of the bytes live at the peak, the share whose site is a line of code
 * @param unused what in the file could not be used, by name
 */
public record Coverage(
        int events,
        boolean isTrace,
        boolean hasTimes,
        boolean isResorted,
        Ring ring,
        int unknownFrees,
        long unknownFreeBytes,
        int olderLiveBlocks,
        long olderLiveBytes,
        int lostFrees,
        int liveWithoutBlock,
        int unsizedAllocations,
        long endMismatchBytes,
        long unseenReleaseBytes,
        double explainedShare,
        Map<String, Long> unused) {
    /** States of the recording's ring buffer; inferred, since files do not say. */
    public enum Ring {
        /** It holds the whole recording. */
        WHOLE,
        /** It overflowed: a block's stack was recorded and its event is gone; or probably, as the number of events is a round one. */
        WRAPPED,
        /** It holds a single event or none: history was not recorded. */
        EMPTY
    }
}
