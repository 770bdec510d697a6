package dev.leakline.peak;

import dev.leakline.columns.FrameTable;
import dev.leakline.columns.Recorder;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.columns.StackTable;
import dev.leakline.evidence.Evidence;
import dev.leakline.known.FrameOwner;
import dev.leakline.known.ProfilerFrame;
import dev.leakline.known.StepPhase;
import dev.leakline.site.Operators;
import dev.leakline.site.StackSites;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The part of a step in which each stack of a recording runs. Found once a stack, on demand.
 *
 * <p>A profiler's stacks show operators, modules and the engine of the backward pass. In a snapshot the engine runs in threads of its own, whose stacks have no Python frame, but where
 * an autograd function is written in Python. Of frames that call each other the innermost decides, since an optimizer may be given a closure that calls modules.
 */
public final class Phases {
    /** Operators by which a batch comes to where it is used. */
    private static final Set<String> COPIES =
            Set.of("aten::to", "aten::_to_copy", "aten::copy_", "aten::pin_memory", "aten::_pin_memory");

    private final StackTable table;
    private final FrameTable frames;
    private final StackSites stacks;
    private final Operators operators;
    private final boolean isTrace;
    private final boolean hasModules;
    private final @Nullable StepPhase[] phases;
    /** The phase that each frame of a snapshot shows; names are decoded once, as stacks share their frames. */
    private final @Nullable StepPhase[] shown;

    private Phases(SnapshotColumns columns, StackSites stacks) {
        this.table = columns.stacks;
        this.frames = columns.frames;
        this.stacks = stacks;
        this.operators = stacks.operators();
        this.isTrace = columns.recorder == Recorder.PROFILER;
        this.phases = new StepPhase[table.size()];
        this.shown = new StepPhase[frames.size()];
        this.hasModules = isTrace && IntStream.range(0, table.size()).anyMatch(this::isInModule);
    }

    /** The phases of the stacks of some evidence. */
    public static Phases of(Evidence evidence) {
        return new Phases(evidence.columns(), evidence.stacks());
    }

    /** The phase of a stack. */
    public StepPhase of(int stack) {
        StepPhase known = phases[stack];
        if (known == null) {
            known = isTrace ? ofTrace(stack) : ofSnapshot(stack);
            phases[stack] = known;
        }
        return known;
    }

    private StepPhase ofTrace(int stack) {
        for (int depth = 0; depth < table.depth(stack); depth++) {
            switch (operators.kind(table.frame(stack, depth))) {
                case ENGINE -> {
                    return StepPhase.BACKWARD;
                }
                case OPTIMIZER_STEP -> {
                    return StepPhase.OPTIMIZER;
                }
                case ZERO_GRAD -> {
                    return StepPhase.ZERO_GRAD;
                }
                default -> {}
            }
        }
        return stacks.startsBackward(stack)
                ? StepPhase.BACKWARD
                : isForward(stack) ? StepPhase.FORWARD : StepPhase.OUTSIDE;
    }

    /** Returns whether it is of a module; where no stack shows one, modules were not recorded, and operators but copies are taken for the forward pass's. */
    private boolean isForward(int stack) {
        String operator = operators.operatorName(stack);
        return isInModule(stack) || (!hasModules && !operator.isEmpty() && !COPIES.contains(operator));
    }

    private boolean isInModule(int stack) {
        boolean isCalled = false;
        for (int depth = 0; depth < table.depth(stack) && !isCalled; depth++) {
            int frame = table.frame(stack, depth);
            isCalled = operators.kind(frame) == ProfilerFrame.MODULE || stacks.isModuleCall(frame);
        }
        return isCalled;
    }

    private StepPhase ofSnapshot(int stack) {
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
                isInClosure |= owner.compareTo(FrameOwner.TORCH) < 0
                        && !frames.function(frame).equals(StepPhase.STEP);
            }
        }
        return hasPython ? StepPhase.OUTSIDE : StepPhase.BACKWARD;
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
