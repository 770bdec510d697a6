package dev.leakline.oom;

import dev.leakline.result.PrintedSize;
import org.jspecify.annotations.Nullable;

/**
 * The bytes that a printed size, or a sum of such, may stand for. What follows from rounded sizes is computed with both ends, so that
 * nothing is concluded which the rounding alone may have made.
 *
 * @param least the smallest
 * @param most the largest
 */
record Bounds(long least, long most) {
    static @Nullable Bounds of(@Nullable PrintedSize size) {
        return size == null ? null : new Bounds(size.least(), size.most());
    }

    Bounds plus(Bounds other) {
        return new Bounds(sum(least, other.least), sum(most, other.most));
    }

    /** Sizes in a file may be anything; sums of sizes that no device has end at the largest number. */
    private static long sum(long first, long second) {
        long sum = first + second;
        return sum < 0 ? Long.MAX_VALUE : sum;
    }

    Bounds minus(Bounds other) {
        return new Bounds(least - other.most, most - other.least);
    }

    /** The part that is a size: none is below 0. */
    Bounds positive() {
        return new Bounds(Math.max(least, 0), Math.max(most, 0));
    }

    /** Returns whether this is at least the other, whatever was rounded away. */
    boolean isSurelyAtLeast(Bounds other) {
        return least >= other.most;
    }

    /** Returns whether this may be at least the other. */
    boolean mayBeAtLeast(Bounds other) {
        return most >= other.least;
    }
}
