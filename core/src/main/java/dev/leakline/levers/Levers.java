package dev.leakline.levers;

import com.carrotsearch.hppc.cursors.IntCursor;
import dev.leakline.columns.Recorder;
import dev.leakline.evidence.Culprits;
import dev.leakline.evidence.Evidence;
import dev.leakline.known.StepPhase;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.peak.PhaseRuns;
import dev.leakline.result.Fit;
import dev.leakline.result.Lever;
import dev.leakline.result.Lever.Kind;
import dev.leakline.result.Peak.Use;
import dev.leakline.result.Site;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The changes that would lower a device's peak, those with the most bytes for their effort first. */
public final class Levers {
    /** The share of the peak that a change must save to be worth an attempt. */
    private static final double WORTHWHILE = 0.05;

    private Levers() {}

    /**
     * What would lower a peak, and whether it fits.
     *
     * @param levers the changes; none where no stack shows what a program computed with its model
     * @param fit null where that is not known, or no device's memory is
     */
    public record Found(List<Lever> levers, @Nullable Fit fit) {}

    /** The changes that would lower the peak of a device, used as told, and whether the program fits into its memory. */
    public static Found of(Evidence evidence, PhaseRuns runs, List<Use> uses, Culprits leaked) {
        boolean isComputing = runs.has(StepPhase.FORWARD);
        boolean isSeen = evidence.columns().recorder != Recorder.PROFILER
                && evidence.lifetimes().device() >= 0
                && runs.hasPython()
                && (isComputing || runs.ending() != Lifetimes.NEVER);
        if (!isSeen) {
            return new Found(List.of(), null);
        }
        PeakScene scene = new PeakScene(evidence, runs, leaked);
        return new Found(
                isComputing ? of(scene, uses) : List.of(),
                evidence.deviceBytes() == 0 ? null : Fitting.of(scene, evidence.deviceBytes()));
    }

    private static List<Lever> of(PeakScene scene, List<Use> uses) {
        LowerPrecision precision = new LowerPrecision(scene, uses);
        Lever noGraph = PassesWithoutBackward.find(scene);
        boolean keepsGraphs = noGraph != null && isWorthwhile(noGraph, scene);
        return Stream.of(
                        Stream.of(
                                Checkpointing.find(scene),
                                noGraph,
                                RetainedGraphs.find(scene),
                                PassResults.find(scene),
                                UntrainedParameters.find(scene),
                                SparseEmbeddings.find(scene),
                                OptimizerHistory.find(scene),
                                OptimizerMemory.lessState(scene, uses),
                                LossInParts.find(scene),
                                KeptGradients.find(scene),
                                storedModel(scene),
                                LateFrees.find(scene),
                                precision.autocast(),
                                precision.halfWeights(keepsGraphs),
                                LastPosition.find(scene),
                                Batch.longest(scene),
                                Batch.half(scene)),
                        OptimizerMemory.withoutTemporaries(scene).stream())
                .flatMap(each -> each)
                .filter(Objects::nonNull)
                .filter(lever -> isWorthwhile(lever, scene))
                .sorted(Comparator.<Lever>comparingDouble(lever -> -lever.expectedBytes() / effort(lever))
                        .thenComparingLong(lever -> -lever.mostBytes()))
                .toList();
    }

    private static boolean isWorthwhile(Lever lever, PeakScene scene) {
        return worth(lever) >= WORTHWHILE * scene.timeline.peak();
    }

    /**
     * What of a change must be worthwhile: the least of autocast, as it may even cost memory and a recording does not show in which precision blocks were; the most, where no more is
     * known of it.
     */
    private static long worth(Lever lever) {
        return switch (lever.kind()) {
            case AUTOCAST -> lever.leastBytes();
            case DEL_TENSOR, LESS_OPTIMIZER_STATE, HALF_WEIGHTS -> lever.mostBytes();
            default -> lever.expectedBytes();
        };
    }

    /** How much more a change must save to be tried before one that costs nothing but a word: computing time and precision count twice, another training run thrice. */
    private static double effort(Lever lever) {
        return switch (lever.kind()) {
            case NO_GRAD,
                    FREE_GRAPH,
                    SET_TO_NONE,
                    FREE_STATE_DICT,
                    DEL_TENSOR,
                    RESULTS_ON_HOST,
                    LAST_LOGITS_ONLY,
                    FUSED_OPTIMIZER,
                    FOREACH_FALSE,
                    SHORTER_HISTORY -> 1;
            case AUTOCAST, HALF_WEIGHTS, CHECKPOINT, CHUNK_LOSS, SPARSE_GRADIENTS, LESS_OPTIMIZER_STATE -> 2;
            case SHORTER_INPUT, SMALLER_BATCH -> 3;
        };
    }

    /**
     * A stored model that was read to the device and is still there when the model computes: {@code load_state_dict} copies, so it is a second set of
     * weights. It could go before the first forward pass after it was read.
     */
    private static @Nullable Lever storedModel(PeakScene scene) {
        Claim claim = new Claim(scene);
        Site site = null;
        for (IntCursor each : scene.allocations) {
            int allocation = each.value;
            if (scene.isBornIn(allocation, StepPhase.READING)) {
                int used = scene.runs.next(StepPhase.FORWARD, scene.lifetimes.born(allocation));
                claim.take(used, scene.lifetimes.died(allocation), scene.size(allocation));
                site = scene.site(allocation);
            }
        }
        return site == null
                ? null
                : claim.lever(
                        Kind.FREE_STATE_DICT,
                        site,
                        "read it with map_location=\"cpu\", or del it once it is in the model",
                        "");
    }
}
