package dev.leakline.series;

import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Kind;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The growth of figures that leaks of a recording explain: the same cause seen twice, once with a line and once without. A device's figures of
 * any layer grow because its tensors do; the host's memory and what no tensor holds have causes of their own.
 */
final class ExplainedCurves {
    /** Growth that is a tenth more is still the same, seen at other moments or counted by other steps; another leak is more than that. */
    private static final double SAME = 1.1;

    private final List<JudgedCurve> all;
    private final List<Finding> leaks;

    /** Figures, and what recordings found. */
    ExplainedCurves(List<JudgedCurve> all, List<Finding> found) {
        this.all = all;
        this.leaks = found.stream()
                .filter(finding -> finding.kind() == Kind.LEAK && finding.device() >= 0 && finding.growth() != null)
                .toList();
    }

    /** Returns whether a finding about a figure is explained by the leaks of a recording. */
    boolean contain(Finding grown) {
        return grown.kind() == Kind.LEAK
                && all.stream().anyMatch(figure -> isOf(figure, grown) && isOfDevice(figure))
                && leaks.stream().mapToInt(Finding::input).distinct().anyMatch(input -> explains(input, grown));
    }

    private static boolean isOf(JudgedCurve figure, Finding grown) {
        return figure.figure().input() == grown.input()
                && CurveFinding.site(figure).equals(grown.site());
    }

    private static boolean isOfDevice(JudgedCurve figure) {
        return figure.layer() != Layer.HOST && figure.layer() != Layer.NONE;
    }

    /** Returns whether the leaks of one recording grow as fast as a figure, or by as much. */
    private boolean explains(int input, Finding grown) {
        List<Finding> own = leaks.stream()
                .filter(leak -> leak.input() == input && CurveSet.isSame(leak.device(), grown.device()))
                .toList();
        return isAsMuch(own, grown, Finding::bytesPerStep)
                || isAsMuch(own, grown, Finding::bytesPerSecond)
                || isAsMuch(own, grown, Finding::bytes);
    }

    private static boolean isAsMuch(List<Finding> own, Finding grown, ToDoubleFunction<Finding> measure) {
        double recorded = own.stream().mapToDouble(measure).sum();
        return recorded > 0 && measure.applyAsDouble(grown) <= SAME * recorded;
    }
}
