package dev.leakline.verdict;

import dev.leakline.evidence.Detector.Examination;
import dev.leakline.finding.Opinion;
import dev.leakline.known.RecordingAdvice;
import dev.leakline.result.Acquittal;
import dev.leakline.result.AnalysisResult.Verdict;
import dev.leakline.result.Check;
import dev.leakline.result.DeviceResult;
import dev.leakline.result.DeviceResult.FailedRequest;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Kind;
import dev.leakline.result.Finding.Severity;
import dev.leakline.result.Growth;
import dev.leakline.result.OutOfMemoryExplanation;
import dev.leakline.result.StepSummary;
import dev.leakline.statistics.Thresholds;
import dev.leakline.text.ByteSize;
import dev.leakline.verdict.DeviceAnalysis.Outcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * One word for all that the detectors said of all devices, and the reason for it.
 *
 * <p>The verdict is the most serious finding's kind, if it is of a kind that has a verdict. Where a request failed and something leaks, it is
 * the leak if the request would have been met without it, else the failure.
 */
public final class Judgement {
    private Judgement() {}

    /** Weighs what was found on all devices. */
    public static Opinion of(List<Outcome> outcomes) {
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
        List<Finding> ordered = distinct(order(findings, devices));
        acquittals.sort(Comparator.comparing(Acquittal::reason).thenComparingLong(acquittal -> -acquittal.bytes()));
        Verdict verdict = verdict(ordered, devices);
        return new Opinion(
                verdict, reason(verdict, ordered, acquittals, devices), ordered, acquittals, List.copyOf(checks));
    }

    /** One word for several judgements: a verdict that something is wrong comes before one that nothing is, and that before none. */
    public static Opinion join(List<Opinion> judgements) {
        Opinion first = judgements.stream()
                .min(Comparator.comparingInt(opinion -> rank(opinion.verdict())))
                .orElseGet(() -> of(List.of()));
        List<Finding> findings = new ArrayList<>(first.findings());
        List<Acquittal> acquittals = new ArrayList<>(first.acquittals());
        List<Check> checks = new ArrayList<>();
        for (Opinion judgement : judgements) {
            checks.addAll(judgement.checks());
            if (!judgement.equals(first)) {
                findings.addAll(judgement.findings());
                acquittals.addAll(judgement.acquittals());
            }
        }
        return new Opinion(first.verdict(), first.reason(), findings, acquittals, checks);
    }

    /** An opinion beside messages about memory that ran out: where nothing else is known to be wrong, they are the verdict. */
    public static Opinion with(Opinion opinion, List<OutOfMemoryExplanation> messages) {
        OutOfMemoryExplanation failure = messages.stream()
                .filter(message -> message.kind() != OutOfMemoryExplanation.Kind.RECOVERED)
                .findFirst()
                .orElse(null);
        if (failure == null || rank(opinion.verdict()) == 0) {
            return opinion;
        }
        boolean isInPieces = failure.kind() == OutOfMemoryExplanation.Kind.FRAGMENTATION;
        return new Opinion(
                isInPieces ? Verdict.OOM_FRAGMENTATION : Verdict.OOM,
                failure.title(),
                opinion.findings(),
                opinion.acquittals(),
                opinion.checks());
    }

    private static int rank(Verdict verdict) {
        return switch (verdict) {
            case UNDETERMINED -> 2;
            case NO_LEAK -> 1;
            default -> 0;
        };
    }

    private static List<Finding> order(List<Finding> findings, List<DeviceResult> devices) {
        return findings.stream()
                .sorted(Comparator.comparingInt((Finding finding) -> rank(finding, findings, devices))
                        .thenComparing(Finding::severity)
                        .thenComparingLong(finding -> -finding.bytes())
                        .thenComparingInt(Finding::input)
                        .thenComparingInt(Finding::device))
                .toList();
    }

