package dev.leakline.levers;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.known.StepPhase;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.primitive.Bisection;
import java.util.function.IntConsumer;

/** The backward passes around a peak, one after the other, and what each makes and frees. */
final class BackwardPasses {
    /** Takes a pass: from one event until before another. */
    interface Visitor {
        void visit(int begin, int end);
    }

    private final PeakScene scene;
    /** The first events of passes that keep their graphs. */
    private final IntArrayList retaining = new IntArrayList();

    BackwardPasses(PeakScene scene) {
        this.scene = scene;
        forEach((begin, end) -> {
            if (keepsGraph(begin, end)) {
                retaining.add(begin);
            }
        });
    }

    /** Visits all, in order. */
    void forEach(Visitor visitor) {
        int begin = scene.runs.next(StepPhase.BACKWARD, scene.from);
        while (begin != Lifetimes.NEVER && begin < scene.to) {
            int end = end(begin);
            visitor.visit(begin, Math.min(end, scene.to));
            begin = end == Lifetimes.NEVER ? end : scene.runs.next(StepPhase.BACKWARD, end);
        }
    }

    /** The first event after a backward pass that is an optimizer's or begins the next forward pass. */
    int end(int event) {
        return Math.min(scene.runs.next(StepPhase.FORWARD, event), scene.runs.next(StepPhase.OPTIMIZER, event));
    }

    /** The allocations of the forward pass that the engine frees from one event until before another, in order. */
    void forEachReleased(int begin, int end, IntConsumer consumer) {
        for (int event = begin; event < end; event++) {
            int allocation = scene.events.action(event).isFree() ? scene.lifetimes.allocation(event) : Lifetimes.NONE;
            boolean isReleased = allocation != Lifetimes.NONE
                    && scene.lifetimes.freed(allocation) == event
                    && scene.isForBackward(allocation)
                    && scene.runs.of(event) == StepPhase.BACKWARD;
            if (isReleased) {
                consumer.accept(allocation);
            }
        }
    }

    /** The first event of the first pass during a block's life that kept its graph; {@link Lifetimes#NEVER} where none did. */
    int retaining(int allocation) {
        int index = Bisection.first(retaining.size(), i -> retaining.get(i) > scene.lifetimes.born(allocation));
        int begin = index < retaining.size() ? retaining.get(index) : Lifetimes.NEVER;
        return begin < scene.lifetimes.died(allocation) ? begin : Lifetimes.NEVER;
    }

    /** Returns whether a pass from one event until before another frees nothing that a forward pass made, as with {@code retain_graph=True}. */
    private boolean keepsGraph(int begin, int end) {
        for (int event = begin; event < end; event++) {
            int allocation = scene.events.action(event).isFree() ? scene.lifetimes.allocation(event) : Lifetimes.NONE;
            if (allocation != Lifetimes.NONE && isOfForward(allocation) && scene.runs.of(event) == StepPhase.BACKWARD) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether a forward pass made it, or may have made it before the recording. */
    private boolean isOfForward(int allocation) {
        return scene.lifetimes.born(allocation) == Lifetimes.BEFORE || scene.isBornIn(allocation, StepPhase.FORWARD);
    }
}
