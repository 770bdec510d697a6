package dev.leakline.levers;

import com.carrotsearch.hppc.cursors.IntCursor;
import dev.leakline.hash.SeededLongIntMap;
import dev.leakline.hash.SeededLongSet;
import dev.leakline.known.StepPhase;
import java.util.HashMap;
import java.util.Map;

/** The sizes of what optimizers make: of a parameter's size, or of that size in a precision that has two, a half or a quarter of its bytes. */
final class OptimizerSizes {
    private static final double[] PRECISIONS = {1, 2, 0.5, 0.25};

    /** The most blocks of one stack that stay, by size: those of one stack are of a parameter each. */
    private final SeededLongIntMap most = new SeededLongIntMap();

    private final SeededLongSet passing = new SeededLongSet();

    OptimizerSizes(PeakScene scene) {
        Map<Integer, SeededLongIntMap> kept = new HashMap<>();
        for (IntCursor each : scene.allocations) {
            if (scene.isBornIn(each.value, StepPhase.OPTIMIZER)) {
                long size = scene.lifetimes.requested(each.value);
                if (scene.outlivesSteps(each.value)) {
                    int count = kept.computeIfAbsent(scene.lifetimes.stack(each.value), _ -> new SeededLongIntMap())
                            .addTo(size, 1);
                    most.put(size, Math.max(count, most.getOrDefault(size, 0)));
                } else {
                    passing.add(size);
                }
            }
        }
    }

    /** The most parameters of a size that optimizers can have used. */
    int parameters(long size) {
        int parameters = 0;
        for (double precision : PRECISIONS) {
            parameters = Math.max(parameters, made((long) (precision * size)));
        }
        return parameters;
    }

    private int made(long size) {
        int stay = most.getOrDefault(size, 0);
        return stay == 0 && passing.contains(size) ? Integer.MAX_VALUE : stay;
    }
}
