package dev.leakline.detect.growth;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.IntHashSet;
import dev.leakline.columns.Action;
import dev.leakline.evidence.Evidence;
import dev.leakline.known.StepPhase;
import dev.leakline.lifetime.DeviceEvents;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.peak.Phases;
import dev.leakline.site.UserCalls;

/**
 * Tells whether backward passes freed what a module had saved for them. What stays after that are tensors that the program keeps; their graph
 * has no memory of the device any more.
 *
 * <p>What dies between two allocations of the engine was freed by it: meanwhile the line that started the backward pass waits, and lets go of
 * nothing. So no stacks of frees are needed.
 */
final class FreedGraphs {
    private final Evidence evidence;
    private final UserCalls calls;
    private final ModuleGraphs graphs;
    private final Phases phases;

    FreedGraphs(Evidence evidence, ModuleGraphs graphs) {
        this.evidence = evidence;
        this.calls = evidence.groups().calls();
        this.graphs = graphs;
        this.phases = Phases.of(evidence);
    }

    /**
     * Returns whether the engine freed blocks of the modules beneath a line that were made in a typical step.
     *
     * @param kept the stacks of what stays; what is freed of them as well is of other calls, whose graphs are not those that stay
     * @param steps the steps by which it had grown, each the one after that which made what stays; a backward pass runs in either
     */
    boolean isFreed(int node, IntHashSet kept, IntArrayList steps) {
        int step = steps.get(steps.size() / 2);
        int from = evidence.steps().start(Math.max(step - 1, 0));
        int born = evidence.steps().start(Math.max(step, 1));
        int to = evidence.steps().start(Math.min(step + 1, evidence.steps().count()));
        DeviceEvents events = evidence.lifetimes().events();
        boolean isBackward = false;
        boolean isAny = false;
        for (int event = from; event < to; event++) {
            if (events.action(event) == Action.ALLOC) {
                isBackward = phases.of(events.stack(event)) == StepPhase.BACKWARD;
                if (isBackward && isAny) {
                    return true;
                }
                isAny = false;
            } else {
                isAny |= isBackward && isOfModule(evidence.lifetimes().allocation(event), node, kept, from, born);
            }
        }
        return false;
    }

    /** Returns whether an allocation was made by a forward pass beneath a line, from one event until before another. */
    private boolean isOfModule(int allocation, int node, IntHashSet kept, int from, int to) {
        if (allocation == Lifetimes.NONE) {
            return false;
        }
        int birth = evidence.lifetimes().born(allocation);
        int stack = evidence.lifetimes().stack(allocation);
        return birth >= from
                && birth < to
                && !kept.contains(stack)
                && phases.of(stack) != StepPhase.BACKWARD
                && graphs.isInsideModule(calls.end(stack), stack, node);
    }
}
