package dev.leakline.peak;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.IntHashSet;
import dev.leakline.columns.Action;
import dev.leakline.known.StepPhase;
import dev.leakline.lifetime.DeviceEvents;
import dev.leakline.lifetime.Lifetimes;

/**
 * What forward passes made for graphs that no backward pass freed, and that the program dropped whole.
 *
 * <p>A graph is made layer after layer. Single blocks between those that a backward pass frees are results of a pass that is trained, which the program
 * keeps; so a graph has more blocks than its pass would hold without one. A pass with a graph keeps most of what it makes; one without frees it when the next blocks are there,
 * and only its results stay.
 */
public final class GraphsWithoutBackward {
    /** Blocks that a pass without a graph holds at once: what a module is given and what it makes. */
    public static final int AT_ONCE = 2;
    /** The smallest block there is: scalars and counters. */
    static final long SMALLEST = 512;
    /**
     * The share of a pass's blocks that a graph keeps at the least: 0.47 and more in recordings of passes that are known to have one, modules written by hand with many
     * temporaries among them; 0.1 to 0.33 where passes without one keep results, a cache of keys and values, or autocast's copies of weights.
     */
    static final double KEPT = 0.4;

    private final Lifetimes lifetimes;
    private final PhaseRuns runs;
    private final IntHashSet members = new IntHashSet();
    private final IntHashSet results = new IntHashSet();
    private final IntArrayList run = new IntArrayList();
    /** Blocks of the run, and all that modules made since it began, up to its last. */
    private int kept;

    private int made;
    private int madeUntilLast;

    /** The graphs of the events that are looked at. */
    GraphsWithoutBackward(Lifetimes lifetimes, PhaseRuns runs) {
        this.lifetimes = lifetimes;
        this.runs = runs;
        DeviceEvents events = lifetimes.events();
        for (int event = runs.from(); event < runs.to(); event++) {
            if (events.action(event) == Action.ALLOC) {
                look(lifetimes.allocation(event), runs.of(event) == StepPhase.FORWARD);
            }
        }
        closeRun();
    }

    private void look(int allocation, boolean isOfForward) {
        int stack = lifetimes.stack(allocation);
        int block = lifetimes.held(allocation) > SMALLEST && isOfForward ? 1 : 0;
        made += block;
        if (runs.isForBackward(stack)) {
            closeRun();
        } else if (isOfForward && runs.isDropped(stack) && goesWithMany(lifetimes.freed(allocation))) {
            made = run.isEmpty() ? block : made;
            run.add(allocation);
            kept += block;
            madeUntilLast = made;
        }
    }

    /** Whether it is itself dropped with many, as far as the recording goes: layers in a loop share a stack, and the next one frees what is no graph's. */
    private boolean goesWithMany(int freed) {
        boolean isFreedByPass = freed != Lifetimes.NEVER && runs.knowsFrees() && runs.of(freed) == StepPhase.FORWARD;
        return freed == Lifetimes.NEVER || (!isFreedByPass && runs.goesWithMany(freed));
    }

    private void closeRun() {
        if (run.size() > AT_ONCE) {
            (kept >= KEPT * madeUntilLast ? members : results).addAll(run);
        }
        run.clear();
        kept = 0;
    }

    /** Whether it went with such a graph. */
    public boolean has(int allocation) {
        return members.contains(allocation);
    }

    /** Whether it went with many others, though its pass has no graph: a result that the program kept. */
    boolean hasResult(int allocation) {
        return results.contains(allocation);
    }
}
