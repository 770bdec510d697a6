package dev.leakline.peak;

import dev.leakline.columns.SnapshotColumns;
import dev.leakline.columns.StackTable;
import dev.leakline.known.ProfilerFrame;
import dev.leakline.known.StepPhase;
import dev.leakline.site.Operators;
import dev.leakline.site.StackSites;
import java.util.Set;
import java.util.stream.IntStream;

/** The phases of a profiler's trace, whose stacks show operators, modules and the engine of the backward pass. */
final class ProfilerPhases extends Phases {
    /** Operators by which a batch comes to where it is used. */
    private static final Set<String> COPIES =
            Set.of("aten::to", "aten::_to_copy", "aten::copy_", "aten::pin_memory", "aten::_pin_memory");

    private final StackTable table;
    private final StackSites stacks;
    private final Operators operators;
    private final boolean hasModules;

    ProfilerPhases(SnapshotColumns columns, StackSites stacks) {
        super(columns.stacks.size());
        this.table = columns.stacks;
        this.stacks = stacks;
        this.operators = stacks.operators();
        this.hasModules = IntStream.range(0, table.size()).anyMatch(this::isInModule);
    }

    @Override
    StepPhase find(int stack) {
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
        return stacks.startsBackward(stack) ? StepPhase.BACKWARD : otherwise(stack);
    }

    /** Where no stack shows a module, modules were not recorded; then operators but copies are taken for the forward pass's. */
    private StepPhase otherwise(int stack) {
        String operator = operators.operatorName(stack);
        boolean isForward = isInModule(stack) || (!hasModules && !operator.isEmpty() && !COPIES.contains(operator));
        return isForward ? StepPhase.FORWARD : StepPhase.OUTSIDE;
    }

    private boolean isInModule(int stack) {
        boolean isCalled = false;
        for (int depth = 0; depth < table.depth(stack) && !isCalled; depth++) {
            int frame = table.frame(stack, depth);
            isCalled = operators.kind(frame) == ProfilerFrame.MODULE || stacks.isModuleCall(frame);
        }
        return isCalled;
    }
}
