package dev.leakline.levers;

import com.carrotsearch.hppc.cursors.IntCursor;
import dev.leakline.hash.SeededLongIntMap;
import dev.leakline.hash.SeededLongSet;
import dev.leakline.known.StepPhase;
import dev.leakline.lifetime.Lifetimes;
import java.util.HashMap;
import java.util.Map;

/** The sizes of what optimizers make: of a parameter's size, or of that size in a precision that has two, a half or a quarter of its bytes. */
final class OptimizerSizes {
    private static final double[] PRECISIONS = {1, 2, 0.5, 0.25};

    /** Blocks that stay, by size; those of one stack are of a parameter each. */
    private final Map<Integer, SeededLongIntMap> kept = new HashMap<>();

    private final SeededLongSet passing = new SeededLongSet();
    /** By size, each found once: a model has many parameters of one. */
    private final SeededLongIntMap known = new SeededLongIntMap();

    OptimizerSizes(PeakScene scene) {
        for (IntCursor each : scene.allocations) {
            if (scene.isBornIn(each.value, StepPhase.OPTIMIZER)) {
                long size = scene.lifetimes.requested(each.value);
                if (scene.lifetimes.freed(each.value) == Lifetimes.NEVER) {
                    kept.computeIfAbsent(scene.lifetimes.stack(each.value), _ -> new SeededLongIntMap())
                            .addTo(size, 1);
                } else {
                    passing.add(size);
                }
            }
        }
    }

    /** The most parameters of a size that optimizers can have used. */
    int parameters(long size) {
        if (!known.containsKey(size)) {
            known.put(size, find(size));
        }
        return known.get(size);
    }

    private int find(long size) {
        int most = 0;
        for (double precision : PRECISIONS) {
            most = Math.max(most, made((long) (precision * size)));
        }
        return most;
    }

    private int made(long size) {
        int most = 0;
        for (SeededLongIntMap ofStack : kept.values()) {
            most = Math.max(most, ofStack.getOrDefault(size, 0));
        }
        return most == 0 && passing.contains(size) ? Integer.MAX_VALUE : most;
    }
}
