package dev.leakline.functions;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.columns.ProfiledCall;
import java.util.function.IntToLongFunction;

/**
 * The rounds of a function: each from one of its calls to the next, with all that happens in between. Of a loop, whatever functions it calls,
 * each is one iteration.
 *
 * <p>What is allocated swings within a round and comes back; so a round stands for the least that was allocated in it, its floor. Where the
 * last round ends like those before, what is allocated at its end is one more point of the floor.
 */
final class Rounds {
    /** Calls that make what comes after a loop something of its own; a single one may well save the results. */
    private static final int FOLLOWERS = 3;

    private final CallTimeline timeline;
    private final String function;
    private final IntArrayList starts;
    private final long[] floor;

    Rounds(CallTimeline timeline, LowestValues lows, String function) {
        this.timeline = timeline;
        this.function = function;
        this.starts = timeline.starts().getOrDefault(function, new IntArrayList());
        int count = starts.size();
        floor = new long[count + (isWhole() ? 1 : 0)];
        for (int i = 0; i < count; i++) {
            int end = i + 1 < count ? starts.get(i + 1) : timeline.size();
            floor[i] = lows.between(starts.get(i), end);
        }
        if (isWhole()) {
            floor[count] = timeline.level(timeline.size() - 1);
        }
    }

    /** Returns whether the last round ends with the function that the one before ended with. */
    private boolean isWhole() {
        int count = starts.size();
        return count > 1 && timeline.functionBefore(starts.get(count - 1)).equals(timeline.lastFunction());
    }

    String function() {
        return function;
    }

    /** How many rounds there are. */
    int count() {
        return starts.size();
    }

    /** The least that was allocated in each round; see above for one more. */
    long[] floor() {
        return floor.clone();
    }

    /** The sample at which a point of the floor begins. */
    int sample(int point) {
        return point < starts.size() ? starts.get(point) : timeline.size() - 1;
    }

    double time(int point) {
        return timeline.time(sample(point));
    }

    /**
     * Returns whether the function only builds something up: it is called without anything else in between, its calls take little beside what
     * they keep, and what is then done is something else. A loop that loads a model grows as regularly as a leak.
     */
    boolean isBuildUp() {
        int first = starts.get(0);
        int last = starts.get(starts.size() - 1);
        boolean isFollowed = timeline.size() >= last + 2 + 2 * FOLLOWERS;
        boolean isAlone = last - first == 2 * (starts.size() - 1);
        return isFollowed && isAlone && timeline.calls().stream().allMatch(this::isLoading);
    }

    /** Calls of other functions say nothing; what is loaded may be converted on the way, so that there are two of it. */
    private boolean isLoading(ProfiledCall call) {
        long kept = call.difference();
        return !call.function().equals(function)
                || call.peak().allocated() - call.before().allocated() <= 2 * kept;
    }

    /** The lowest of any stretch of a series: a tree of minima, each of the two below it. */
    static final class LowestValues {
        private final long[] tree;
        private final int size;

        LowestValues(int size, IntToLongFunction series) {
            this.size = size;
            this.tree = new long[2 * size];
            for (int i = 0; i < size; i++) {
                tree[size + i] = series.applyAsLong(i);
            }
            for (int i = size - 1; i > 0; i--) {
                tree[i] = Math.min(tree[2 * i], tree[2 * i + 1]);
            }
        }

        /** The lowest from one place to before another. */
        long between(int from, int to) {
            long lowest = Long.MAX_VALUE;
            int left = from + size;
            int right = to + size;
            while (left < right) {
                if (left % 2 == 1) {
                    lowest = Math.min(lowest, tree[left++]);
                }
                if (right % 2 == 1) {
                    lowest = Math.min(lowest, tree[--right]);
                }
                left /= 2;
                right /= 2;
            }
            return lowest;
        }
    }
}
