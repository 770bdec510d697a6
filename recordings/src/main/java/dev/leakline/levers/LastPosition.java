package dev.leakline.levers;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.cursors.IntCursor;
import dev.leakline.known.BlasWorkspace;
import dev.leakline.known.StepPhase;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.result.Lever;
import dev.leakline.result.Lever.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An output that is large where a prompt is read and small for each token after it: of the large one only the last position is needed. */
final class LastPosition {
    /** The largest must be this many times the usual: prompts have more tokens than that. */
    private static final int TIMES = 4;

    /** Outputs of a line that make it one that generates: tokens come by the dozen. */
    private static final int FEWEST = 8;

    private LastPosition() {}

    static @Nullable Lever find(PeakScene scene) {
        if (scene.runs.has(StepPhase.BACKWARD) || scene.runs.has(StepPhase.OPTIMIZER)) {
            return null;
        }
        Map<List<Integer>, IntArrayList> byPath = new LinkedHashMap<>();
        for (IntCursor each : scene.allocations) {
            if (isOutput(scene, each.value)) {
                List<Integer> path = withinModel(scene, scene.lifetimes.stack(each.value));
                byPath.computeIfAbsent(path, _ -> new IntArrayList()).add(each.value);
            }
        }
        Lever best = null;
        for (IntArrayList outputs : byPath.values()) {
            Lever lever = lever(scene, outputs);
            best = lever != null && (best == null || lever.expectedBytes() > best.expectedBytes()) ? lever : best;
        }
        return best;
    }

    /** The frames from the call of the model inwards: a program may read the prompt at one line, and the tokens after it at another. */
    private static List<Integer> withinModel(PeakScene scene, int stack) {
        List<Integer> frames = new ArrayList<>();
        for (int depth = scene.table.depth(stack) - 1; depth >= 0; depth--) {
            int frame = scene.table.frame(stack, depth);
            if (!frames.isEmpty() || scene.stacks.isModuleCall(frame)) {
                frames.add(frame);
            }
        }
        return frames;
    }

    private static boolean isOutput(PeakScene scene, int allocation) {
        return scene.isBornIn(allocation, StepPhase.FORWARD)
                && !scene.isFreedBy(allocation, StepPhase.FORWARD)
                && !goesWithAGraph(scene, allocation)
                && !scene.isForBackward(allocation)
                && scene.stacks.callsModule(scene.lifetimes.stack(allocation))
                && !BlasWorkspace.is(scene.size(allocation));
    }

    /** Whether it goes with many others, as a graph does; the last outputs may also go with the cache of keys and values. */
    private static boolean goesWithAGraph(PeakScene scene, int allocation) {
        int freed = scene.lifetimes.freed(allocation);
        return freed == Lifetimes.NEVER ? scene.isDropped(allocation) : scene.runs.goesWithMany(freed);
    }

    private static @Nullable Lever lever(PeakScene scene, IntArrayList outputs) {
        long[] sizes = new long[outputs.size()];
        for (int i = 0; i < sizes.length; i++) {
            sizes[i] = scene.size(outputs.get(i));
        }
        Arrays.sort(sizes);
        long usual = sizes[sizes.length / 2];
        if (sizes.length < FEWEST || sizes[sizes.length - 1] < TIMES * usual) {
            return null;
        }
        Claim claim = new Claim(scene);
        for (IntCursor output : outputs) {
            long more = Math.max(0, scene.size(output.value) - usual);
            claim.take(
                    scene.lifetimes.born(output.value),
                    scene.lifetimes.died(output.value),
                    Math.max(0, more - usual),
                    more,
                    scene.size(output.value));
        }
        return claim.lever(
                Kind.LAST_LOGITS_ONLY,
                scene.site(outputs.get(0)),
                "compute the output of the last position only, where the prompt is read: what is used of it is no more; to read the prompt in parts"
                        + " lowers what the layers make, too",
                "the last position's output is taken to be as large as the usual one");
    }
}
