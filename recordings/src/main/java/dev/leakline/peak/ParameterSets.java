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
import dev.leakline.peak.Categories.Guess;
import dev.leakline.result.Peak.Category;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Tells parameters, what optimizers keep for them and copies of them from one another where nobody shows who made them for what: by their sizes. Each trained parameter has a
 * gradient of its size, and an optimizer keeps none, one or two blocks of that size for it, for all parameters alike. So of each size as many blocks as there are
 * gradients are parameters, that many again are what the optimizer keeps, and what is left are copies of parameters, or parameters of models that are not trained. Gradients that
 * are never freed, only filled again, are told by those that the engine adds to them. Without a backward pass, all are parameters.
 */
final class ParameterSets {
    /** Optimizers' steps around the moment that are looked at; a program may take turns with two. */
    private static final int STEPS = 2;
    /** The most blocks of a parameter's size that most optimizers keep for it; one more is its gradient, or a copy. */
    private static final int COMPANIONS = 2;
    /** Streams that compute with cuBLAS; weights of that size come in larger numbers. */
    private static final int MOST_WORKSPACES = 8;
    /** The share of the gradients' bytes that must have such companions: views and small tensors may be missing. */
    private static final double NEARLY_ALL = 0.9;

    private final Lifetimes lifetimes;
    private final EventWindow window;
    private final PhaseRuns runs;
    private final OptimizerSteps steps;
    /** True where a model computes that is not trained, so that what is left over may be its own. */
    private final boolean isAnyUntrained;

    private final SeededLongIntMap blocks = new SeededLongIntMap();
    private final SeededLongIntMap gradients = new SeededLongIntMap();
    private final boolean areGradientsOlder;
    /** True where an optimizer made its state in the recording: then none is older. */
    private final boolean isStateNew;
    /** Blocks that are left to be handed out, by size. */
    private final SeededLongIntMap olderGradients = new SeededLongIntMap();

    private final SeededLongIntMap state = new SeededLongIntMap();
    private final SeededLongIntMap parameters = new SeededLongIntMap();
    private final SeededLongIntMap made = new SeededLongIntMap();
    /** By size, the parameters that are trained, and all of them. */
    private final SeededLongIntMap trained = new SeededLongIntMap();

    private int allTrained;
    /** All that was read from storage; then what of it is an optimizer's: a model's own parameters are read into those that it has. */
    private final SeededLongIntMap read = new SeededLongIntMap();

    ParameterSets(Lifetimes lifetimes, EventWindow window, int moment) {
        this.lifetimes = lifetimes;
        this.window = window;
        this.runs = window.runs();
        this.steps = window.steps();
        this.isAnyUntrained = window.graphs().hasUntrainedPass();
        for (IntCursor older : lifetimes.older()) {
            if (steps.areOutlivedBy(lifetimes.freed(older.value))) {
                blocks.addTo(rounded(lifetimes.requested(older.value)), 1);
            }
        }
        this.areGradientsOlder = !countGradients(moment, true) && countGradients(moment, false);
        SeededLongIntMap made = new SeededLongIntMap();
        SeededLongIntMap moved = new SeededLongIntMap();
        SeededLongIntMap ofOptimizer = new SeededLongIntMap();
        count(made, moved, ofOptimizer);
        this.isStateNew = covers(made, 0);
        share();
        shareMade(moved, ofOptimizer);
    }

    private static long rounded(long requested) {
        return RoundedSize.PLAIN.of(requested);
    }

