package dev.leakline.detect.growth;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.cursors.IntCursor;
import dev.leakline.evidence.Evidence;
import dev.leakline.statistics.Ratchet;

/**
 * Tells a collection that is full from one that grows: it takes new blocks for old ones, and since it last rose it has replaced all that it
 * held. What made it rise before were larger entries, such as those of longer inputs, and not more of them.
 */
final class Turnover {
    private final Evidence evidence;

    Turnover(Evidence evidence) {
        this.evidence = evidence;
    }

    /** Whether all that was there at the last rise was replaced since, without another rise. */
    boolean explains(IntArrayList survivors, Ratchet test) {
        return test.hasPaused()
                && live(survivors, test.lastStep()) > 0
                && oldest(survivors, test.end()) > test.lastStep();
    }

    private int live(IntArrayList survivors, int step) {
        int live = 0;
        for (IntCursor survivor : survivors) {
            live += isLive(survivor.value, step) ? 1 : 0;
        }
        return live;
    }

    /** The first step of the oldest block that is live at a step; 0 where none is. */
    private int oldest(IntArrayList survivors, int step) {
        int oldest = Integer.MAX_VALUE;
        for (IntCursor survivor : survivors) {
            int first = evidence.survivors().first(survivor.value);
            oldest = isLive(survivor.value, step) ? Math.min(oldest, first) : oldest;
        }
        return oldest == Integer.MAX_VALUE ? 0 : oldest;
    }

    private boolean isLive(int survivor, int step) {
        return evidence.survivors().first(survivor) <= step
                && evidence.survivors().end(survivor) > step;
    }
}
