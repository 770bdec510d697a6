package dev.leakline.levers;

import dev.leakline.columns.Recorder;
import dev.leakline.evidence.Evidence;
import dev.leakline.known.StepPhase;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.peak.Breakdown;
import dev.leakline.peak.EventWindow;
import dev.leakline.result.Fit;
import dev.leakline.result.Lever;
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
     * The levers that would lower a peak, and whether it fits.
     *
     * @param levers the changes; none where no stack shows what a program computed with its model
     * @param fit null where that is not known, or no device's memory is
     */
    public record Found(List<Lever> levers, @Nullable Fit fit) {}

    /** The changes that would lower the peak of a device, used as told, and whether the program fits into its memory. */
    public static Found of(Evidence evidence, EventWindow window, Breakdown breakdown) {
        boolean isComputing = window.runs().has(StepPhase.FORWARD);
        boolean isSeen = evidence.columns().recorder != Recorder.PROFILER
                && evidence.lifetimes().device() >= 0
                && window.runs().hasPython()
                && (isComputing || window.cut().failure() != Lifetimes.NEVER);
        if (!isSeen) {
            return new Found(List.of(), null);
        }
        PeakScene scene = new PeakScene(evidence, window, breakdown);
        return new Found(
                isComputing ? of(scene) : List.of(),
                evidence.deviceBytes() == 0 ? null : Fitting.of(scene, evidence.deviceBytes()));
    }

    private static List<Lever> of(PeakScene scene) {
        PassLevers passes = new PassLevers(scene);
        OptimizerLevers optimizer = new OptimizerLevers(scene);
        LowerPrecision precision = new LowerPrecision(scene);
        Lever noGraph = passes.withoutGraph();
        boolean keepsGraphs = noGraph != null && isWorthwhile(noGraph, scene);
        return Stream.of(
                        Checkpointing.find(scene),
                        noGraph,
                        passes.retainedGraphs(),
                        passes.results(),
                        passes.keptByProgram(),
                        passes.largeCache(),
                        SparseEmbeddings.find(scene),
                        optimizer.lessState(),
                        passes.lossInParts(),
                        SplitBackward.find(scene),
                        KeptGradients.find(scene),
                        passes.storedModel(),
                        passes.lateFrees(),
                        bounded(precision.autocast(), scene),
                        precision.halfWeights(keepsGraphs),
                        passes.lastPosition(),
                        Batch.longest(scene),
                        Batch.half(scene),
                        optimizer.fused(),
                        optimizer.oneByOne())
                .filter(Objects::nonNull)
                .filter(lever -> isWorthwhile(lever, scene))
                .sorted(Comparator.<Lever>comparingDouble(lever ->
                                -(double) lever.expectedBytes() / lever.kind().effort())
                        .thenComparingLong(lever -> -lever.mostBytes()))
                .toList();
    }

    /** Expects no more of a change than its least where that is not worth it: it may as well cost memory, and a recording does not show in which precision blocks were. */
    private static @Nullable Lever bounded(@Nullable Lever lever, PeakScene scene) {
        long peak = scene.timeline.peak();
        if (lever == null || lever.leastBytes() >= WORTHWHILE * peak) {
            return lever;
        }
        long least = lever.leastBytes();
        long expected = Math.max(least, 0);
        return Lever.of(
                lever.kind(),
                lever.site(),
                peak - expected,
                least,
                expected,
                lever.mostBytes(),
                lever.explanation(),
                lever.width());
    }

    private static boolean isWorthwhile(Lever lever, PeakScene scene) {
        return worth(lever) >= WORTHWHILE * scene.timeline.peak();
    }

    /** The saving that must be worthwhile: the most, where no more is known of it. */
    private static long worth(Lever lever) {
        return switch (lever.kind()) {
            case AUTOCAST, DEL_TENSOR, SHRINK_CACHE, LESS_OPTIMIZER_STATE, HALF_WEIGHTS -> lever.mostBytes();
            default -> lever.expectedBytes();
        };
    }
}
