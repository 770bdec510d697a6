package dev.leakline.result;

import dev.leakline.primitive.Ints;
import dev.leakline.primitive.Longs;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One device of one input as a page draws it: how memory went, whose it was, what is left. All of it is thinned to what a screen can
 * show; sizes are bytes held by the allocator. Frames, stacks and sites are numbers, counted from 0 in their lists; -1 stands for none.
 *
 * @param input the index of the input
 * @param device the ordinal within the process, -1 for the host's pinned memory
 * @param events events of its trace
 * @param startMicros time of the first event, Unix microseconds; 0 where the recording has no times
 * @param endMicros time of the last one
 * @param frames the frames that calls are made of
 * @param sites who held most at some moment, the one with the highest maximum first; all others are the last
 * @param clock when events were
 * @param levels how memory went, coarsest first; each level has about four times the buckets of the one before
 * @param calls the calls that made the allocations
 * @param allocations those that live at any of the moments, in the order of their birth; the largest where they are too many
 * @param moments when everything that was there is known
 * @param steps the event that begins each step, and the end of the last; empty where there are none
 * @param annotations record_function ranges, the longest ones, in the order of their beginning
 * @param segments memory from the driver that was there at any of the moments, by address
 * @param omittedAllocations allocations of the recording that are not among these
 * @param omittedSegments segments that were left out, the smallest ones
 * @param deviceBytes the memory of the device, 0 where nobody said
 * @param stretches what lived at none of the moments, in the order of what a page should have first; none where nothing did, or nobody asked
 */
public record Picture(
        int input,
        int device,
        int events,
        long startMicros,
        long endMicros,
        List<Frame> frames,
        List<Owner> sites,
        Clock clock,
        List<Level> levels,
        Calls calls,
        Allocations allocations,
        Moments moments,
        Ints steps,
        List<Range> annotations,
        List<Segment> segments,
        int omittedAllocations,
        int omittedSegments,
        long deviceBytes,
        List<Stretch> stretches) {
    /**
     * The finding or use that memory belongs to. What a line allocates is of two owners where a finding is about a part of it.
     *
     * @param site the line, null for all that are not named
     * @param stack one of the stacks that led there, as frames, innermost first
     * @param part the finding of growth that this memory is a part of, null for what belongs to none
     */
    public record Owner(
            @Nullable Site site, Ints stack, @Nullable Part part) {}

    /** Memory that a finding of growth is about, by the finding's kind and site. */
    public record Part(Finding.Kind kind, Site site) {}

    /**
     * The times of the events that a page can point at: the moments, where the finest level's buckets begin, and where each is highest. Empty where
     * the recording has no times.
     *
     * @param events ascending
     * @param micros since the first event of the recording
     */
    public record Clock(Ints events, Longs micros) {}

    /**
     * How memory went, cut into buckets of events. The moment before the first event belongs to the first bucket.
     *
     * @param firstEvents the event that begins each bucket, and the number of events
     * @param highest the event of each bucket after which most was live, the first of several; -1 for before the first
     * @param live the most that was live in each bucket, which is what was live after {@code highest}
     * @param least the least that was
     * @param reserved the most that was reserved
     * @param bySite of each site what it held when the bucket's most was live, so that they add up to {@code live}
     */
    public record Level(Ints firstEvents, Ints highest, Longs live, Longs least, Longs reserved, List<Longs> bySite) {}

    /**
     * Allocations, one row each.
     *
     * @param born the event of its birth, -1 for before
     * @param died the event at which its memory was free again, {@link Integer#MAX_VALUE} for never
     * @param released the event from which on it only waits for other streams, {@link Integer#MAX_VALUE} where it never did
     * @param addresses where it lies, unsigned
     * @param calls the node of {@link Calls} that made it
     */
    public record Allocations(
            Ints born, Ints died, Ints released, Longs bytes, Longs addresses, Ints sites, Ints calls) {}

    /**
     * When all that was there is known. Empty where that is after every event, and before the first.
     *
     * @param events the events after which that is, ascending; -1 is before the first
     * @param live bytes that were live, those of allocations that were left out too
     * @param reserved bytes of all segments
     */
    public record Moments(Ints events, Longs live, Longs reserved) {}

    /**
     * Events from one until another, with the allocations that lived, or were freed, at some of them and at none of the moments. They are made when they are
     * read: all of them are as many as the recording has.
     *
     * @param from a multiple of the length that all stretches have but the last
     * @param to the event after the last
     */
    public record Stretch(int from, int to, Supplier<Allocations> allocations) {}

    /** A record_function range, by the events that happened in it. */
    public record Range(String name, int from, int to) {}

    /** A tree of calls: node 0 is the root, without a frame; parents stand before their children; kinds are {@link CodeKind}s. */
    public record Calls(Ints frames, Ints parents, Ints kinds) {}

    /** Kinds of code of a call's frame; the ordinal is the number in {@link Calls#kinds}. */
    public enum CodeKind {
        /** The user's own. */
        USER,
        /** An installed package's. */
        PACKAGE,
        /** PyTorch's. */
        TORCH,
        /** The standard library's. */
        PYTHON,
        /** C and C++. */
        NATIVE,
        /** No frame at all, but what is known instead of one. */
        OTHER,
        /** Whatever only carries every call on: the interpreter, the dispatcher, the call of a module. */
        DISPATCH
    }

    /**
     * Memory from the driver; of expandable segments a part that came and went at once.
     *
     * @param born the event that brought it, -1 for before
     * @param died the event that took it back, {@link Integer#MAX_VALUE} for never
     * @param pool the name of its private pool, null for the default one
     * @param stream the raw handle of the stream that it serves
     */
    public record Segment(
            long address,
            long bytes,
            int born,
            int died,
            boolean isLarge,
            boolean isExpandable,
            @Nullable String pool,
            long stream) {}
}
