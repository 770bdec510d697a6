package dev.leakline.levers;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.cursors.IntCursor;
import dev.leakline.known.StepPhase;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.result.Lever;
import dev.leakline.result.Lever.Kind;
import dev.leakline.result.Site;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What an optimizer keeps of several steps before, as those that estimate curvature do: one block a step of each kind, the oldest freed first. */
final class OptimizerHistory {
    /** Steps that must be kept at once: a step before, its average and its change are no history. */
    private static final int FEWEST = 4;

    private OptimizerHistory() {}

    static @Nullable Lever find(PeakScene scene) {
        Claim claim = new Claim(scene);
        long largest = 0;
        int steps = 0;
        Site site = null;
        for (IntArrayList blocks : byKind(scene)) {
            int most = isOnePerStep(scene, blocks) && isOldestFirst(scene, blocks) ? mostAtOnce(scene, blocks) : 0;
            if (most >= FEWEST) {
                halve(scene, blocks, most, claim);
                long bytes = most * scene.size(blocks.get(0));
                site = bytes > largest ? scene.site(blocks.get(0)) : site;
                largest = Math.max(largest, bytes);
                steps = Math.max(steps, most);
            }
        }
        return site == null
                ? null
                : claim.lever(
                        Kind.SHORTER_HISTORY,
                        site,
                        "keep half as many steps: the optimizer keeps what it makes there of " + steps
                                + " steps at once (history_size of torch.optim.LBFGS)",
                        "how many it keeps for a moment beside those of its history is not seen");
    }

    private static Iterable<IntArrayList> byKind(PeakScene scene) {
        Map<List<Long>, IntArrayList> kinds = new LinkedHashMap<>();
        for (IntCursor each : scene.allocations) {
            if (scene.isBornIn(each.value, StepPhase.OPTIMIZER)) {
                List<Long> kind =
                        List.of((long) scene.lifetimes.stack(each.value), scene.lifetimes.requested(each.value));
                kinds.computeIfAbsent(kind, _ -> new IntArrayList()).add(each.value);
            }
        }
        return kinds.values();
    }

    /** Whether gradients are computed anew between each block and the next. */
    private static boolean isOnePerStep(PeakScene scene, IntArrayList blocks) {
        boolean isOne = blocks.size() >= FEWEST;
        for (int i = 0; isOne && i + 1 < blocks.size(); i++) {
            int next = scene.lifetimes.born(blocks.get(i + 1));
            isOne = scene.runs.next(StepPhase.BACKWARD, scene.lifetimes.born(blocks.get(i))) < next;
        }
        return isOne;
    }

    private static boolean isOldestFirst(PeakScene scene, IntArrayList blocks) {
        boolean isFirst = true;
        for (int i = 0; isFirst && i + 1 < blocks.size(); i++) {
            isFirst = scene.lifetimes.died(blocks.get(i)) <= scene.lifetimes.died(blocks.get(i + 1));
        }
        return isFirst;
    }

    private static int mostAtOnce(PeakScene scene, IntArrayList blocks) {
        int most = 0;
        int oldest = 0;
        for (int i = 0; i < blocks.size(); i++) {
            while (scene.lifetimes.died(blocks.get(oldest)) < scene.lifetimes.born(blocks.get(i))) {
                oldest++;
            }
            most = Math.max(most, i + 1 - oldest);
        }
        return most;
    }

    private static void halve(PeakScene scene, IntArrayList blocks, int most, Claim claim) {
        for (int i = 0; i < blocks.size(); i++) {
            long size = scene.size(blocks.get(i));
            int died = scene.lifetimes.died(blocks.get(i));
            claim.least.take(born(scene, blocks, i + most / 2 + 1), died, size);
            claim.likely.take(born(scene, blocks, i + most / 2), died, size);
            claim.most.take(born(scene, blocks, i + most / 2), died, size);
        }
    }

    private static int born(PeakScene scene, IntArrayList blocks, int index) {
        return index < blocks.size() ? scene.lifetimes.born(blocks.get(index)) : Lifetimes.NEVER;
    }
}
