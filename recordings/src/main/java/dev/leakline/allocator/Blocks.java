package dev.leakline.allocator;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * All blocks of a device in columns; a block is a row, its handle the row's number. Rows of blocks that are gone are used again.
 *
 * <p>Blocks of a segment are chained in order of addresses. A block that is split keeps its handle for the lower part, and so does
 * one that swallows its right neighbour.
 */
final class Blocks {
    /** No block. */
    static final int NONE = -1;

    /** Cached: in the free set of its stream. */
    static final byte FREE = 0;
    /** Addresses of an expandable segment without memory behind them. */
    static final byte UNMAPPED = 1;
    /** Handed out. */
    static final byte ALLOCATED = 2;
    /** Let go by the program, still used by other streams. */
    static final byte PENDING = 3;

    private static final byte GONE = 4;

    private long[] addresses = new long[64];
    private long[] sizes = new long[64];
    private long[] requested = new long[64];
    private long[] marks = new long[64];
    private int[] previous = new int[64];
    private int[] next = new int[64];
    private byte[] states = new byte[64];
    private @Nullable Segment[] segments = new Segment[64];
    private int rows;
    private int firstGone = NONE;

    /** A block that is a whole segment, free but in no set yet. */
    int create(Segment segment, long address, long size) {
        return create(segment, address, size, NONE, NONE);
    }

    /** Cuts a block after {@code lower} bytes; answers the upper part, which has the same state and is in no set yet. */
    int split(int block, long lower) {
        int after = next[block];
        int upper = create(segment(block), addresses[block] + lower, sizes[block] - lower, block, after);
        states[upper] = states[block];
        sizes[block] = lower;
        next[block] = upper;
        if (after != NONE) {
            previous[after] = upper;
        }
        return upper;
    }

    /** Makes a block and its right neighbour one, which keeps {@code block}'s handle; the neighbour is gone. */
    void swallowNext(int block) {
        int swallowed = next[block];
        int after = next[swallowed];
        sizes[block] += sizes[swallowed];
        next[block] = after;
        if (after != NONE) {
            previous[after] = block;
        }
        remove(swallowed);
    }

    /** Forgets a block; its handle will be used again. */
    void remove(int block) {
        states[block] = GONE;
        segments[block] = null;
        next[block] = firstGone;
        firstGone = block;
    }

    private int create(Segment segment, long address, long size, int before, int after) {
        int block = row();
        addresses[block] = address;
        sizes[block] = size;
        requested[block] = 0;
        previous[block] = before;
        next[block] = after;
        states[block] = FREE;
        segments[block] = segment;
        return block;
    }

    private int row() {
        if (firstGone != NONE) {
            int block = firstGone;
            firstGone = next[block];
            return block;
        }
        if (rows == sizes.length) {
            grow(rows * 2);
        }
        return rows++;
    }

    private void grow(int length) {
        addresses = Arrays.copyOf(addresses, length);
        sizes = Arrays.copyOf(sizes, length);
        requested = Arrays.copyOf(requested, length);
        marks = Arrays.copyOf(marks, length);
        previous = Arrays.copyOf(previous, length);
        next = Arrays.copyOf(next, length);
        states = Arrays.copyOf(states, length);
        segments = Arrays.copyOf(segments, length);
    }

    long address(int block) {
        return addresses[block];
    }

    /** The first address behind a block. */
    long end(int block) {
        return addresses[block] + sizes[block];
    }

    long size(int block) {
        return sizes[block];
    }

    /** The requested bytes. */
    long requested(int block) {
        return requested[block];
    }

    void requested(int block, long bytes) {
        requested[block] = bytes;
    }

    /** How many searches its pool had seen when a free block became free. */
    long mark(int block) {
        return marks[block];
    }

    void mark(int block, long searches) {
        marks[block] = searches;
    }

    int previous(int block) {
        return previous[block];
    }

    int next(int block) {
        return next[block];
    }

    /** Returns whether a block is less than its whole segment. */
    boolean isSplit(int block) {
        return (previous[block] & next[block]) != NONE;
    }

    /** Returns whether there is a block of this handle and it is in the given state. */
    boolean is(int block, byte state) {
        return block >= 0 && block < rows && states[block] == state;
    }

    /** Returns whether there is a block of this handle and it is part of a segment. */
    boolean isIn(int block, Segment segment) {
        return block >= 0 && block < rows && segments[block] == segment;
    }

    void state(int block, byte state) {
        states[block] = state;
    }

    byte state(int block) {
        return states[block];
    }

    /** The segment of a block that is not gone. */
    @SuppressWarnings("NullAway") // only blocks that are gone have none
    Segment segment(int block) {
        return segments[block];
    }

    /** The age of the segment of a block that is not gone. */
    int age(int block) {
        return segment(block).age;
    }

    /** The stream and pool of a block that is not gone. */
    StreamBlocks home(int block) {
        return segment(block).home;
    }
}
