package dev.leakline.detect.habits;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.floor.Survivors;
import dev.leakline.statistics.Thresholds;
import java.util.BitSet;

/** How the memory of a line that is held to the end was filled. */
final class Filling {
    private final BitSet steps = new BitSet();
    private long bytes;
    private int blocks;
    private int allocation;
    private int lastDeath = -1;

    Filling(Survivors survivors, IntArrayList members, int count) {
        for (int i = 0; i < members.size(); i++) {
            int survivor = members.get(i);
            boolean isHeld = survivors.end(survivor) >= count;
            if (isHeld) {
                steps.set(survivors.first(survivor));
                bytes += survivors.bytes(survivor);
                blocks++;
                allocation = survivors.allocation(survivor);
            } else {
                lastDeath = Math.max(lastDeath, survivors.end(survivor));
            }
        }
    }

    /** Steps after warm-up in which it was filled. */
    int steps() {
        return steps.get(Thresholds.WARM_UP + 1, Math.max(steps.length(), Thresholds.WARM_UP + 1))
                .cardinality();
    }

    /** The first step that filled it; set-up counts as step -1. */
    int first() {
        return steps.nextSetBit(0) - 1;
    }

    /** The last step that filled it. */
    int last() {
        return steps.length() - 2;
    }

    /** Whether the line lets go of nothing after the last step that filled it. */
    boolean isUntouched() {
        return lastDeath <= last() + 1;
    }

    /** Bytes held to the end. */
    long bytes() {
        return bytes;
    }

    /** Blocks held to the end. */
    int blocks() {
        return blocks;
    }

    /** The last of them. */
    int allocation() {
        return allocation;
    }
}
