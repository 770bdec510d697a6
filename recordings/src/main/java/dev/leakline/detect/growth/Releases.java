package dev.leakline.detect.growth;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.IntHashSet;
import dev.leakline.columns.Action;
import dev.leakline.evidence.Evidence;
import dev.leakline.floor.Survivors;
import dev.leakline.lifetime.DeviceEvents;
import dev.leakline.lifetime.Lifetimes;
import java.util.Arrays;

/**
 * The moments at which much of what a line had piled up is freed at once: blocks that were born in several steps and freed in one go, with
 * no allocation in between.
 */
final class Releases {
    /** Steps that a pile must be of; two are what a loop variable and its successor make. */
    private static final int FEWEST_STEPS = 3;

    private final Evidence evidence;
    private final IntArrayList members;
    /** First event of each release. */
    private final IntArrayList events = new IntArrayList();

    /** Blocks of each. */
    private final IntArrayList sizes = new IntArrayList();

    private int mostBlocks;
    private long released;
    private long largest;
    private long died;

    Releases(Evidence evidence, IntArrayList members) {
        this.evidence = evidence;
        this.members = members;
        Lifetimes lifetimes = evidence.lifetimes();
        Survivors survivors = evidence.survivors();
        long[] deaths = new long[members.size()];
        int count = 0;
        for (int i = 0; i < members.size(); i++) {
            int event = lifetimes.freed(survivors.allocation(members.get(i)));
            if (event != Lifetimes.NEVER) {
                deaths[count++] = (long) event << 32 | members.get(i);
                died += survivors.bytes(members.get(i));
            }
        }
        Arrays.sort(deaths, 0, count);
        int first = 0;
        for (int i = 1; i <= count; i++) {
            if (i == count
                    || hasAllocation(lifetimes.events(), (int) (deaths[i - 1] >>> 32), (int) (deaths[i] >>> 32))) {
                take(survivors, deaths, first, i);
                first = i;
            }
        }
    }

    private static boolean hasAllocation(DeviceEvents events, int from, int to) {
        for (int event = from + 1; event < to; event++) {
            if (events.action(event) == Action.ALLOC) {
                return true;
            }
        }
        return false;
    }

    /** Takes notice of blocks that are freed in one go. */
    private void take(Survivors survivors, long[] deaths, int from, int to) {
        IntHashSet steps = new IntHashSet();
        long bytes = 0;
        for (int i = from; i < to; i++) {
            steps.add(survivors.first((int) deaths[i]));
            bytes += survivors.bytes((int) deaths[i]);
        }
        if (steps.size() >= FEWEST_STEPS) {
            events.add((int) (deaths[from] >>> 32));
            sizes.add(to - from);
            mostBlocks = Math.max(mostBlocks, to - from);
            released += bytes;
            largest = Math.max(largest, bytes);
        }
    }

    /**
     * Returns whether all that they left of the piles were the newest blocks, as many as a loop variable and its successor hold: so does the collector, which
     * frees what nobody refers to at that moment, and looks at what is left seldom.
     */
    boolean leaveNewest() {
        Lifetimes lifetimes = evidence.lifetimes();
        for (int i = 0; i < members.size(); i++) {
            int allocation = evidence.survivors().allocation(members.get(i));
            int next = -1 - Arrays.binarySearch(events.buffer, 0, events.size(), lifetimes.born(allocation));
            boolean isLeft = lifetimes.freed(allocation) == Lifetimes.NEVER && next < events.size();
            if (isLeft
                    && evidence.steps().of(events.get(next))
                                    - evidence.survivors().first(members.get(i))
                            >= FEWEST_STEPS) {
                return false;
            }
        }
        return true;
    }

    /** How many. */
    int count() {
        return events.size();
    }

    /** The event at which a release began. */
    int event(int release) {
        return events.get(release);
    }

    /** Returns whether there are several, and all are of as many blocks: whoever makes them counts. */
    boolean areEqual() {
        int equal = 0;
        for (int i = 0; i < sizes.size(); i++) {
            equal += sizes.get(i) == sizes.get(0) ? 1 : 0;
        }
        return sizes.size() > 1 && equal == sizes.size();
    }

    /** Blocks that were freed at once, at most. */
    int mostBlocks() {
        return mostBlocks;
    }

    /** The bytes of the largest. */
    long largestBytes() {
        return largest;
    }

    /** The share of the freed bytes that were freed in releases. */
    double share() {
        return died == 0 ? 0 : (double) released / died;
    }
}
