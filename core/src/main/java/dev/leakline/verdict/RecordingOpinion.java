package dev.leakline.verdict;

import dev.leakline.evidence.Detector.Examination;
import dev.leakline.finding.Opinion;
import dev.leakline.finding.Order;
import dev.leakline.known.RecordingAdvice;
import dev.leakline.result.Acquittal;
import dev.leakline.result.AnalysisResult.Verdict;
import dev.leakline.result.Check;
import dev.leakline.result.DeviceResult;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Kind;
import dev.leakline.result.Growth;
import dev.leakline.result.StepSummary;
import dev.leakline.statistics.Thresholds;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;
import dev.leakline.verdict.DeviceAnalysis.Outcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Joins the results of the detectors on all recorded devices into one opinion. */
final class RecordingOpinion {
    private RecordingOpinion() {}

    static Opinion of(List<Outcome> outcomes) {
        List<Finding> findings = new ArrayList<>();
        List<Acquittal> acquittals = new ArrayList<>();
        List<Check> checks = new ArrayList<>();
        for (Outcome outcome : outcomes) {
            for (Examination examination : outcome.examinations()) {
                findings.addAll(examination.findings());
                acquittals.addAll(examination.acquittals());
                checks.add(examination.check());
            }
        }
        List<DeviceResult> devices = outcomes.stream().map(Outcome::device).toList();
        List<Finding> ordered = Order.of(findings, devices);
        acquittals.sort(Comparator.comparing(Acquittal::reason).thenComparingLong(acquittal -> -acquittal.bytes()));
        Verdict verdict = verdict(ordered, devices);
        return new Opinion(
                verdict, reason(verdict, ordered, acquittals, devices), ordered, acquittals, List.copyOf(checks));
    }

    private static Verdict verdict(List<Finding> ordered, List<DeviceResult> devices) {
        Verdict found = Order.verdict(ordered);
        boolean isJudged = devices.stream().anyMatch(RecordingOpinion::wasJudged);
        return found != null ? found : isJudged ? Verdict.NO_LEAK : Verdict.UNDETERMINED;
    }

    private static boolean wasJudged(DeviceResult device) {
        StepSummary steps = device.steps();
        return steps.kind().repeats() && steps.count() >= Thresholds.DEFAULT.fewestSteps() && hasSizes(device);
    }

    /** Whether so few sizes are missing that no leak, which takes a number of rises, can be among them. */
    private static boolean hasSizes(DeviceResult device) {
        return device.coverage().unsizedAllocations() < Thresholds.DEFAULT.fewestRises();
    }

    private static String reason(
            Verdict verdict, List<Finding> findings, List<Acquittal> acquittals, List<DeviceResult> devices) {
        return switch (verdict) {
            case NO_LEAK ->
                acquittals.isEmpty()
                        ? "every step frees what it allocates"
                        : "nothing grows from step to step: "
                                + acquittals.getFirst().text();
            case UNDETERMINED -> undetermined(devices);
            default -> headline(findings.getFirst()) + place(findings.getFirst());
        };
    }

    private static String headline(Finding finding) {
        Growth growth = finding.growth();
        if (finding.kind() == Kind.REFERENCE_CYCLE) {
            return "up to " + ByteSize.format(finding.bytes()) + " wait for the garbage collector";
        }
        return growth == null
                ? finding.title()
                : (finding.device() < 0 ? "host" : "GPU") + " memory "
                        + growth.rate(finding.bytesPerStep(), finding.bytes());
    }

    private static String place(Finding finding) {
        return finding.site().isLine() ? ", at " + finding.site().frame().inWords() : "";
    }

    private static String undetermined(List<DeviceResult> devices) {
        long events = devices.stream().mapToLong(DeviceResult::events).sum();
        if (events == 0) {
            return "the snapshot has no history, so growth cannot be judged: record it with " + RecordingAdvice.CALL
                    + " before the run";
        }
        int unsized = devices.stream()
                .filter(device -> !hasSizes(device))
                .mapToInt(device -> device.coverage().unsizedAllocations())
                .sum();
        if (unsized > 0) {
            return "the file has no possible size for " + Numbers.counted(unsized, "allocation")
                    + ", so growth cannot be judged: it is damaged, or was not written by PyTorch";
        }
        boolean areTraces =
                devices.stream().allMatch(device -> device.coverage().isTrace());
        return "the recording has too few repeated steps to distinguish growth from normal use: record at least "
                + Thresholds.DEFAULT.fewestSteps() + " steps, ideally 50, with "
                + (areTraces ? RecordingAdvice.PROFILER_CALL : RecordingAdvice.CALL);
    }
}
