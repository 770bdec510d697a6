package dev.leakline.peak;

import dev.leakline.columns.FrameTable;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.columns.StackTable;
import dev.leakline.known.FrameOwner;
import dev.leakline.known.StepPhase;
import dev.leakline.site.StackSites;
import org.jspecify.annotations.Nullable;

/**
 * The phases of a snapshot's stacks. The engine of the backward pass runs in threads of its own: its stacks have no Python frame, but where
 * an autograd function is written in Python. Of frames that call each other the innermost decides, since an optimizer may be given a closure
 * that calls modules.
 */
final class SnapshotPhases extends Phases {
    private final StackTable table;
    private final FrameTable frames;
    private final StackSites stacks;
    /** The phase that each frame shows; names are decoded once, as stacks share their frames. */
    private final @Nullable StepPhase[] shown;

    SnapshotPhases(SnapshotColumns columns, StackSites stacks) {
        super(columns.stacks.size());
        this.table = columns.stacks;
        this.frames = columns.frames;
        this.stacks = stacks;
        this.shown = new StepPhase[frames.size()];
    }

    @Override
    StepPhase find(int stack) {
        boolean hasPython = false;
        boolean isInClosure = false;
        for (int depth = 0; depth < table.depth(stack); depth++) {
            int frame = table.frame(stack, depth);
            FrameOwner owner = stacks.owner(frame);
            if (owner != FrameOwner.NATIVE) {
                hasPython = true;
                StepPhase phase = shown(frame);
                if (phase != StepPhase.OUTSIDE) {
                    return phase == StepPhase.OPTIMIZER && isInClosure ? StepPhase.OUTSIDE : phase;
                }
                isInClosure = isInClosure || mayBeClosure(frame, owner);
            }
        }
        return hasPython ? StepPhase.OUTSIDE : StepPhase.BACKWARD;
    }

    private boolean mayBeClosure(int frame, FrameOwner owner) {
        return owner.compareTo(FrameOwner.TORCH) < 0 && !frames.function(frame).equals(StepPhase.STEP);
    }

    private StepPhase shown(int frame) {
        StepPhase known = shown[frame];
        if (known == null) {
            known = StepPhase.of(frames.file(frame), frames.function(frame));
            shown[frame] = known;
        }
        return known;
    }
}
