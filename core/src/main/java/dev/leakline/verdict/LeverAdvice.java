package dev.leakline.verdict;

import dev.leakline.detect.room.OutOfMemoryDetector;
import dev.leakline.evidence.Detector.Examination;
import dev.leakline.evidence.Evidence;
import dev.leakline.result.DeviceResult;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Advice;
import dev.leakline.result.Finding.Kind;
import dev.leakline.result.Lever;
import dev.leakline.steps.StepPeaks;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Advises, where a request failed for what fills the peak, the changes that would lower it, before the line that only holds most. */
final class LeverAdvice {
    /** All of them are told with the peak. */
    private static final int MOST = 2;
    /** A failure with nearly as much live as at the peak is for the same reasons; the failed request itself is no part of either. */
    private static final double NEARLY_ALL = 0.9;

    /** A remark on all savings, told with the first. */
    private static final String MOMENT =
            ". Savings are of what was live when the request failed: how much a whole pass needs was not recorded";

    private LeverAdvice() {}

    /** The examinations, with that advice for a shortage. */
    static List<Examination> added(Evidence evidence, DeviceResult device, List<Examination> examinations) {
        return device.levers().isEmpty() || grows(examinations) || !failsAtPeak(evidence, device)
                ? examinations
                : examinations.stream()
                        .map(each -> added(evidence, each, device))
                        .toList();
    }

    /** Where memory leaks, that is to be mended first. */
    private static boolean grows(List<Examination> examinations) {
        return examinations.stream()
                .flatMap(each -> each.findings().stream())
                .anyMatch(finding -> finding.kind() == Kind.LEAK || finding.kind() == Kind.REFERENCE_CYCLE);
    }

    private static boolean failsAtPeak(Evidence evidence, DeviceResult device) {
        return failures(evidence, device)
                .anyMatch(
                        failure -> failure.held() >= NEARLY_ALL * device.peak().bytes());
    }

    private static Examination added(Evidence evidence, Examination examination, DeviceResult device) {
        List<Finding> findings = examination.findings().stream()
                .map(finding -> switch (finding.kind()) {
                    case OOM -> added(finding, device);
                    case OOM_FRAGMENTATION -> isFull(evidence, device) ? before(finding, device) : finding;
                    default -> finding;
                })
                .toList();
        return new Examination(examination.check(), findings, examination.acquittals(), examination.culprits());
    }

    private static boolean isFull(Evidence evidence, DeviceResult device) {
        return failures(evidence, device).anyMatch(StepPeaks.Failure::isFull);
    }

    private static Stream<StepPeaks.Failure> failures(Evidence evidence, DeviceResult device) {
        return device.outOfMemory().stream().map(request -> evidence.stepPeaks().failure(request.event()));
    }

    private static Finding before(Finding finding, DeviceResult device) {
        return finding.withAdvice(
                Stream.concat(levers(device), finding.advice().stream()).toList());
    }

    private static Stream<Advice> levers(DeviceResult device) {
        List<Lever> best = device.levers().stream().limit(MOST).toList();
        return best.stream().map(lever -> advice(lever, lever.equals(best.getFirst()) ? MOMENT : ""));
    }

    private static Finding added(Finding finding, DeviceResult device) {
        List<Advice> advice = new ArrayList<>();
        for (Advice each : finding.advice()) {
            if (OutOfMemoryDetector.isGeneral(each)) {
                levers(device).forEach(advice::add);
            }
            advice.add(each);
        }
        return finding.withAdvice(List.copyOf(advice));
    }

    private static Advice advice(Lever lever, String note) {
        return new Advice(
                        "Try " + lever.sentence(),
                        lever.explanation() + note,
                        lever.expectedBytes(),
                        "",
                        "",
                        "",
                        null,
                        null,
                        null)
                .inSentences();
    }
}
