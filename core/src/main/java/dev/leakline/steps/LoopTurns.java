package dev.leakline.steps;

import dev.leakline.columns.StackTable;

/** The allocations with which iterations of the chosen loops begin, each with the stack of the one before it. */
final class LoopTurns {
    private final Loops loops;
    private final CallPaths paths;
    private final Expressions expressions;

    LoopTurns(Loops loops, CallPaths paths, Expressions expressions) {
        this.loops = loops;
        this.paths = paths;
        this.expressions = expressions;
    }

    /** Whether a loop begins, or iterates. */
    boolean isTurn(int allocation, int last, int stack) {
        int loop = loops.of(stack);
        boolean isEntered = loop >= 0 && !isOf(loop, last);
        return isEntered || (loop >= 0 && loops.turns(loop, last, stack) && begins(allocation, last, stack));
    }

    /** Whether the first line of a loop runs again without a later one in between. */
    boolean isRestart(int allocation, int last, int stack) {
        int loop = loops.of(stack);
        return loop >= 0 && isOf(loop, last) && loops.restarts(loop, last, stack) && begins(allocation, last, stack);
    }

    private boolean isOf(int loop, int stack) {
        return stack != StackTable.NONE && loops.of(stack) == loop;
    }

    /** Whether an allocation is no part of an expression that its line has begun before. */
    private boolean begins(int allocation, int last, int stack) {
        return paths.end(last) != paths.end(stack) || expressions.isBeginning(paths.end(stack), allocation);
    }
}
