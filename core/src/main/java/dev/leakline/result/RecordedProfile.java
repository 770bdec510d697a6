package dev.leakline.result;

import dev.leakline.result.DeviceResult.FailedRequest;
import java.util.List;
import java.util.function.IntFunction;

/**
 * What a recording says of one device in full, for the viewers of profiles and traces: bytes by stack, memory over time, steps,
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
        Iterable<RecordedAllocation> allocations,
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

    /** What was live and reserved at a time. */
    public record Moment(long time, long bytes, long reservedBytes) {}

    /** From a time to another, which is not part of it. */
    public record Span(String name, long from, long to) {}
}
