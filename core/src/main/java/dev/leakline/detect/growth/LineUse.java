package dev.leakline.detect.growth;

import com.carrotsearch.hppc.IntHashSet;
import com.carrotsearch.hppc.cursors.IntCursor;
import dev.leakline.evidence.Evidence;
import dev.leakline.lifetime.Lifetimes;
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
        int[] ofStack = ofStacks(evidence.lifetimes(), evidence.columns().stacks.size());
        for (int stack = 0; stack < ofStack.length; stack++) {
            if (ofStack[stack] > 0) {
                calls.end(stack);
            }
        }
        this.allocations = new int[calls.size()];
        for (int stack = 0; stack < ofStack.length; stack++) {
            for (int up = ofStack[stack] > 0 ? calls.end(stack) : -1; up >= 0; up = calls.parent(up)) {
                allocations[up] += ofStack[stack];
            }
        }
    }

    private static int[] ofStacks(Lifetimes lifetimes, int stacks) {
        int[] ofStack = new int[stacks];
        for (int allocation = 0; allocation < lifetimes.count(); allocation++) {
            if (lifetimes.born(allocation) != Lifetimes.BEFORE) {
                ofStack[lifetimes.stack(allocation)]++;
            }
        }
        return ofStack;
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
