package dev.leakline.levers;

import com.carrotsearch.hppc.cursors.IntCursor;
import dev.leakline.columns.Action;
import dev.leakline.known.HalfPrecision;
import dev.leakline.known.StepPhase;
import dev.leakline.levers.Timeline.Edit;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.result.Lever;
import dev.leakline.result.Lever.Kind;
import dev.leakline.result.Peak.Category;
import dev.leakline.result.Site;
import dev.leakline.site.FramePredicate;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The savings of half precision. A snapshot has sizes and no types: that a program computes in full precision is concluded from what is missing, the
 * copies of weights in half their size that autocast makes in each pass, and a move of the model to half precision.
 */
final class LowerPrecision {
    /** The share of the parameters' bytes that autocast's copies have at the least: what it does not copy are tables and norms. */
    private static final double COPIED = 0.25;
    /** The share of the parameters' bytes that have gradients, below which nearly all are frozen. */
    private static final double TRAINED = 0.1;
    /** Blocks of which one may be kept in both precisions, where what is trained stays in full: an adapter's input beside that of its layer. */
    private static final int IN_BOTH = 4;

    private static final String IF_FULL = ", if it computes in full precision now";
    /** Scalars and biases come in sizes that many blocks have. */
    private static final long SMALL = 1 << 16;

    /** The share of what all lines make that makes one worth naming beside the main one. */
    private static final double NAMED = 0.05;

    private final PeakScene scene;
    private final long parameters;
    private final FramePredicate withWeights;

    /** Finds what half precision would save of a peak. */
    LowerPrecision(PeakScene scene) {
        this.scene = scene;
        this.parameters = scene.bytes(Category.PARAMETERS);
        this.withWeights = scene.stacks.predicate(HalfPrecision::isWithWeights);
    }

    /** Autocast; null where it is on, or where it cannot be said what it would do. */
    @Nullable
    Lever autocast() {
        if (parameters == 0 || isHalf()) {
            return null;
        }
        Precisions precisions = new Precisions(scene);
        Claim claim = new Claim(scene);
        Map<Site, Long> lines = new HashMap<>();
        for (IntCursor each : scene.allocations) {
            int allocation = each.value;
            if (!scene.scalesWithBatch(allocation)) {
                continue;
            }
            halve(allocation, precisions, claim);
            if (isOfGraph(allocation)
                    && scene.isBornIn(allocation, StepPhase.FORWARD)
                    && scene.isLiveAtPeak(allocation)) {
                Site line = scene.caller(allocation);
                claim.isAt(allocation, line);
                if (line != null) {
                    lines.merge(line, scene.size(allocation), Long::sum);
                }
            }
        }
        copyWeights(claim);
        return claim.lever(
                Kind.AUTOCAST,
                claim.site(),
                "compute the forward pass" + others(lines, claim.site())
                        + " and the loss under torch.autocast(\"cuda\", dtype=torch.bfloat16)" + IF_FULL,
                "which blocks halve is told by the functions that made them and the order in which they came; norms, softmax"
                        + " and losses stay in full precision, and what they are added to");
    }

    /** The other lines that call models, largest first, as far as they make enough to be named. */
    private static String others(Map<Site, Long> lines, @Nullable Site main) {
        long all = lines.values().stream().mapToLong(Long::longValue).sum();
        return lines.entrySet().stream()
                .filter(entry -> !entry.getKey().equals(main) && entry.getValue() >= NAMED * all)
                .sorted(Map.Entry.<Site, Long>comparingByValue().reversed().thenComparing(Map.Entry.comparingByKey()))
                .map(entry -> " and that at " + entry.getKey().inWords())
                .collect(Collectors.joining());
    }

    /** Returns whether a pass made it for a backward pass, or a backward pass did, or it stays when its call returns: what else a forward pass holds is gone before it counts. */
    private boolean isOfGraph(int allocation) {
        return scene.isForBackward(allocation)
                || scene.isDropped(allocation)
                || scene.goesAsResult(allocation)
                || scene.isBornIn(allocation, StepPhase.BACKWARD);
    }

    /** Halves a block; at the most, what the program itself makes of a pass's results: it may be in their precision. */
    private void halve(int allocation, Precisions precisions, Claim claim) {
        long half = scene.size(allocation) / 2;
        boolean isOfGraph = isOfGraph(allocation);
        boolean mayBe = isOfGraph || scene.isBornIn(allocation, StepPhase.OUTSIDE);
        claim.takeOf(
                allocation,
                isOfGraph ? precisions.least(allocation) * half : 0,
                isOfGraph ? (long) (precisions.likely(allocation) * half) : 0,
                mayBe ? precisions.most(allocation) * half : 0);
    }

