package dev.leakline.steps;

import dev.leakline.columns.SnapshotColumns;
import dev.leakline.known.BackwardCall;
import dev.leakline.known.FrameOwner;
import dev.leakline.known.ModuleCall;
import dev.leakline.known.StepPart;

/** The roles of frames, straight from what is known of them. */
final class KnownRoles implements FrameRoles {
    private final SnapshotColumns columns;

    KnownRoles(SnapshotColumns columns) {
        this.columns = columns;
    }

    @Override
    public boolean isLibrary(int frame) {
        return owner(frame).compareTo(FrameOwner.TORCH) >= 0;
    }

    @Override
    public boolean isUsers(int frame) {
        return owner(frame) == FrameOwner.USER;
    }

    @Override
    public boolean isNative(int frame) {
        return owner(frame) == FrameOwner.NATIVE;
    }

    @Override
    public boolean isModuleCall(int frame) {
        return ModuleCall.is(columns.frames.file(frame), columns.frames.function(frame));
    }

    @Override
    public boolean isStepPart(int frame) {
        return StepPart.is(columns.frames.file(frame), columns.frames.function(frame));
    }

    @Override
    public boolean startsBackward(int stack) {
        for (int depth = 0; depth < columns.stacks.depth(stack); depth++) {
            int frame = columns.stacks.frame(stack, depth);
            if (BackwardCall.is(columns.frames.file(frame), columns.frames.function(frame))) {
                return true;
            }
        }
        return false;
    }

    private FrameOwner owner(int frame) {
        return FrameOwner.of(columns.frames.file(frame), columns.frames.line(frame));
    }
}
