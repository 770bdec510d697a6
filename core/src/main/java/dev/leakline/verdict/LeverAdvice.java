package dev.leakline.verdict;

import dev.leakline.detect.room.OutOfMemoryDetector;
import dev.leakline.evidence.Detector.Examination;
import dev.leakline.evidence.Evidence;
import dev.leakline.result.DeviceResult;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Advice;
import dev.leakline.result.Finding.Kind;
import dev.leakline.result.Lever;
import java.util.ArrayList;
import java.util.List;

/** Advises, where a request failed for what fills the peak, the changes that would lower it, before the line that only holds most. */
final class LeverAdvice {
    /** All of them are told with the peak. */
    private static final int MOST = 2;
    /** A failure with nearly as much live as at the peak is for the same reasons; the failed request itself is no part of either. */
    private static final double NEARLY_ALL = 0.9;

    private LeverAdvice() {}

    /** The examinations, with that advice for a shortage. */
    static List<Examination> added(Evidence evidence, DeviceResult device, List<Examination> examinations) {
        return device.levers().isEmpty() || grows(examinations) || !failsAtPeak(evidence, device)
                ? examinations
                : examinations.stream().map(each -> added(each, device)).toList();
    }

    /** Where memory leaks, that is to be mended first. */
    private static boolean grows(List<Examination> examinations) {
        return examinations.stream()
                .flatMap(each -> each.findings().stream())
                .anyMatch(finding -> finding.kind() == Kind.LEAK || finding.kind() == Kind.REFERENCE_CYCLE);
    }

    private static boolean failsAtPeak(Evidence evidence, DeviceResult device) {
        return device.outOfMemory().stream()
                .map(request -> evidence.stepPeaks().failure(request.event()))
                .anyMatch(
                        failure -> failure.held() >= NEARLY_ALL * device.peak().bytes());
    }

    private static Examination added(Examination examination, DeviceResult device) {
        List<Finding> findings = examination.findings().stream()
                .map(finding -> finding.kind() == Kind.OOM ? added(finding, device) : finding)
                .toList();
        return new Examination(examination.check(), findings, examination.acquittals(), examination.culprits());
    }

    private static Finding added(Finding finding, DeviceResult device) {
        List<Advice> advice = new ArrayList<>();
        for (Advice each : finding.advice()) {
            if (OutOfMemoryDetector.isGeneral(each)) {
                device.levers().stream().limit(MOST).map(LeverAdvice::advice).forEach(advice::add);
            }
            advice.add(each);
        }
        return finding.withAdvice(List.copyOf(advice));
    }

    private static Advice advice(Lever lever) {
        return new Advice("Try " + lever.sentence(), lever.explanation(), lever.expectedBytes(), "", "", "", null)
                .inSentences();
    }
}
