package dev.leakline.detect;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Which figures count the same memory, layer in layer: what tensors hold is part of what the allocator has, that of what the process has,
 * that of what is used on the device.
 *
 * <p>Two figures belong together where device and process may be the same. Where a source has several of a kind, as a log of many ranks
 * has, their labels must be the same, too.
 */
final class FigureGroups {
    private final List<JudgedFigure> all;

    FigureGroups(List<JudgedFigure> all) {
        this.all = all;
    }

    /** The figures of a layer that count part of a figure's memory, or its own; the surest first. */
    List<JudgedFigure> within(JudgedFigure figure, Layer layer) {
        List<JudgedFigure> candidates = all.stream()
                .filter(other -> other.layer() == layer && mayShare(figure, other))
                .sorted(Comparator.comparing(FigureGroups::isPeak)
                        .thenComparing(other -> other.subject().quantity()))
                .toList();
        List<JudgedFigure> labelled = candidates.stream()
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
    Optional<JudgedFigure> judged(JudgedFigure figure, Layer layer) {
        return within(figure, layer).stream()
                .filter(other -> other.grows() || other.holds())
                .findFirst();
    }

    private static boolean isPeak(JudgedFigure figure) {
        return Layer.isPeak(figure.subject().quantity());
    }

    private static boolean mayShare(JudgedFigure figure, JudgedFigure other) {
        return FigureSet.isSame(figure.subject().device(), other.subject().device())
                && (figure.subject().process() < 0
                        || other.subject().process() < 0
                        || figure.subject().process() == other.subject().process());
    }
}
