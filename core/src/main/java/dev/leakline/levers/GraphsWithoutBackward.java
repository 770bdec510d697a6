package dev.leakline.levers;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.IntHashSet;
import com.carrotsearch.hppc.cursors.IntCursor;
import dev.leakline.known.StepPhase;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.primitive.Bisection;

/**
 * What forward passes made for graphs that no backward pass freed, and that the program dropped whole.
 *
 * <p>A graph is made layer after layer. Single blocks between those that a backward pass frees are results of a pass that is trained, which the program
 * keeps; so a graph has more blocks than its pass would hold without one. A pass with a graph keeps most of what it makes; one without frees it when the next blocks are there,
 * and only its results stay.
 */
final class GraphsWithoutBackward {
    /**
     * The share of a pass's blocks that a graph keeps at the least: 0.47 and more in recordings of passes that are known to have one, modules written by hand with many
     * temporaries among them; 0.1 to 0.33 where passes without one keep results, a cache of keys and values, or autocast's copies of weights.
     */
    private static final double KEPT = 0.4;

    private final PeakScene scene;
    private final IntHashSet members = new IntHashSet();
    private final IntArrayList run = new IntArrayList();
    private final BackwardPasses passes;
    /** Blocks of the run, and all that modules made since it began, up to its last. */
    private int kept;

    private int made;
    private int madeUntilLast;
    /** The first events of backward passes that free nothing that a forward pass made: they keep their graphs. */
    private final IntArrayList retaining = new IntArrayList();

    GraphsWithoutBackward(PeakScene scene) {
        this.scene = scene;
        this.passes = new BackwardPasses(scene);
        passes.forEach((begin, end) -> {
            if (passes.keepsGraph(begin, end)) {
                retaining.add(begin);
            }
        });
        for (IntCursor each : scene.allocations) {
            look(each.value);
        }
        closeRun();
    }

    private void look(int allocation) {
        int block =
                scene.size(allocation) > PeakScene.SMALLEST && scene.isBornIn(allocation, StepPhase.FORWARD) ? 1 : 0;
        made += block;
        if (scene.isForBackward(allocation)) {
            closeRun();
        } else if (scene.goesWithMany(allocation)) {
            made = run.isEmpty() ? block : made;
            run.add(allocation);
            kept += block;
            madeUntilLast = made;
        }
    }

    private void closeRun() {
        if (run.size() > PassesWithoutBackward.AT_ONCE && kept >= KEPT * madeUntilLast) {
            members.addAll(run);
        }
        run.clear();
        kept = 0;
    }

    /** Whether it went with such a graph. */
    boolean has(int allocation) {
        return members.contains(allocation);
    }

    /** The first event of the first backward pass during its life that kept the graph; {@link Lifetimes#NEVER} where none did. */
    int retainedBy(int allocation) {
        int index = Bisection.first(retaining.size(), i -> retaining.get(i) > scene.lifetimes.born(allocation));
        int begin = index < retaining.size() ? retaining.get(index) : Lifetimes.NEVER;
        return begin < scene.lifetimes.died(allocation) ? begin : Lifetimes.NEVER;
    }
}
