package dev.leakline.series;

import dev.leakline.columns.MemorySeries.Quantity;
import dev.leakline.result.Agreement;
import dev.leakline.result.DeviceResult;
import dev.leakline.result.DeviceResult.TimelinePoint;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Kind;
import dev.leakline.text.ByteSize;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Checks whether figures and snapshots that measured the same thing agree. */
final class CurveAgreements {
    /** Rates differ by as much where one source counts its steps from elsewhere than the other. */
    private static final double RATES = 0.02;
    /** The rounding of a figure that is written with three digits. */
    private static final double DIGITS = 0.005;
    /** The allocator's own rounding. */
    private static final long BLOCK = 512;

    private final List<JudgedCurve> all;
    private final List<Finding> findings;
    private final List<Agreement> list = new ArrayList<>();

    CurveAgreements(List<JudgedCurve> all, List<DeviceResult> devices, List<Finding> findings) {
        this.all = all;
        this.findings = findings;
        for (JudgedCurve figure : all) {
            devices.stream()
                    .filter(device -> device.device() >= 0 && device.events() > 0)
                    .filter(device ->
                            CurveSet.isSame(device.device(), figure.subject().device()))
                    .forEach(device -> compare(figure, device));
        }
        compareFigures();
    }

    /** The comparisons made. */
    List<Agreement> list() {
        return list;
    }

    private void compare(JudgedCurve figure, DeviceResult device) {
        long highest = figure.figure().value(figure.figure().peak());
        switch (figure.subject().quantity()) {
            case PEAK_ALLOCATED -> comparePeak(figure, highest, device.peak().bytes(), false);
            case ALLOCATED, ACTIVE -> {
                comparePeak(figure, highest, device.peak().bytes(), true);
                compareGrowth(figure, device);
            }
            case PEAK_RESERVED -> comparePeak(figure, highest, reserved(device), false);
            case RESERVED -> comparePeak(figure, highest, reserved(device), true);
            default -> {}
        }
    }

    private static long reserved(DeviceResult device) {
        return device.timeline().stream()
                .mapToLong(TimelinePoint::reservedBytes)
                .max()
                .orElse(0);
    }

    /** Checks a peak: sampled values may miss it, but never exceed it. */
    private void comparePeak(JudgedCurve figure, long said, long recorded, boolean isSampled) {
        long rounding = rounding(figure.figure());
        boolean isAgreed = isSampled ? said <= recorded + rounding : Math.abs(said - recorded) <= rounding;
        String how = !isAgreed ? "; they disagree" : isSampled ? ", never more" : "";
        list.add(new Agreement(
                isAgreed,
                figure.name() + " is " + ByteSize.format(said) + " at most, the snapshot's peak is "
                        + ByteSize.format(recorded) + how));
    }

    /** The least by which two values of a figure differ, as far as that can be its rounding. */
    private static long rounding(Curve figure) {
        long[] sorted = Arrays.stream(figure.toArray()).sorted().distinct().toArray();
        long least = sorted.length < 2 ? 0 : Long.MAX_VALUE;
        for (int i = 1; i < sorted.length; i++) {
            least = Math.min(least, sorted[i] - sorted[i - 1]);
        }
        return Math.max(Math.min(least, Math.round(DIGITS * figure.value(figure.peak()))), BLOCK);
    }

    private void compareGrowth(JudgedCurve figure, DeviceResult device) {
        double recorded = findings.stream()
                .filter(finding -> finding.kind() == Kind.LEAK
                        && finding.input() == device.input()
                        && finding.device() == device.device())
                .mapToDouble(finding -> rate(finding, figure))
                .sum();
        boolean isTold = figure.grows() || figure.holds();
        if (isTold && Double.isFinite(recorded) && (recorded > 0 || figure.grows())) {
            compareRates(figure, figure.grows() ? figure.test().trend().slope() : 0, "the snapshot's leaks", recorded);
        }
    }

    private static double rate(Finding leak, JudgedCurve figure) {
        return leak.growth() == null
                ? 0
                : figure.figure().axis().isTime() ? leak.bytesPerSecond() : leak.bytesPerStep();
    }

    private void compareFigures() {
        for (JudgedCurve figure : all) {
            for (JudgedCurve other : all.subList(all.indexOf(figure) + 1, all.size())) {
                boolean isSame = figure.subject().quantity() == other.subject().quantity()
                        && figure.subject().quantity() == Quantity.ALLOCATED
                        && figure.figure().input() != other.figure().input()
                        && figure.figure()
                                .axis()
                                .unit()
                                .equals(other.figure().axis().unit())
                        && CurveSet.isSame(
                                figure.subject().device(), other.subject().device());
                if (isSame && figure.grows() && other.grows()) {
                    compareRates(
                            figure,
                            figure.test().trend().slope(),
                            other.name(),
                            other.test().trend().slope());
                }
            }
        }
    }

    private void compareRates(JudgedCurve figure, double said, String other, double recorded) {
        double off = Math.abs(said - recorded) / Math.max(Math.abs(said), Math.abs(recorded));
        boolean isAgreed = off <= RATES;
        list.add(new Agreement(
                isAgreed,
                String.format(
                        Locale.ROOT,
                        "%s grows by %s, %s by %s: %.1f %% apart%s",
                        figure.name(),
                        CurveWords.rate(said, figure.figure().axis()),
                        other,
                        CurveWords.rate(recorded, figure.figure().axis()),
                        off * 100,
                        isAgreed ? "" : "; they disagree")));
    }
}
