package dev.leakline.levers;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.cursors.IntCursor;
import dev.leakline.levers.Timeline.Edit;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.peak.KeptGraphs;
import dev.leakline.result.Lever;
import dev.leakline.result.Lever.Kind;
import org.jspecify.annotations.Nullable;

/** Forward passes whose graph goes all at once, and never by a backward pass: without a graph, each block would go when the next ones are there. */
final class PassesWithoutBackward {
    private static final int AT_ONCE = KeptGraphs.AT_ONCE;
    /** With a branch beside the main path, such as a residual one, and one block more. */
    static final int MOST_AT_ONCE = 4;

    private PassesWithoutBackward() {}

    static @Nullable Lever find(PeakScene scene) {
        IntArrayList kept = new IntArrayList();
        for (IntCursor each : scene.allocations) {
            if (scene.isDropped(each.value) && scene.retainedBy(each.value) == Lifetimes.NEVER) {
                kept.add(each.value);
            }
        }
        return kept.isEmpty() ? null : lever(scene, kept);
    }

    private static Lever lever(PeakScene scene, IntArrayList kept) {
        Claim claim = new Claim(scene);
        shorten(scene, kept, MOST_AT_ONCE, claim.least);
        shorten(scene, kept, AT_ONCE, claim.likely);
        shorten(scene, kept, 1, claim.most);
        int largest = kept.get(0);
        for (int i = 0; i + AT_ONCE < kept.size(); i++) {
            largest = scene.size(kept.get(i)) > scene.size(largest) ? kept.get(i) : largest;
        }
        return claim.lever(
                Kind.NO_GRAD,
                scene.caller(largest),
                "call it under torch.no_grad() or inference_mode(): no backward pass follows, and its graph is dropped whole",
                "a pass without a graph is taken to hold " + AT_ONCE + " blocks at once; it may be 1 to "
                        + MOST_AT_ONCE);
    }

    /** Frees each block when so many that come after it are there. */
    static void shorten(PeakScene scene, IntArrayList kept, int atOnce, Edit edit) {
        for (int i = 0; i + atOnce < kept.size(); i++) {
            int next = scene.lifetimes.born(kept.get(i + atOnce));
            edit.take(next, scene.lifetimes.died(kept.get(i)), scene.size(kept.get(i)));
        }
    }
}
