package dev.leakline.result;

import dev.leakline.result.DeviceResult.FailedRequest;
import dev.leakline.result.Peak.Category;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A recording of one device in full, for the viewers of profiles and traces: bytes by stack, memory over time, steps,
 * each allocation.
 *
 * @param device its ordinal, -1 for the host's memory
 * @param name what people call it
 * @param stacks all stacks that allocated, the most bytes at the peak first
 * @param curve live and reserved bytes over time, thinned to the highest of each stretch
 * @param steps what repeats, in order
 * @param failures requests that could not be met, in order
 * @param hasTimes whether times are Unix microseconds; else they are numbers of events
 * @param allocations all allocations in the order in which they became known, each made when it is read
 * @param frames the frames of a stack by its number, innermost first
 */
public record RecordedProfile(
        int device,
        String name,
        List<StackTotals> stacks,
        List<Moment> curve,
        List<Span> steps,
        List<FailedRequest> failures,
        boolean hasTimes,
        Iterable<Allocation> allocations,
        IntFunction<List<Frame>> frames) {
    /**
     * The memory of a stack. Bytes are held by the allocator.
     *
     * @param frames innermost first; one that says why where the recording has none
     * @param peak live at the peak
     * @param end live after the last event
     * @param allocated all that was allocated while the recording ran, freed or not
     */
    public record StackTotals(List<Frame> frames, Amount peak, Amount end, Amount allocated) {}

    /** Bytes, and in how many blocks. */
    public record Amount(long bytes, long blocks) {
        /** Nothing. */
        public static final Amount NONE = new Amount(0, 0);

        /** With one more block. */
        public Amount plus(long more) {
            return new Amount(bytes + more, blocks + 1);
        }
    }

    /** Bytes live and reserved at a time. */
    public record Moment(long time, long bytes, long reservedBytes) {}

    /** From a time to another, which is not part of it. */
    public record Span(String name, long from, long to) {}

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
     * @param isLiveAtPeak whether it was live at the peak
     * @param category what it is probably for; only of what was live at the peak
     * @param site the line that is responsible
     * @param stack the number of the stack that tells most about it, see {@link RecordedProfile#frames}: its own, or that of its backward call; null where
     *     nobody recorded one
     */
    public record Allocation(
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
}
