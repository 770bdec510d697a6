package dev.leakline.detect.growth;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.detect.growth.LeakSites.Grower;
import dev.leakline.evidence.Evidence;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.result.Site;
import dev.leakline.steps.StepCursor;
import org.jspecify.annotations.Nullable;

/**
 * Tells optimizer state of parameters that begin to be trained, as when layers are thawed one after another, from that of optimizers that are
 * made again: each time that more state comes, more gradients are made from then on. It ends with the last layer.
 */
final class Thawing {
    /** Times that both come together, of all: nearly all. */
    private static final double NEARLY_ALL = 0.9;

    private final Evidence evidence;
    /** Blocks that backward passes make in each step; counted when optimizer state grows. */
    private int @Nullable [] gradients;

    Thawing(Evidence evidence) {
        this.evidence = evidence;
    }

    /** Returns whether what grows is state that comes with more gradients. */
    boolean explains(Grower grower) {
        int first = grower.group().survivors().get(0);
        int stack = evidence.sites().stack(evidence.survivors().allocation(first));
        return evidence.stacks().state().makesOptimizerState(stack) && isWithMore(grower.steps(), gradients());
    }

    private int[] gradients() {
        if (gradients == null) {
            gradients = counted();
        }
        return gradients;
    }

    private int[] counted() {
        int[] made = new int[evidence.steps().count()];
        StepCursor cursor = new StepCursor(evidence.steps());
        for (int allocation = 0; allocation < evidence.lifetimes().count(); allocation++) {
            int born = evidence.lifetimes().born(allocation);
            int step = born == Lifetimes.BEFORE ? -1 : cursor.of(born);
            if (step >= 0
                    && step < made.length
                    && evidence.sites().site(allocation).kind() == Site.Kind.BACKWARD) {
                made[step]++;
            }
        }
        return made;
    }

    /** Returns whether the steps from each rise on, which shows one step after its blocks were made, make more gradients than the one before it. */
    private static boolean isWithMore(IntArrayList rises, int[] gradients) {
        int more = 0;
        int all = 0;
        for (int i = 0; i < rises.size(); i++) {
            int made = rises.get(i) - 1;
            if (made > 0) {
                all++;
                more += gradients[made] > gradients[made - 1] && gradients[made + 1] > gradients[made - 1] ? 1 : 0;
            }
        }
        return all > 0 && more >= NEARLY_ALL * all;
    }
}
