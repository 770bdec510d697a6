package dev.leakline.verdict;

import dev.leakline.detect.growth.LeakDetector;
import dev.leakline.evidence.Detector.Examination;
import dev.leakline.finding.Opinion;
import dev.leakline.finding.Order;
import dev.leakline.known.RecordingAdvice;
import dev.leakline.result.Acquittal;
import dev.leakline.result.AnalysisResult.Source;
import dev.leakline.result.AnalysisResult.Verdict;
import dev.leakline.result.Check;
import dev.leakline.result.DeviceResult;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Kind;
import dev.leakline.result.Growth;
import dev.leakline.result.StepSummary;
import dev.leakline.statistics.Ratchet;
import dev.leakline.statistics.Thresholds;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;
import dev.leakline.verdict.DeviceAnalysis.Outcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Joins the results of the detectors on all recorded devices into one opinion. */
final class RecordingOpinion {
    private RecordingOpinion() {}

    static Opinion of(List<Outcome> outcomes) {
        List<Finding> findings = new ArrayList<>();
        List<Acquittal> acquittals = new ArrayList<>();
        List<Check> checks = new ArrayList<>();
        boolean isAnyUsed = outcomes.stream().anyMatch(RecordingOpinion::isUsed);
        for (Outcome outcome : outcomes) {
            for (Examination examination : outcome.examinations()) {
                findings.addAll(examination.findings());
                acquittals.addAll(examination.acquittals());
                if (examination.check().isApplicable() || isUsed(outcome) || !isAnyUsed) {
                    checks.add(examination.check());
                }
            }
        }
        List<DeviceResult> devices = outcomes.stream().map(Outcome::device).toList();
        List<Finding> ordered = Order.of(findings, devices);
        acquittals.sort(Comparator.comparing(Acquittal::reason).thenComparingLong(acquittal -> -acquittal.bytes()));
        Verdict found = Order.verdict(ordered);
        boolean isJudged = devices.stream().anyMatch(RecordingOpinion::wasJudged);
        String open = open(outcomes);
        if (found == null && isJudged && !open.isEmpty()) {
            return new Opinion(Source.RECORDING, Verdict.UNDETERMINED, open, ordered, acquittals, List.copyOf(checks));
        }
        Verdict verdict = found != null ? found : isJudged ? Verdict.NO_LEAK : Verdict.UNDETERMINED;
        return new Opinion(
                Source.RECORDING,
                verdict,
                reason(verdict, ordered, acquittals, outcomes),
                ordered,
                acquittals,
                List.copyOf(checks));
    }

    /** Returns whether anything was ever allocated on a device; of one beside it on which nothing was, nobody wants to know what could not be looked at. */
    private static boolean isUsed(Outcome outcome) {
        return outcome.device().peak().bytes() > 0;
    }

    /** The note on what the search for leaks leaves open on a device whose steps could be judged; empty where nothing. */
    private static String open(List<Outcome> outcomes) {
        return outcomes.stream()
                .filter(outcome -> wasJudged(outcome.device()))
                .flatMap(outcome -> outcome.examinations().stream())
                .map(Examination::check)
                .filter(check -> check.detector().equals(LeakDetector.NAME) && !check.isApplicable())
                .map(Check::note)
                .findFirst()
                .orElse("");
    }

    private static boolean wasJudged(DeviceResult device) {
        StepSummary steps = device.steps();
        return steps.kind().repeats() && steps.count() >= Thresholds.FEWEST_STEPS && hasSizes(device);
    }

    /** Returns whether so few sizes are missing that no leak, which takes a number of rises, can be among them. */
    private static boolean hasSizes(DeviceResult device) {
        return device.coverage().unsizedAllocations() < Ratchet.FEWEST_RISES;
    }

    private static String reason(
            Verdict verdict, List<Finding> findings, List<Acquittal> acquittals, List<Outcome> outcomes) {
        return switch (verdict) {
            case NO_LEAK ->
                telling(acquittals)
                        .map(acquittal -> "nothing grows from step to step: " + acquittal.text())
                        .orElse("every step frees what it allocates");
            case UNDETERMINED -> undetermined(outcomes);
            default -> headline(findings.getFirst()) + place(findings.getFirst()) + failure(findings);
        };
    }

    /** The first that is about memory of the program's; that a run has phases says only where to look. */
    private static Optional<Acquittal> telling(List<Acquittal> acquittals) {
        List<Acquittal> own = acquittals.stream()
                .filter(acquittal -> !acquittal.isOfWorkspaces())
                .toList();
        return own.stream()
                .filter(acquittal -> acquittal.bytes() > 0)
                .findFirst()
                .or(() -> own.stream().findFirst());
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

    /** Where memory ran out, if what leads is the reason. */
    private static String failure(List<Finding> findings) {
        Finding first = findings.getFirst();
        return findings.stream()
                .skip(first.bytesAtFailure() > 0 ? 1 : findings.size())
                .filter(finding -> finding.kind().isFailedRequest())
                .filter(finding -> finding.device() == first.device() && finding.input() == first.input())
                .findFirst()
                .map(finding -> "; memory ran out"
                        + (finding.site().isLine()
                                ? " at " + finding.site().frame().inWords()
                                : ""))
                .orElse("");
    }

    private static String place(Finding finding) {
        return finding.site().isLine() ? ", at " + finding.site().frame().inWords() : "";
    }

    private static String undetermined(List<Outcome> outcomes) {
        List<DeviceResult> devices = outcomes.stream().map(Outcome::device).toList();
        int unsized = devices.stream()
                .filter(device -> !hasSizes(device))
                .mapToInt(device -> device.coverage().unsizedAllocations())
                .sum();
        if (unsized > 0) {
            return "the file has no possible size for " + Numbers.counted(unsized, "allocation")
                    + ", so growth cannot be judged: it is damaged, or was not written by PyTorch";
        }
        String gap = outcomes.stream()
                .max(Comparator.comparingInt(outcome -> outcome.device().events()))
                .map(Outcome::gap)
                .orElse(RecordingGap.NO_SNAPSHOT);
        boolean areTraces =
                devices.stream().allMatch(device -> device.coverage().isTrace());
        return gap.isEmpty()
                ? "the recording has too few repeated steps to distinguish growth from normal use: record at least "
                        + Thresholds.FEWEST_STEPS + " steps, ideally 50"
                        + (areTraces ? ", with " + RecordingAdvice.PROFILER_CALL : "")
                : gap;
    }
}