    /** Counts what the engine made for each step near the moment: what that step found, or else what was added to what it found. */
    private boolean countGradients(int moment, boolean isFound) {
        IntArrayList ends = steps.bounds();
        int present = steps.of(moment);
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
                long size = rounded(events.size(event));
                boolean isAdded = ofStep.getOrDefault(size, 0) < blocks.getOrDefault(size, 0) / 2;
                if (isMet(lifetimes.allocation(event), event) == isFound && (isFound || isAdded)) {
                    ofStep.addTo(size, 1);
                }
            }
        }
    }

    /** Returns whether an optimizer's step finds it; where no optimizer is PyTorch's, whether it is as large as a parameter and left by its pass. */
    private boolean isMet(int allocation, int born) {
        int freed = lifetimes.freed(allocation);
        return steps.ends().isEmpty()
                ? window.hasSizeOfState(lifetimes.requested(allocation))
                        && (freed == Lifetimes.NEVER || runs.of(freed) != StepPhase.BACKWARD)
                : runs.next(StepPhase.OPTIMIZER, born) < lifetimes.died(allocation);
    }

    /** Counts what stays of what optimizers made, of what was moved to the device, and by how many parameters of a size an optimizer can have used: one block of a stack is of each. */
    private void count(SeededLongIntMap made, SeededLongIntMap moved, SeededLongIntMap ofOptimizer) {
        DeviceEvents events = lifetimes.events();
        Map<Integer, SeededLongIntMap> byStack = new HashMap<>();
        for (int event = 0; event < runs.to(); event++) {
            int allocation = events.action(event) == Action.ALLOC ? lifetimes.allocation(event) : Lifetimes.NONE;
            if (allocation == Lifetimes.NONE) {
                continue;
            }
            long size = rounded(events.size(event));
            StepPhase phase = runs.of(event);
            if (phase == StepPhase.READING) {
                read.addTo(size, 1);
            } else if (steps.areOutlivedBy(lifetimes.freed(allocation))) {
                switch (phase) {
                    case OPTIMIZER -> {
                        made.addTo(size, event >= runs.from() ? 1 : 0);
                        int count = byStack.computeIfAbsent(events.stack(event), _ -> new SeededLongIntMap())
                                .addTo(size, 1);
                        ofOptimizer.put(size, Math.max(count, ofOptimizer.getOrDefault(size, 0)));
                    }
                    case MOVING, MAKING -> moved.addTo(size, 1);
                    default -> {}
                }
            }
        }
    }

    private void share() {
        int companions = 0;
        for (int each = 1; each <= COMPANIONS + 1 && !(isStateNew && !areGradientsOlder); each++) {
            companions = covers(blocks, each) ? each : companions;
        }
        int kept = areGradientsOlder ? Math.min(companions, 1) : 0;
        for (LongIntCursor size : gradients) {
            int older = Math.min(size.value, blocks.getOrDefault(size.key, 0) / (companions + 1));
            parameters.put(size.key, older);
            olderGradients.put(size.key, kept * older);
            state.put(size.key, Math.min(companions - kept, COMPANIONS) * older);
        }
    }

    /** Counts as parameters as many of the program's own blocks of a size as are trained, and were neither there before nor moved to the device. */
    private void shareMade(SeededLongIntMap moved, SeededLongIntMap ofOptimizer) {
        for (SeededLongIntMap each : List.of(gradients, ofOptimizer)) {
            for (LongIntCursor size : each) {
                trained.put(size.key, Math.max(size.value, trained.getOrDefault(size.key, 0)));
            }
        }
        for (LongIntCursor size : trained) {
            allTrained += size.value;
            int known = moved.getOrDefault(size.key, 0) + parameters.getOrDefault(size.key, 0);
            made.put(size.key, Math.max(0, size.value - known));
            int sets = isStateNew ? 0 : read.getOrDefault(size.key, 0) / size.value - 1;
            read.put(size.key, Math.clamp(sets, 0, COMPANIONS) * size.value);
        }
    }

    /** Returns whether there are blocks for nearly all gradients, and that many more of each. */
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

    /** The category of a block that is older than the recording; each call hands out one of its size. */
    Guess older(int allocation) {
        long size = rounded(lifetimes.requested(allocation));
        if (takeFrom(state, size)) {
            return new Guess(Category.OPTIMIZER_STATE, Category.OTHER);
        }
        if (isWorkspace(allocation)) {
            return new Guess(Category.OTHER, Category.PARAMETERS);
        }
        if (takeFrom(olderGradients, size)) {
            return new Guess(Category.GRADIENTS, Category.OPTIMIZER_STATE);
        }
        if (takeFrom(parameters, size)) {
            return new Guess(Category.PARAMETERS, null);
        }
        return !gradients.containsKey(size) || isAnyUntrained
                ? new Guess(Category.PARAMETERS, Category.OTHER)
                : new Guess(Category.OTHER, Category.PARAMETERS);
    }

    /** Returns whether a block is as large as a workspace of cuBLAS, and one of few: there is one for each stream that computes. */
    boolean isWorkspace(int allocation) {
        long size = rounded(lifetimes.requested(allocation));
        return BlasWorkspace.is(size)
                && blocks.getOrDefault(size, 0) <= MOST_WORKSPACES
                && !gradients.containsKey(size);
    }

    /** Returns whether a block that the program itself made is one of the parameters that it trains; each call hands out one of its size. */
    boolean isTrained(int allocation) {
        return takeFrom(made, rounded(lifetimes.requested(allocation)));
    }

    /** Returns whether a block is as large as what is trained, and no more than a copy of it: an average, or what an optimizer by hand keeps. */
    boolean isCopy(int allocation) {
        return !isAnyUntrained && hasSizeOfTrained(allocation);
    }

    /** Returns whether a block is as large as one of the parameters that are trained. */
    boolean hasSizeOfTrained(int allocation) {
        return trained(allocation) > 0;
    }

    /** Returns whether a block that was read from storage is what an optimizer goes on with; each call hands out one of its size. */
    boolean isReadForOptimizer(int allocation) {
        return takeFrom(read, rounded(lifetimes.requested(allocation)));
    }

    /** The parameters of a block's size that are trained. */
    int trained(int allocation) {
        return trained.getOrDefault(rounded(lifetimes.requested(allocation)), 0);
    }

    /** Returns whether so many blocks are nearly as many as parameters are trained. */
    boolean isNearlyAll(int blocks) {
        return blocks > 1 && blocks >= NEARLY_ALL * allTrained;
    }

    /** Returns whether there is anything from before the recording that stays, such as a model. */
    boolean hasOlder() {
        return !blocks.isEmpty();
    }

    private static boolean takeFrom(SeededLongIntMap quota, long size) {
        int left = quota.getOrDefault(size, 0);
        if (left > 0) {
            quota.put(size, left - 1);
        }
        return left > 0;
    }
}
