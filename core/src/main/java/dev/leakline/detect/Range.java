package dev.leakline.detect;

import dev.leakline.result.PrintedSize;
import org.jspecify.annotations.Nullable;

/**
 * The bytes that a printed size, or a sum of such, may stand for. What follows from rounded sizes is computed with both ends, so that
 * nothing is concluded which the rounding alone may have made.
 *
 * @param least the smallest
 * @param most the largest
 */
record Range(long least, long most) {
    static @Nullable Range of(@Nullable PrintedSize size) {
        return size == null ? null : new Range(size.least(), size.most());
    }

    Range plus(Range other) {
        return new Range(sum(least, other.least), sum(most, other.most));
    }

    /** Sizes in a file may be anything; sums of sizes that no device has end at the largest number. */
    private static long sum(long first, long second) {
        long sum = first + second;
        return sum < 0 ? Long.MAX_VALUE : sum;
    }

    Range minus(Range other) {
        return new Range(least - other.most, most - other.least);
    }

    /** The part that is a size: none is below 0. */
    Range positive() {
        return new Range(Math.max(least, 0), Math.max(most, 0));
    }

    /** Whether this is at least the other, whatever was rounded away. */
    boolean isSurelyAtLeast(Range other) {
        return least >= other.most;
    }

    /** Whether this may be at least the other. */
    boolean mayBeAtLeast(Range other) {
        return most >= other.least;
    }
}
