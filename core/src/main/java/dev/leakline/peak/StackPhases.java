package dev.leakline.peak;

import dev.leakline.columns.SnapshotColumns;
import dev.leakline.columns.StackTable;
import dev.leakline.known.ProfilerFrame;
import dev.leakline.site.Operators;
import dev.leakline.site.StackSites;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** In which part of a step each stack of a profiler's trace runs. Found once a stack, on demand. */
final class StackPhases {
    /** A part of a training step. */
    enum Phase {
        FORWARD,
        BACKWARD,
        OPTIMIZER,
        ZERO_GRAD,
        /** Copies to or within a device, outside of modules. */
        LOADING,
        OUTSIDE
    }

    /** Operators by which a batch comes to where it is used. */
    private static final Set<String> COPIES =
            Set.of("aten::to", "aten::_to_copy", "aten::copy_", "aten::pin_memory", "aten::_pin_memory");

    private final StackTable table;
    private final StackSites stacks;
    private final Operators operators;
    private final @Nullable Phase[] phases;
    private final boolean hasModules;

    StackPhases(SnapshotColumns columns, StackSites stacks) {
        this.table = columns.stacks;
        this.stacks = stacks;
        this.operators = stacks.operators();
        this.phases = new Phase[table.size()];
        this.hasModules = IntStream.range(0, table.size()).anyMatch(this::isInModule);
    }

    /** The phase of a stack. */
    Phase of(int stack) {
        Phase known = phases[stack];
        if (known == null) {
            known = find(stack);
            phases[stack] = known;
        }
        return known;
    }

    private Phase find(int stack) {
        for (int depth = 0; depth < table.depth(stack); depth++) {
            int frame = table.frame(stack, depth);
            switch (operators.kind(frame)) {
                case ENGINE -> {
                    return Phase.BACKWARD;
                }
                case OPTIMIZER_STEP -> {
                    return Phase.OPTIMIZER;
                }
                case ZERO_GRAD -> {
                    return Phase.ZERO_GRAD;
                }
                default -> {}
            }
        }
        return stacks.startsBackward(stack) ? Phase.BACKWARD : otherwise(stack);
    }

    private Phase otherwise(int stack) {
        if (isInModule(stack)) {
            return Phase.FORWARD;
        }
        String operator = operators.operatorName(stack);
        if (COPIES.contains(operator)) {
            return Phase.LOADING;
        }
        return hasModules || operator.isEmpty() ? Phase.OUTSIDE : Phase.FORWARD;
    }

    /** Where no stack shows a module, modules were not recorded; then operators are taken for the forward pass's. */
    private boolean isInModule(int stack) {
        boolean isCalled = false;
        for (int depth = 0; depth < table.depth(stack) && !isCalled; depth++) {
            int frame = table.frame(stack, depth);
            isCalled = operators.kind(frame) == ProfilerFrame.MODULE || stacks.isModuleCall(frame);
        }
        return isCalled;
    }
}
