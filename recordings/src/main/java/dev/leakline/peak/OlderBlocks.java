package dev.leakline.peak;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.cursors.IntCursor;
import com.carrotsearch.hppc.cursors.LongIntCursor;
import dev.leakline.columns.Action;
import dev.leakline.hash.SeededLongIntMap;
import dev.leakline.known.BlasWorkspace;
import dev.leakline.known.StepPhase;
import dev.leakline.lifetime.DeviceEvents;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.lifetime.RoundedSize;
import dev.leakline.result.Peak.Category;

/**
 * Tells parameters from optimizer state among the blocks that are older than a recording, by their sizes. Each trained parameter has a gradient
 * of its size, and an optimizer keeps none, one or two blocks of that size for it, for all parameters alike. So of each size as many blocks as there are gradients
 * are parameters, that many again are what the optimizer keeps, and what is left are parameters that are not trained. Gradients that are
 * never freed, only filled again, are told by those that the engine adds to them. Without a backward pass, all are parameters.
 */
final class OlderBlocks {
    /** Optimizers' steps around the moment that are looked at; a program may take turns with two. */
    private static final int STEPS = 2;
    /** The most blocks of a parameter's size that optimizers keep for it, and its gradient. */
    private static final int MOST_COMPANIONS = 3;
    /** The share of the gradients' bytes that must have such companions: views and small tensors may be missing. */
    private static final double NEARLY_ALL = 0.9;

    private final Lifetimes lifetimes;
    private final PhaseRuns runs;
    private final SeededLongIntMap blocks = new SeededLongIntMap();
    private final SeededLongIntMap gradients = new SeededLongIntMap();
    private final boolean areGradientsOlder;
    /** Whether an optimizer made its state in the recording: then none is older. */
    private final boolean isStateNew;
    /** What is left to be handed out, by size. */
    private final SeededLongIntMap olderGradients = new SeededLongIntMap();

    private final SeededLongIntMap state = new SeededLongIntMap();

    OlderBlocks(Lifetimes lifetimes, PhaseRuns runs, int moment) {
        this.lifetimes = lifetimes;
        this.runs = runs;
        for (IntCursor older : lifetimes.older()) {
            if (runs.outlivesSteps(lifetimes.freed(older.value))) {
                blocks.addTo(rounded(lifetimes.requested(older.value)), 1);
            }
        }
        this.areGradientsOlder = !countGradients(moment, true) && countGradients(moment, false);
        this.isStateNew = isStateNew(lifetimes.events());
        share();
    }

    private static long rounded(long requested) {
        return RoundedSize.PLAIN.of(requested);
    }

    /** Counts what the engine made for each step of an optimizer near the moment: what that step found, or else what was added to what it found. */
    private boolean countGradients(int moment, boolean isFound) {
        IntArrayList ends = runs.stepEnds();
        int present = runs.step(moment);
        for (int step = Math.max(0, present - STEPS + 1); step <= present + STEPS && step < ends.size(); step++) {
            SeededLongIntMap ofStep = new SeededLongIntMap();
            count(step == 0 ? 0 : ends.get(step - 1), ends.get(step), isFound, ofStep);
            for (LongIntCursor size : ofStep) {
                gradients.put(size.key, Math.max(size.value, gradients.getOrDefault(size.key, 0)));
            }
        }
        return !gradients.isEmpty();
    }

    private void count(int from, int to, boolean isFound, SeededLongIntMap ofStep) {
        DeviceEvents events = lifetimes.events();
        for (int event = from; event < to; event++) {
            if (events.action(event) == Action.ALLOC && runs.of(event) == StepPhase.BACKWARD) {
                int allocation = lifetimes.allocation(event);
                boolean isMet = runs.next(StepPhase.OPTIMIZER, event) < lifetimes.died(allocation);
                long size = rounded(events.size(event));
                if (isMet == isFound && (isFound || ofStep.getOrDefault(size, 0) < blocks.getOrDefault(size, 0) / 2)) {
                    ofStep.addTo(size, 1);
                }
            }
        }
    }

    private boolean isStateNew(DeviceEvents events) {
        SeededLongIntMap made = new SeededLongIntMap();
        for (int event = runs.from(); event < runs.to(); event++) {
            boolean isOfOptimizer = events.action(event) == Action.ALLOC && runs.of(event) == StepPhase.OPTIMIZER;
            if (isOfOptimizer && runs.outlivesSteps(lifetimes.freed(lifetimes.allocation(event)))) {
                made.addTo(rounded(events.size(event)), 1);
            }
        }
        return covers(made, 0);
    }

    private void share() {
        int companions = 0;
        for (int each = 1; each <= MOST_COMPANIONS && !(isStateNew && !areGradientsOlder); each++) {
            companions = haveCompanions(each) ? each : companions;
        }
        int kept = areGradientsOlder ? Math.min(companions, 1) : 0;
        for (LongIntCursor size : gradients) {
            int parameters = Math.min(size.value, blocks.getOrDefault(size.key, 0) / (companions + 1));
            olderGradients.put(size.key, kept * parameters);
            state.put(size.key, (companions - kept) * parameters);
        }
    }

    private boolean haveCompanions(int each) {
        return covers(blocks, each);
    }

    /** Whether there are blocks for nearly all gradients, and that many more of each. */
    private boolean covers(SeededLongIntMap of, int more) {
        long all = 0;
        long accompanied = 0;
        for (LongIntCursor size : gradients) {
            long bytes = size.key * size.value;
            all += bytes;
            accompanied += of.getOrDefault(size.key, 0) >= (more + 1L) * size.value ? bytes : 0;
        }
        return all > 0 && accompanied >= NEARLY_ALL * all;
    }

    /** The category of one of the blocks; each call hands out one of its size. */
    Category take(int allocation) {
        long size = rounded(lifetimes.requested(allocation));
        if (takeFrom(state, size)) {
            return Category.OPTIMIZER_STATE;
        }
        if (BlasWorkspace.is(size) && !gradients.containsKey(size)) {
            return Category.OTHER;
        }
        return takeFrom(olderGradients, size) ? Category.GRADIENTS : Category.PARAMETERS;
    }

    private static boolean takeFrom(SeededLongIntMap quota, long size) {
        int left = quota.getOrDefault(size, 0);
        if (left > 0) {
            quota.put(size, left - 1);
        }
        return left > 0;
    }

    /** Whether gradients of a size were seen. */
    boolean hasGradient(long requested) {
        return gradients.containsKey(rounded(requested));
    }
}
