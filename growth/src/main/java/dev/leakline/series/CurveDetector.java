package dev.leakline.series;

import dev.leakline.columns.MemorySeries.Quantity;
import dev.leakline.result.Acquittal;
import dev.leakline.result.Acquittal.Reason;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds the figures that grow, and the layer whose memory grows. Of figures that hold each other only the innermost that grows is a
 * finding: the others grow because it does. Where the next figure further in stays level, the growth is that of the layer between.
 */
final class CurveDetector {
    private final List<JudgedCurve> all;
    private final CurveGroups groups;

    CurveDetector(List<JudgedCurve> all) {
        this.all = all;
        this.groups = new CurveGroups(all);
    }

    /** The findings. */
    List<Finding> findings() {
        List<Finding> findings = new ArrayList<>();
        for (JudgedCurve figure : all) {
            if (isGrower(figure)) {
                finding(figure).ifPresent(findings::add);
            }
            if (figure.subject().quantity() == Quantity.OUT_OF_MEMORY && figure.rise() > 0) {
                findings.add(CurveFinding.ofFailures(figure));
            }
        }
        return findings;
    }

    /** Growth that is not a leak, with its reasons. */
    List<Acquittal> acquittals() {
        List<Acquittal> acquittals = new ArrayList<>();
        for (JudgedCurve figure : all) {
            if (figure.layer() != Layer.NONE) {
                reason(figure).ifPresent(reason -> acquittals.add(acquittal(figure, reason)));
            }
        }
        return acquittals;
    }

    private boolean isGrower(JudgedCurve figure) {
        return figure.grows() && isFirstOfLayer(figure);
    }

    /** Returns whether a layer of this memory is judged by this figure, and not by another of the same layer. */
    private boolean isFirstOfLayer(JudgedCurve figure) {
        return groups.judged(figure, figure.layer()).filter(figure::equals).isPresent();
    }

    private Optional<Finding> finding(JudgedCurve figure) {
        Optional<JudgedCurve> inner = Optional.empty();
        for (Layer layer : Layer.values()) {
            if (layer.isWithin(figure.layer())) {
                Optional<JudgedCurve> judged = groups.judged(figure, layer);
                if (groups.within(figure, layer).stream().anyMatch(this::isGrower)) {
                    return Optional.empty();
                }
                inner = judged.isPresent() ? judged : inner;
            }
        }
        return Optional.of(new CurveFinding(figure, kind(figure, inner), inner.orElse(null)).build());
    }

    /** The kind of growth: over a level inner figure, the allocator's cache or memory that the allocator does not know of. */
    private static Kind kind(JudgedCurve figure, Optional<JudgedCurve> inner) {
        return inner.isEmpty() || figure.layer() == Layer.TENSORS
                ? Kind.LEAK
                : figure.layer() == Layer.ALLOCATOR ? Kind.FRAGMENTATION : Kind.RESIDUAL;
    }

    private Optional<Reason> reason(JudgedCurve figure) {
        if (figure.grows()) {
            boolean isPeakOnly = Layer.isPeak(figure.subject().quantity()) && !isFirstOfLayer(figure);
            return isPeakOnly && holds(figure) ? Optional.of(Reason.INPUT_SIZE) : Optional.empty();
        }
        return switch (figure.shape()) {
            case WARM_UP -> Optional.of(Reason.WARM_UP);
            case PERIODIC -> Optional.of(Reason.PERIODIC);
            case LEVELS -> Optional.of(Reason.PHASES);
            case GROWS, LEVEL, SWINGS, TOO_FEW -> Optional.empty();
        };
    }

    private boolean holds(JudgedCurve peak) {
        return groups.judged(peak, peak.layer()).map(JudgedCurve::holds).orElse(false);
    }

    private static Acquittal acquittal(JudgedCurve figure, Reason reason) {
        String text = reason == Reason.INPUT_SIZE
                ? figure.name() + " " + figure.reason() + ", but allocated memory does not grow"
                : figure.name() + " " + figure.reason();
        return Acquittal.at(
                CurveFinding.site(figure),
                reason,
                text,
                figure.figure().value(figure.figure().peak()));
    }
}
