package dev.leakline.levers;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.cursors.IntCursor;
import dev.leakline.levers.Timeline.Edit;
import dev.leakline.result.Lever;
import dev.leakline.result.Lever.Kind;
import org.jspecify.annotations.Nullable;

/** Forward passes whose graph goes all at once, and never by a backward pass: without a graph, each block would go when the next ones are there. */
final class PassesWithoutBackward {
    /** Blocks that a pass without a graph holds at once: what a module is given and what it makes. */
    private static final int AT_ONCE = 2;

    private PassesWithoutBackward() {}

    static @Nullable Lever find(PeakScene scene) {
        IntArrayList kept = new IntArrayList();
        for (IntCursor each : scene.allocations) {
            if (scene.isDropped(each.value)) {
                kept.add(each.value);
            }
        }
        return kept.isEmpty() ? null : lever(scene, kept);
    }

    private static Lever lever(PeakScene scene, IntArrayList kept) {
        Edit edit = scene.timeline.edit();
        int largest = kept.get(0);
        for (int i = 0; i + AT_ONCE < kept.size(); i++) {
            int allocation = kept.get(i);
            int next = scene.lifetimes.born(kept.get(i + AT_ONCE));
            edit.take(next, scene.lifetimes.died(allocation), scene.size(allocation));
            largest = scene.size(allocation) > scene.size(largest) ? allocation : largest;
        }
        return new Lever(
                Kind.NO_GRAD,
                scene.caller(largest),
                edit.saved(),
                edit.peak(),
                "call it under torch.no_grad() or inference_mode(): no backward pass follows, and its graph is dropped whole");
    }
}
