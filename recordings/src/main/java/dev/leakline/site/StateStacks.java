package dev.leakline.site;

import dev.leakline.columns.FrameTable;
import dev.leakline.columns.StackTable;
import dev.leakline.known.StateFrames;
import java.util.stream.IntStream;

/** Finds what stacks do with the state of a model or of an optimizer: make it, move it, copy it; or keep nothing for a backward pass. */
public final class StateStacks {
    private final StackTable stacks;
    private final FrameTable frames;
    private final StackSites sites;
    private final FramePredicate savesNothing;
    private final FramePredicate buildsModule;
    private final FramePredicate makesOptimizerState;
    private final FramePredicate copiesState;

    StateStacks(StackTable stacks, FrameTable frames, StackSites sites) {
        this.stacks = stacks;
        this.frames = frames;
        this.sites = sites;
        this.savesNothing = sites.predicate(StateFrames::savesNothing);
        this.buildsModule = sites.predicate(StateFrames::buildsModule);
        this.makesOptimizerState = sites.predicate(StateFrames::makesOptimizerState);
        this.copiesState = sites.predicate(StateFrames::copiesState);
    }

    /** Returns whether a stack runs in a function under {@code @torch.no_grad()} or one alike, in which nothing is saved for a backward pass. */
    public boolean savesNothing(int stack) {
        return savesNothing.isIn(stack);
    }

    /** Returns whether a stack makes the parameters of a module, or moves them to a device. */
    public boolean buildsModule(int stack) {
        return buildsModule.isIn(stack);
    }

    /** Returns whether a stack makes an optimizer's state. */
    public boolean makesOptimizerState(int stack) {
        return makesOptimizerState.isIn(stack);
    }

    /** The line at which a stack moves a module's state, by a function that it calls there; 0 where it moves none. */
    public int movingLine(int stack) {
        boolean isWithin = false;
        for (int depth = 0; depth < stacks.depth(stack); depth++) {
            int frame = stacks.frame(stack, depth);
            if (StateFrames.movesState(frames.file(frame), frames.function(frame))) {
                return isWithin ? frames.line(frame) : 0;
            }
            isWithin |= !sites.isNative(frame);
        }
        return 0;
    }

    /** The first line at which any stack moves a module's state: that of its parameters; 0 where none does. */
    public int firstMovingLine() {
        return IntStream.range(0, stacks.size())
                .map(this::movingLine)
                .filter(line -> line > 0)
                .min()
                .orElse(0);
    }

    /** Returns whether a stack copies a model's state. */
    public boolean copiesState(int stack) {
        return copiesState.isIn(stack);
    }
}
