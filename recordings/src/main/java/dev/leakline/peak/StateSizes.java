package dev.leakline.peak;

import com.carrotsearch.hppc.cursors.IntCursor;
import dev.leakline.columns.Action;
import dev.leakline.hash.SeededLongIntMap;
import dev.leakline.lifetime.DeviceEvents;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.lifetime.RoundedSize;

/**
 * The sizes of blocks that stay from before the first forward pass, as parameters do and what an optimizer keeps for them. Sizes are
 * requests, rounded: alike for all of one shape, where the block held may have some more.
 */
public final class StateSizes {
    private final Lifetimes lifetimes;
    private final PhaseRuns runs;
    private final SeededLongIntMap sizes = new SeededLongIntMap();

    StateSizes(Lifetimes lifetimes, PhaseRuns runs) {
        this.lifetimes = lifetimes;
        this.runs = runs;
        for (IntCursor older : lifetimes.older()) {
            look(older.value);
        }
        DeviceEvents events = lifetimes.events();
        for (int event = 0; event < Math.min(runs.firstForward(), events.count()); event++) {
            int allocation = events.action(event) == Action.ALLOC ? lifetimes.allocation(event) : Lifetimes.NONE;
            if (allocation != Lifetimes.NONE) {
                look(allocation);
            }
        }
    }

    private void look(int allocation) {
        if (runs.outlivesSteps(lifetimes.freed(allocation))) {
            sizes.put(rounded(allocation), 1);
        }
    }

    /** Whether a block of this allocation's size stays. */
    public boolean hasSizeOf(int allocation) {
        return hasSize(lifetimes.requested(allocation));
    }

    /** Whether a block of so many bytes stays. */
    public boolean hasSize(long requested) {
        return sizes.containsKey(RoundedSize.PLAIN.of(requested));
    }

    private long rounded(int allocation) {
        return RoundedSize.PLAIN.of(lifetimes.requested(allocation));
    }
}
