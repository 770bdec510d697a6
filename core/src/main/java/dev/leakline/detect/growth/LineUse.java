package dev.leakline.detect.growth;

import com.carrotsearch.hppc.IntHashSet;
import com.carrotsearch.hppc.cursors.IntCursor;
import dev.leakline.evidence.Evidence;
import dev.leakline.site.UserCalls;

/** How often each of the user's lines allocates, itself or beneath it, and whether others use it without growing. */
final class LineUse {
    /** Of another caller's allocations at a line, as a share of those that grow, so that it counts as using the line too. */
    private static final double SHARED_USE = 0.1;

    private final UserCalls calls;
    private final int[] allocations;
    private final IntHashSet growing;

    /** Counts; {@code growing} are the lines that grow. */
    LineUse(Evidence evidence, UserCalls calls, IntHashSet growing) {
        this.calls = calls;
        this.growing = growing;
        this.allocations = new int[calls.size()];
        for (int stack = 0; stack < evidence.columns().stacks.size(); stack++) {
            int births = evidence.profile().births(stack);
            for (int up = births > 0 ? calls.end(stack) : -1; up >= 0; up = calls.parent(up)) {
                allocations[up] += births;
            }
        }
    }

    /** Whether calls beneath which nothing grows use a line as well, {@code fewest} times or more. */
    boolean isShared(int line, int fewest) {
        for (int other = 0; other < allocations.length; other++) {
            boolean isSameLine = other != line && calls.frame(other) == calls.frame(line);
            boolean isOften = allocations[other] >= Math.max(fewest, SHARED_USE * allocations[line]);
            if (isSameLine
                    && isOften
                    && !calls.isWithin(other, line)
                    && !calls.isWithin(line, other)
                    && !grows(other)) {
                return true;
            }
        }
        return false;
    }

    private boolean grows(int node) {
        for (IntCursor own : growing) {
            if (calls.isWithin(own.value, node)) {
                return true;
            }
        }
        return false;
    }
}
