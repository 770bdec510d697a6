package dev.leakline.levers;

import com.carrotsearch.hppc.cursors.IntCursor;
import dev.leakline.known.StepPhase;
import dev.leakline.result.Lever;
import dev.leakline.result.Lever.Kind;
import dev.leakline.result.Peak.Category;
import dev.leakline.result.Peak.Use;
import dev.leakline.result.Site;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an optimizer keeps, where nothing at the peak is larger. Which other optimizer would train as well no recording shows, so what it would save is
 * only bounded: without state and temporaries.
 */
final class OptimizerState {
    private OptimizerState() {}

    /** An optimizer that keeps less, by the uses at the peak, largest first. */
    static @Nullable Lever find(PeakScene scene, List<Use> uses) {
        if (uses.isEmpty() || uses.getFirst().category() != Category.OPTIMIZER_STATE) {
            return null;
        }
        Claim claim = new Claim(scene);
        long older = uses.getFirst().bytes();
        long largest = 0;
        Site site = null;
        for (IntCursor each : scene.allocations) {
            if (scene.isBornIn(each.value, StepPhase.OPTIMIZER)) {
                long size = scene.size(each.value);
                claim.most.take(scene.lifetimes.born(each.value), scene.lifetimes.died(each.value), size);
                older -= scene.isLiveAtPeak(each.value) && scene.outlivesSteps(each.value) ? size : 0;
                site = size > largest ? scene.site(each.value) : site;
                largest = Math.max(largest, size);
            }
        }
        claim.most.take(scene.from, scene.to, Math.max(older, 0));
        return claim.lever(
                Kind.LESS_OPTIMIZER_STATE,
                site,
                "an optimizer with its state in 8 bits, such as bitsandbytes has for some, keeps a quarter of it, SGD without momentum none; whether"
                        + " that trains as well no recording shows",
                "from nothing to all that the optimizer keeps and makes");
    }
}
