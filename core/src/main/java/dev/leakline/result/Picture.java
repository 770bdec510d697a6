package dev.leakline.result;

import dev.leakline.primitive.Ints;
import dev.leakline.primitive.Longs;
import java.util.List;
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
 * @param frames the frames that stacks and trees are made of
 * @param stacks numbers of frames, innermost first
 * @param sites who held most at some moment, the one with the highest maximum first; all others are the last
 * @param levels how memory went, coarsest first; each level has about four times the buckets of the one before
 * @param allocations those that hold most for longest, in the order of their birth
 * @param steps the event that begins each step, and the end of the last; empty where there are none
 * @param annotations record_function ranges, the longest ones, in the order of their beginning
 * @param peak what was live at the peak, by call
 * @param end what is live at the end, by call
 * @param growth what was born within the recording, outlived its step and is live at the end, by call
 * @param segments the final state, by address
 * @param omitted segments that were left out, the smallest ones
 * @param deviceBytes the memory of the device, 0 where nobody said
 */
public record Picture(
        int input,
        int device,
        int events,
        long startMicros,
        long endMicros,
        List<Frame> frames,
        List<Ints> stacks,
        List<Owner> sites,
        List<Level> levels,
        Allocations allocations,
        Ints steps,
        List<Range> annotations,
        Tree peak,
        Tree end,
        Tree growth,
        List<Segment> segments,
        int omitted,
        long deviceBytes) {
    /** Who memory belongs to; {@code site} is null for all that are not named, {@code stack} one of those that led there, as frames. */
    public record Owner(@Nullable Site site, Ints stack) {}

    /**
     * How memory went, cut into buckets of events. The moment before the first event belongs to the first bucket.
     *
     * @param firstEvents the event that begins each bucket, and the number of events
     * @param micros the time of those since the first event of the recording; the last is that of the last event; null without times
     * @param live the most that was live in each bucket
     * @param least the least that was
     * @param reserved the most that was reserved
     * @param bySite of each site what it held when the bucket's most was live, so that they add up to {@code live}
     */
    public record Level(
            Ints firstEvents, @Nullable Longs micros, Longs live, Longs least, Longs reserved, List<Longs> bySite) {}

    /** Allocations, one row each: birth, -1 for before; death, {@link Integer#MAX_VALUE} for never; bytes, site, stack. */
    public record Allocations(Ints born, Ints died, Longs bytes, Ints sites, Ints stacks) {}

    /** A record_function range, by the events that happened in it. */
    public record Range(String name, int from, int to) {}

    /** Bytes by call: node 0 is all of them, parents stand before their children. What is too small is in the parent's bytes only. */
    public record Tree(Ints frames, Ints parents, Longs bytes, Ints blocks, Ints kinds) {}

    /** Whose code a frame of a tree is; its place here is its number in {@link Tree#kinds}. */
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
        OTHER
    }

    /**
     * Memory from the driver.
     *
     * @param pool the name of its private pool, null for the default one
     * @param stream the raw handle of the stream that it serves
     */
    public record Segment(
            long address,
            long bytes,
            boolean isLarge,
            boolean isExpandable,
            @Nullable String pool,
            long stream,
            Blocks blocks) {}

    /** The blocks of a segment, in the order of their addresses: state 0 is free, 1 live, 2 waiting for streams. */
    public record Blocks(Longs offsets, Longs bytes, Ints states, Ints sites, Ints stacks) {}
}
