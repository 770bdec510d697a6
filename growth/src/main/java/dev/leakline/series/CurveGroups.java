package dev.leakline.series;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Groups the figures that count the same memory into layers: tensors are part of what the allocator reserves, that is part of what the
 * process uses, and that is part of what is used on the device.
 *
 * <p>Two figures belong together where device and process may be the same. Where a source has several of a kind, as a log of many ranks
 * has, their labels must be the same, too.
 */
final class CurveGroups {
    private final List<JudgedCurve> all;

    CurveGroups(List<JudgedCurve> all) {
        this.all = all;
    }

    /** The figures of a layer that count part of a figure's memory, or its own; the surest first. */
    List<JudgedCurve> within(JudgedCurve figure, Layer layer) {
        List<JudgedCurve> candidates = all.stream()
                .filter(other -> other.layer() == layer && mayShare(figure, other))
                .sorted(Comparator.comparing(CurveGroups::isPeak)
                        .thenComparing(other -> other.subject().quantity()))
                .toList();
        List<JudgedCurve> labelled = candidates.stream()
                .filter(other -> other.subject().label().equals(figure.subject().label()))
                .toList();
        boolean isAmbiguous = candidates.stream()
                .anyMatch(other -> candidates.stream()
                        .anyMatch(twin -> !twin.equals(other)
                                && twin.subject().quantity() == other.subject().quantity()
                                && twin.figure().input() == other.figure().input()));
        return isAmbiguous ? labelled : candidates;
    }

    /** The figure that says best what a layer of a figure's memory does: the first that can be judged. */
    Optional<JudgedCurve> judged(JudgedCurve figure, Layer layer) {
        return within(figure, layer).stream()
                .filter(other -> other.grows() || other.holds())
                .findFirst();
    }

    private static boolean isPeak(JudgedCurve figure) {
        return Layer.isPeak(figure.subject().quantity());
    }

    private static boolean mayShare(JudgedCurve figure, JudgedCurve other) {
        return CurveSet.isSame(figure.subject().device(), other.subject().device())
                && (figure.subject().process() < 0
                        || other.subject().process() < 0
                        || figure.subject().process() == other.subject().process());
    }
}
