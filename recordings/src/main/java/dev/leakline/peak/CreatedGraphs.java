package dev.leakline.peak;

import com.carrotsearch.hppc.IntHashSet;
import com.carrotsearch.hppc.IntIntHashMap;
import dev.leakline.columns.Action;
import dev.leakline.known.StepPhase;
import dev.leakline.lifetime.DeviceEvents;
import dev.leakline.lifetime.Lifetimes;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * Graphs that a backward pass makes for another one to come, as {@code autograd.grad(create_graph=True)} does. What the engine makes for
 * its own pass it frees in that pass; of such a graph it frees blocks in a later one, after the program has gone on.
 */
public final class CreatedGraphs {
    private static final int NONE = Lifetimes.BEFORE;

    private final PhaseRuns runs;
    private final OptimizerSteps steps;
    private final CutStep cut;
    private final IntHashSet members = new IntHashSet();
    /** The first events of the passes that make them, in order. */
    private final NavigableSet<Integer> begins = new TreeSet<>();

    /** The graphs of the events that are looked at. */
    CreatedGraphs(Lifetimes lifetimes, EventWindow window) {
        this.runs = window.runs();
        this.steps = window.steps();
        this.cut = window.cut();
        find(lifetimes, lifetimes.events());
    }

    private void find(Lifetimes lifetimes, DeviceEvents events) {
        IntIntHashMap passes = new IntIntHashMap();
        int begin = NONE;
        int ran = NONE;
        for (int event = runs.from(); event < Math.min(runs.to(), cut.failure()); event++) {
            Action action = events.action(event);
            if (action == Action.ALLOC && runs.of(event) == StepPhase.BACKWARD) {
                begin = begin > ran ? begin : event;
                passes.put(lifetimes.allocation(event), begin);
            } else if (action == Action.ALLOC && runs.isOfProgram(event)) {
                ran = event;
            } else if (action.isFree() && runs.of(event) == StepPhase.BACKWARD) {
                look(lifetimes, event, passes, ran);
            }
        }
    }

    private void look(Lifetimes lifetimes, int free, IntIntHashMap passes, int ran) {
        int allocation = lifetimes.allocation(free);
        boolean isOfEarlierPass = passes.getOrDefault(allocation, Lifetimes.NEVER) < ran
                && lifetimes.born(allocation) < ran
                && lifetimes.freed(allocation) == free;
        if (isOfEarlierPass) {
            members.add(allocation);
            begins.add(passes.get(allocation));
        }
    }

    /** Returns whether the engine made it for a later backward pass. */
    public boolean has(int allocation) {
        return members.contains(allocation);
    }

    /** Returns whether an event is of a backward pass that makes one, or follows it in the same call of a model. */
    boolean isBeside(int event) {
        Integer begin = begins.floor(event);
        return begin != null && steps.call(begin) == steps.call(event);
    }
}
