package dev.leakline.known;

import static dev.leakline.text.ByteSize.KIB;
import static dev.leakline.text.ByteSize.MIB;

/** The allocator's sizes, all in bytes. Source: the constants at the head of {@code CUDACachingAllocator.cpp}, the same from 1.13 to 2.14. */
public final class SizeRules {
    /** Every block's size is a multiple of it ({@code kMinBlockSize}). */
    public static final long SMALLEST_BLOCK = KIB / 2;
    /** The largest rounded request that the small half of a pool serves ({@code kSmallSize}). */
    public static final long LARGEST_SMALL = MIB;
    /** Segments of the small half, and their pages where they expand ({@code kSmallBuffer}). */
    public static final long SMALL_SEGMENT = 2 * MIB;
    /** From here on a segment is as large as its request, rounded ({@code kMinLargeAlloc}). */
    public static final long SMALLEST_EXACT = 10 * MIB;
    /** The rounding of such a segment's size ({@code kRoundLarge}). */
    public static final long SEGMENT_STEP = 2 * MIB;
    /** Requests from here on are refused without a search: sizes that a negative number makes ({@code kLargestAllocation}). */
    private static final long UNREASONABLE = 1L << 60;

    /** Segments for requests in between, where the settings do not say otherwise ({@code kLargeBuffer}). */
    public static final long LARGE_SEGMENT = 20 * MIB;

    private SizeRules() {}

    /** Returns whether a request is so large, or negative, that it is refused at once. */
    public static boolean isUnreasonable(long requested) {
        return Long.compareUnsigned(requested, UNREASONABLE) >= 0;
    }

    /** Returns whether the small half of a pool serves a rounded request. */
    public static boolean isSmall(long rounded) {
        return rounded <= LARGEST_SMALL;
    }

    /** The segment size under default settings, also for a request that is not rounded. */
    public static long segmentSize(long request) {
        return segmentSize(request, LARGE_SEGMENT);
    }

    /** The segment requested from cudaMalloc when no free block fits a rounded request ({@code get_allocation_size}). */
    public static long segmentSize(long rounded, long largeSegment) {
        if (isSmall(rounded)) {
            return SMALL_SEGMENT;
        }
        return rounded < SMALLEST_EXACT ? largeSegment : roundUp(rounded, SEGMENT_STEP);
    }

    /** The smallest multiple of a step that is not smaller. */
    public static long roundUp(long size, long step) {
        return (size + step - 1) / step * step;
    }
}