    /** Kinds with a verdict come first: a failure, unless a leak is why it failed; then leaks, then cycles. */
    private static int rank(Finding finding, List<Finding> findings, List<DeviceResult> devices) {
        boolean isSerious = finding.severity() != Severity.INFO;
        return switch (finding.kind()) {
            case OOM, OOM_FRAGMENTATION -> findings.stream().anyMatch(leak -> isWhy(leak, finding, devices)) ? 2 : 0;
            case LEAK -> isSerious ? 1 : 4;
            case REFERENCE_CYCLE -> isSerious ? 1 : 4;
            default -> isSerious ? 3 : 4;
        };
    }

    /**
     * Whether the last request that failed on a device would have been met, had a leak's memory been given back. Where enough was
     * free, in pieces, it would not, unless the leak holds most of the device.
     */
    private static boolean isWhy(Finding leak, Finding failure, List<DeviceResult> devices) {
        Growth growth = leak.growth();
        if (growth == null || leak.device() != failure.device() || leak.input() != failure.input()) {
            return false;
        }
        for (DeviceResult device : devices) {
            if (device.device() == failure.device() && device.input() == failure.input()) {
                boolean isMost = growth.bytesAtFailure() >= device.peak().bytes() / 2;
                List<FailedRequest> failed = device.outOfMemory();
                return !failed.isEmpty()
                        && growth.bytesAtFailure() >= failed.getLast().requestedBytes()
                        && (isMost || failure.kind() == Kind.OOM);
            }
        }
        return false;
    }

    /** Gives findings of equal fingerprints, two lines of one function, numbers of their own. */
    private static List<Finding> distinct(List<Finding> findings) {
        Map<String, Integer> seen = new HashMap<>();
        List<Finding> distinct = new ArrayList<>();
        for (Finding finding : findings) {
            int number = seen.merge(finding.input() + " " + finding.device() + finding.id(), 1, Integer::sum);
            distinct.add(number == 1 ? finding : finding.withId(finding.id() + "-" + number));
        }
        return distinct;
    }

    private static Verdict verdict(List<Finding> findings, List<DeviceResult> devices) {
        for (Finding finding : findings) {
            switch (finding.kind()) {
                case LEAK -> {
                    if (finding.severity() != Severity.INFO) {
                        return Verdict.LEAK;
                    }
                }
                case OOM -> {
                    return Verdict.OOM;
                }
                case OOM_FRAGMENTATION -> {
                    return Verdict.OOM_FRAGMENTATION;
                }
                case REFERENCE_CYCLE -> {
                    if (finding.severity() != Severity.INFO) {
                        return Verdict.REFERENCE_CYCLE;
                    }
                }
                default -> {}
            }
        }
        return devices.stream().anyMatch(Judgement::wasJudged) ? Verdict.NO_LEAK : Verdict.UNDETERMINED;
    }

    private static boolean wasJudged(DeviceResult device) {
        StepSummary steps = device.steps();
        return steps.kind().repeats() && steps.count() >= Thresholds.DEFAULT.fewestSteps();
    }

    private static String reason(
            Verdict verdict, List<Finding> findings, List<Acquittal> acquittals, List<DeviceResult> devices) {
        return switch (verdict) {
            case NO_LEAK ->
                acquittals.isEmpty()
                        ? "every step gives back what it takes"
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
                : ByteSize.format(Math.round(growth.bytesPerStep())) + (finding.device() < 0 ? " of host memory" : "")
                        + " stay after every step";
    }

    private static String place(Finding finding) {
        return finding.site().isLine() ? ", at " + finding.site().frame().inWords() : "";
    }

    private static String undetermined(List<DeviceResult> devices) {
        long events = devices.stream().mapToLong(DeviceResult::events).sum();
        if (events == 0) {
            return "the snapshot holds no history, so nothing can be said of growth: record it with "
                    + RecordingAdvice.CALL + " before the run";
        }
        boolean areTraces =
                devices.stream().allMatch(device -> device.coverage().isTrace());
        return "the recording holds too few repeated steps to tell growth from the work of a single one: record at least "
                + Thresholds.DEFAULT.fewestSteps() + " steps, better fifty, with "
                + (areTraces ? RecordingAdvice.PROFILER_CALL : RecordingAdvice.CALL);
    }
}
