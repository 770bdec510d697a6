package dev.leakline.read.trace;

import dev.leakline.source.ReadException;
import dev.leakline.source.ReadException.Code;
import java.util.Arrays;

/**
 * The ranges that are open in one thread at a time that only moves forward, outermost first.
 *
 * <p>Calls lie within each other, but the ranges that a program marks do not: one begins within the call of its {@code __enter__} and
 * goes on when that has returned. So a range may end while some that began later are open; it is taken out from among them, and what
 * was known of the way through it is forgotten.
 */
final class OpenRanges {
    private final TraceRanges ranges;
    private final CallNodes nodes;
    private final TraceLimits limits;
    private int[] open = new int[16];
    private int[] ways = new int[16];
    /** The earliest end of a range and all that it lies in. */
    private long[] earliest = new long[16];

    private int depth;
    /** How many of the ways are known. */
    private int known;

    OpenRanges(TraceRanges ranges, CallNodes nodes, TraceLimits limits) {
        this.ranges = ranges;
        this.nodes = nodes;
        this.limits = limits;
    }

    /** Opens a range, which begins now. */
    void add(int range) throws ReadException {
        long start = ranges.start(range);
        close(start);
        if (depth >= limits.depth()) {
            throw new ReadException(Code.LIMIT, -1, "a thread with more than " + limits.depth() + " nested calls");
        }
        while (depth > 0 && ranges.end(open[depth - 1]) == start && ranges.end(range) > start) {
            depth--; // ends where the next begins
        }
        push(range);
    }

    private void push(int range) {
        if (depth == open.length) {
            open = Arrays.copyOf(open, depth * 2);
            ways = Arrays.copyOf(ways, depth * 2);
            earliest = Arrays.copyOf(earliest, depth * 2);
        }
        known = Math.min(known, depth);
        open[depth] = range;
        long end = ranges.end(range);
        earliest[depth] = depth == 0 ? end : Math.min(earliest[depth - 1], end);
        depth++;
    }

    private void close(long time) {
        while (depth > 0 && ranges.end(open[depth - 1]) < time) {
            depth--;
        }
        if (depth > 0 && earliest[depth - 1] < time) {
            closeWithin(time);
        }
    }

    private void closeWithin(long time) {
        int all = depth;
        depth = 0;
        while (earliest[depth] >= time) {
            depth++;
        }
        for (int level = depth + 1; level < all; level++) {
            if (ranges.end(open[level]) >= time) {
                push(open[level]);
            }
        }
    }

    /** The way to the innermost range that is open at a time, as a node of the calls; {@link CallNodes#TOP} where none is. */
    int way(long time) {
        close(time);
        for (known = Math.min(known, depth); known < depth; known++) {
            ways[known] = way(wayAbove(known), open[known]);
        }
        return wayAbove(depth);
    }

    /** The way to the range that the one at a level lies in; after {@link #way(long)}. */
    int wayAbove(int level) {
        return level == 0 ? CallNodes.TOP : ways[level - 1];
    }

    private int way(int outer, int range) {
        int callers = outer == CallNodes.TOP ? ranges.callers(range) : CallNodes.TOP;
        return nodes.child(callers == CallNodes.TOP ? outer : callers, ranges.frame(range));
    }

    /** Ranges that are open at the last time queried or at the last range opened. */
    int depth() {
        return depth;
    }

    /** An open range; 0 is the outermost. */
    int range(int level) {
        return open[level];
    }
}
