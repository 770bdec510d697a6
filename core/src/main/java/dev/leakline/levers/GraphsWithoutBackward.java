package dev.leakline.levers;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.IntHashSet;
import com.carrotsearch.hppc.cursors.IntCursor;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.primitive.Bisection;

/**
 * What forward passes made for graphs that no backward pass freed, and that the program dropped whole.
 *
 * <p>A graph is made layer after layer. Single blocks between those that a backward pass frees are results of a pass that is trained, which the program
 * keeps; so a graph has more blocks than its pass would hold without one.
 */
final class GraphsWithoutBackward {
    private final PeakScene scene;
    private final IntHashSet members = new IntHashSet();
    private final IntArrayList run = new IntArrayList();
    private final BackwardPasses passes;
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
        if (scene.isForBackward(allocation)) {
            closeRun();
        } else if (scene.goesWithMany(allocation)) {
            run.add(allocation);
        }
    }

    private void closeRun() {
        if (run.size() > PassesWithoutBackward.AT_ONCE) {
            members.addAll(run);
        }
        run.clear();
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
