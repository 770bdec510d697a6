package dev.leakline.steps;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.lifetime.Lifetimes;
import java.util.BitSet;

/**
 * Gradients that are added up over several batches before the optimizer steps once: a loop turns several times within each of its steps, always
 * equally often, and runs a backward pass each time. A loop over layers, or over the tries of a line search, does not.
 */
final class Accumulation {
    /** Batches of one step: two may be the two passes of one batch, as for two losses, or where a step is tried first. */
    private static final int FEWEST = 3;
    /** By so many the batches of two steps differ at most: what the first and the last of a loop do. */
    private static final int ENDS = 1;

    private Accumulation() {}

    /**
     * The batches, where the optimizer steps after several of them and they are enough to see a trend, else the optimizer's steps.
     *
     * @param marked the steps of the optimizer
     * @param turns those of the loop
     */
    static Steps find(Steps marked, Steps turns, Lifetimes lifetimes, FrameRoles roles) {
        Steps batches = batches(turns, lifetimes, roles);
        int fewest = Integer.MAX_VALUE;
        int most = 0;
        for (int step = 0; step < marked.count(); step++) {
            int within = batches.of(marked.start(step + 1) - 1) - batches.of(marked.start(step) - 1);
            fewest = Math.min(fewest, within);
            most = Math.max(most, within);
        }
        boolean isRegular = fewest >= FEWEST && most - fewest <= ENDS;
        return isRegular && batches.count() >= Loops.ENOUGH_TURNS ? batches : marked;
    }

    /** Turns, each of them with all that follow up to the next backward pass. */
    private static Steps batches(Steps turns, Lifetimes lifetimes, FrameRoles roles) {
        BitSet withBackward = withBackward(turns, lifetimes, roles);
        IntArrayList starts = new IntArrayList();
        for (int turn = 0; turn <= turns.count(); turn++) {
            if (turn == 0 || turn == turns.count() || withBackward.get(turn - 1)) {
                starts.add(turns.start(turn));
            }
        }
        return new Steps(turns.kind(), turns.meaning(), starts);
    }

    /** The turns in which a backward pass begins. */
    private static BitSet withBackward(Steps turns, Lifetimes lifetimes, FrameRoles roles) {
        BitSet seen = new BitSet(turns.count());
        StepCursor cursor = new StepCursor(turns);
        for (int allocation = 0; allocation < lifetimes.count(); allocation++) {
            int born = lifetimes.born(allocation);
            int turn = born == Lifetimes.BEFORE ? -1 : cursor.of(born);
            if (turn >= 0 && roles.startsBackward(lifetimes.stack(allocation))) {
                seen.set(turn);
            }
        }
        return seen;
    }
}
