package dev.leakline.steps;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.columns.StackTable;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.result.StepSummary.Kind;
import java.util.BitSet;

/**
 * Finds the steps of a recording: from marked ranges where they cover it, else from the loops that its stacks show, else equal
 * stretches of events.
 */
public final class StepFinder {
    /** Fewer marks or iterations than this are no repetition. */
    static final int FEWEST = 3;
    /** The share of the allocations that steps must cover to be the recording's; with less, most of it would go unjudged. */
    private static final double COVERED = 0.5;
    /** Stretches where nothing repeats: enough to see a trend, few enough that what is short-lived lives in one of them. */
    private static final int STRETCHES = 40;
    /** By less than a tenth two ways to see the same loops differ, such as by their ends. */
    static final double RICHER = 1.1;
    /** Events of a stretch that make it likely that it holds whole lives. */
    private static final int STRETCH_EVENTS = 25;

    private StepFinder() {}

    /** The steps of a device's events. */
    public static Steps find(SnapshotColumns columns, Lifetimes lifetimes, FrameRoles roles) {
        Steps marked = AnnotationSteps.find(columns, lifetimes);
        if (marked != null && !mayAccumulate(marked)) {
            return marked;
        }
        CallPaths paths = new CallPaths(columns.stacks, columns.frames, roles);
        Steps recurring = LoopSteps.find(columns, lifetimes, paths, roles, new BitSet());
        if (marked != null) {
            return recurring == null ? marked : Accumulation.find(marked, recurring, lifetimes, roles);
        }
        if (recurring == null) {
            recurring = LoopSteps.find(columns, lifetimes, paths, roles, stopped(lifetimes, columns.stacks.size()));
        }
        return recurring != null ? recurring : stretches(lifetimes.events().count());
    }

    /** Returns whether steps are so few optimizer steps that the passes within them are the better axis, if each is of several. */
    private static boolean mayAccumulate(Steps marked) {
        return AnnotationSteps.areOfOptimizer(marked) && marked.count() < Loops.ENOUGH_TURNS;
    }

    /**
     * The stacks that allocate in the first half of the recording only: the set-up, and what fills a cache. A loop that shows by what it does no
     * more seems to have stopped.
     */
    private static BitSet stopped(Lifetimes lifetimes, int stacks) {
        BitSet stopped = new BitSet(stacks);
        int half = lifetimes.events().count() / 2;
        for (int allocation = 0; allocation < lifetimes.count(); allocation++) {
            int born = lifetimes.born(allocation);
            if (born != Lifetimes.BEFORE) {
                stopped.set(lifetimes.stack(allocation), born < half);
            }
        }
        stopped.clear(StackTable.NONE);
        return stopped;
    }

    /**
     * The steps as they were without the stacks that are suspected of a leak, where there are more of them; else those that were found. Where a
     * loop allocates at one line in every iteration and at another in some, it shows only where the other ran as well, so that what the other
     * keeps seems to grow at every step.
     *
     * @param suspected stacks whose allocations grow from step to step
     */
    public static Steps without(
            BitSet suspected, Steps found, SnapshotColumns columns, Lifetimes lifetimes, FrameRoles roles) {
        if (found.kind() != Kind.RECURRENCE || suspected.isEmpty()) {
            return found;
        }
        CallPaths paths = new CallPaths(columns.stacks, columns.frames, roles);
        Steps other = LoopSteps.find(columns, lifetimes, paths, roles, suspected);
        return other != null && other.count() >= RICHER * found.count() ? other : found;
    }

    /** Returns whether enough happens in the steps after the first, which may hold the set-up as well. */
    static boolean isCovered(IntArrayList starts, Lifetimes lifetimes) {
        int last = starts.size() - 1;
        if (last < FEWEST) {
            return false;
        }
        int all = lifetimes.births(0, lifetimes.events().count());
        return lifetimes.births(starts.get(1), starts.get(last)) >= COVERED * all;
    }

    private static Steps stretches(int events) {
        IntArrayList starts = new IntArrayList();
        if (events < STRETCHES * STRETCH_EVENTS) {
            return new Steps(Kind.NONE, "nothing that repeats", starts);
        }
        for (int i = 0; i <= STRETCHES; i++) {
            starts.add((int) ((long) events * i / STRETCHES));
        }
        return new Steps(Kind.TIME, "a fortieth of the recording's events", starts);
    }
}