    /** The copies that autocast makes of weights: from the beginning of a forward pass until the optimizer steps. */
    private void copyWeights(Claim claim) {
        int forward = scene.runs.next(StepPhase.FORWARD, scene.from);
        while (forward != Lifetimes.NEVER) {
            int optimizer = scene.runs.next(StepPhase.OPTIMIZER, forward);
            claim.take(forward, optimizer, -parameters / 2, -parameters / 2, 0);
            forward = optimizer == Lifetimes.NEVER ? Lifetimes.NEVER : scene.runs.next(StepPhase.FORWARD, optimizer);
        }
    }

    /**
     * Weights in half precision where nearly all are frozen, or none is trained: what is trained needs full precision to learn by small steps. A graph that
     * nobody needs is another change's.
     *
     * @param keepsGraphs whether its passes keep graphs that no backward pass needs
     */
    @Nullable
    Lever halfWeights(boolean keepsGraphs) {
        boolean isTraining = scene.runs.has(StepPhase.OPTIMIZER);
        long gradients = mostGradients();
        boolean isFrozen = isTraining && gradients + scene.bytes(Category.OPTIMIZER_STATE) < TRAINED * parameters;
        if (!(isFrozen || isInference(keepsGraphs)) || isHalf()) {
            return null;
        }
        Claim claim = new Claim(scene);
        long weights = (parameters - gradients) / 2;
        claim.take(scene.from, scene.to, isFrozen ? weights : 0, isFrozen ? weights : 0, weights);
        for (IntCursor each : scene.allocations) {
            if (scene.scalesWithBatch(each.value)) {
                long halfSize = scene.size(each.value) / 2;
                claim.takeOf(each.value, isFrozen ? -halfSize / IN_BOTH : 0, isFrozen ? halfSize : 0, halfSize);
            }
        }
        return claim.lever(
                Kind.HALF_WEIGHTS,
                null,
                (isFrozen ? "nearly all weights are frozen" : "no weights are trained")
                        + ": load them in half precision (model.bfloat16())" + IF_FULL,
                isFrozen
                        ? "at the least the weights halve; activations do where nothing computes in full precision"
                        : "a recording of a model that only computes forward does not show its precision");
    }

    /** The most bytes of gradients at once. */
    private long mostGradients() {
        Edit gradients = scene.timeline.edit();
        for (IntCursor each : scene.allocations) {
            if (scene.isGradient(each.value)) {
                gradients.takeOf(each.value, scene.size(each.value));
            }
        }
        return gradients.mostTaken(scene.from, scene.to);
    }

    /** Returns whether it only computes forward, and keeps no graph, as far as it ran before it failed. */
    private boolean isInference(boolean keepsGraphs) {
        return !scene.runs.has(StepPhase.OPTIMIZER)
                && !scene.runs.has(StepPhase.BACKWARD)
                && scene.cut.failure() == Lifetimes.NEVER
                && !keepsGraphs;
    }

    /** Returns whether it computes in half precision already. */
    private boolean isHalf() {
        long copies = 0;
        for (IntCursor each : scene.allocations) {
            boolean isCopy = scene.lifetimes.requested(each.value) >= SMALL
                    && scene.mayBeCopyOfWeight(each.value)
                    && scene.isForBackward(each.value)
                    && isBeforeProduct(each.value);
            copies += isCopy ? scene.size(each.value) : 0;
        }
        return copies >= COPIED * parameters || isAny(HalfPrecision::isMove);
    }

    /** Returns whether it is of a product with weights whose next allocation is kept for the backward pass as well: a copy comes before the product's result. */
    private boolean isBeforeProduct(int allocation) {
        int stack = scene.lifetimes.stack(allocation);
        int next = scene.lifetimes.born(allocation) + 1;
        while (next < scene.to && scene.events.action(next) != Action.ALLOC) {
            next++;
        }
        return next < scene.to
                && scene.events.stack(next) == stack
                && isOfWeights(stack)
                && !scene.isFreedBy(scene.lifetimes.allocation(next), StepPhase.FORWARD);
    }

    private boolean isOfWeights(int stack) {
        int innermost = scene.stacks.innermost(stack);
        return innermost >= 0 && withWeights.isTrueOf(innermost);
    }

    private boolean isAny(BiPredicate<String, String> frame) {
        FramePredicate wanted = scene.stacks.predicate(frame);
        return !scene.where(each -> wanted.isIn(scene.lifetimes.stack(each))).isEmpty();
    }
}
