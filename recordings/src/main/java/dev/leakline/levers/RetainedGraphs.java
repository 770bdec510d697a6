package dev.leakline.levers;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.cursors.IntCursor;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.result.Lever;
import dev.leakline.result.Lever.Kind;
import org.jspecify.annotations.Nullable;

/** Graphs over which a backward pass ran that kept them, and that the program dropped later: without {@code retain_graph=True} that pass would free them. */
final class RetainedGraphs {
    private final PeakScene scene;
    private final BackwardPasses passes;
    private final Claim claim;
    /** What one pass kept, in order of births. */
    private final IntArrayList kept = new IntArrayList();

    private int pass = Lifetimes.NEVER;

    private RetainedGraphs(PeakScene scene) {
        this.scene = scene;
        this.passes = new BackwardPasses(scene);
        this.claim = new Claim(scene);
    }

    static @Nullable Lever find(PeakScene scene) {
        return new RetainedGraphs(scene).find();
    }

    private @Nullable Lever find() {
        int first = Lifetimes.NEVER;
        for (IntCursor each : scene.allocations) {
            int begin = scene.retainedBy(each.value);
            if (begin != Lifetimes.NEVER) {
                first = Math.min(first, begin);
                keep(each.value, begin);
            }
        }
        free();
        return first == Lifetimes.NEVER
                ? null
                : claim.lever(
                        Kind.FREE_GRAPH,
                        scene.site(scene.lifetimes.allocation(first)),
                        "call backward() without retain_graph=True: nothing that it kept was used again, as far as the recording goes; where"
                                + " another pass needs an output, give this one output.detach()",
                        "a pass frees blocks as it goes, the last first: at the least they stay until its end, at the most they go at its"
                                + " begin");
    }

    private void keep(int allocation, int begin) {
        if (begin != pass) {
            free();
            pass = begin;
        }
        kept.add(allocation);
    }

    /** Frees, while the pass runs, what it kept. */
    private void free() {
        int end = pass == Lifetimes.NEVER ? pass : Math.min(passes.end(pass), scene.to);
        for (int i = 0; i < kept.size(); i++) {
            int died = scene.lifetimes.died(kept.get(i));
            int passed = pass + (int) ((long) (end - pass) * (kept.size() - i) / kept.size());
            claim.least.take(end, died, scene.size(kept.get(i)));
            claim.likely.take(passed, died, scene.size(kept.get(i)));
            claim.most.take(pass, died, scene.size(kept.get(i)));
        }
        kept.clear();
    }
}
