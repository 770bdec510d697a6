package dev.leakline.site;

import dev.leakline.columns.FrameTable;
import dev.leakline.columns.StackTable;
import java.util.function.IntPredicate;

/**
 * A question about frames, and the stacks that hold one for which it is true. Each frame and each stack is asked once: names are decoded for that, and
 * millions of allocations share some thousands of stacks. Threads that ask at once may each find the answer, and find the same.
 */
public final class FramePredicate {
    private static final byte UNKNOWN = 0;
    private static final byte NO = 1;
    private static final byte YES = 2;

    private final StackTable stacks;
    private final IntPredicate isWanted;
    private final byte[] ofFrames;
    private final byte[] ofStacks;

    FramePredicate(StackTable stacks, FrameTable frames, IntPredicate isWanted) {
        this.stacks = stacks;
        this.isWanted = isWanted;
        this.ofFrames = new byte[frames.size()];
        this.ofStacks = new byte[stacks.size()];
    }

    /** Returns whether it is true of a frame. */
    public boolean isTrueOf(int frame) {
        if (ofFrames[frame] == UNKNOWN) {
            ofFrames[frame] = isWanted.test(frame) ? YES : NO;
        }
        return ofFrames[frame] == YES;
    }

    /** Returns whether a stack holds a frame of which it is true. */
    public boolean isIn(int stack) {
        if (ofStacks[stack] == UNKNOWN) {
            ofStacks[stack] = find(stack) ? YES : NO;
        }
        return ofStacks[stack] == YES;
    }

    private boolean find(int stack) {
        for (int depth = 0; depth < stacks.depth(stack); depth++) {
            if (isTrueOf(stacks.frame(stack, depth))) {
                return true;
            }
        }
        return false;
    }
}
