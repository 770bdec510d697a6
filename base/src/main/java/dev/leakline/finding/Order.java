package dev.leakline.finding;

import dev.leakline.result.AnalysisResult.Verdict;
import dev.leakline.result.DeviceResult;
import dev.leakline.result.DeviceResult.FailedRequest;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Kind;
import dev.leakline.result.Finding.Severity;
import dev.leakline.result.Site;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The order of findings, most serious first, and the verdict that follows from them, whatever found them: a failed request, unless a leak is why it failed; then what leaks or
 * waits for the collector at a line; then what grows in figures alone, such as memory outside of PyTorch; then the rest; last what is worth knowing and no more.
 */
public final class Order {
    private final List<Finding> all;
    private final List<DeviceResult> devices;

    private Order(List<Finding> all, List<DeviceResult> devices) {
        this.all = all;
        this.devices = devices;
    }

    /** The findings in order; of equal fingerprints on a device, such as those of two lines of one function, each gets a number. */
    public static List<Finding> of(List<Finding> findings, List<DeviceResult> devices) {
        Order order = new Order(findings, devices);
        return distinct(findings.stream()
                .sorted(Comparator.comparingInt(order::rank)
                        .thenComparing(Finding::severity)
                        .thenComparingLong(finding -> -finding.bytes())
                        .thenComparingInt(Finding::input)
                        .thenComparingInt(Finding::device))
                .toList());
    }

    private int rank(Finding finding) {
        if (finding.kind().isFailedRequest()) {
            // a counter of failures says nothing of their reason
            boolean isExplained = finding.site().kind() == Site.Kind.FIGURE || isExplained(finding);
            return isExplained || isOver(finding) ? 3 : 0;
        }
        if (finding.severity() == Severity.INFO) {
            return 5;
        }
        return switch (finding.kind()) {
            case LEAK, REFERENCE_CYCLE -> finding.site().kind() == Site.Kind.FIGURE ? 2 : 1;
            case RESIDUAL -> 2;
            default -> 4;
        };
    }

    /** Returns whether the program caught the error and went on, while something leaks. */
    private boolean isOver(Finding failure) {
        return failure.severity() != Severity.CRITICAL
                && pilesUp(failure)
                        .anyMatch(finding -> finding.growth() != null || finding.kind() == Kind.REFERENCE_CYCLE);
    }

    /** The findings that matter of memory that grows, or waits for the collector, on the device of a failure. */
    private Stream<Finding> pilesUp(Finding failure) {
        return all.stream()
                .filter(finding -> !finding.kind().isFailedRequest()
                        && finding.severity() != Severity.INFO
                        && areOfOneDevice(finding, failure));
    }

    private static boolean areOfOneDevice(Finding one, Finding other) {
        return one.device() == other.device() && one.input() == other.input();
    }

    /**
     * Returns whether the last request that failed on a device would have been met, had the memory been given back that leaks and cycles held then. Where
     * enough was free, in pieces, it would not, unless they held most of what there was.
     */
    private boolean isExplained(Finding failure) {
        long held = pilesUp(failure).mapToLong(Finding::bytesAtFailure).sum();
        for (DeviceResult device : devices) {
            if (device.device() == failure.device() && device.input() == failure.input()) {
                boolean isMost = held >= device.peak().bytes() / 2;
                List<FailedRequest> failed = device.outOfMemory();
                return !failed.isEmpty()
                        && held >= failed.getLast().requestedBytes()
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

    /** Returns whether memory of a device grows, so slowly that it is no more than worth knowing; on the host, every log of numbers does. */
    private static boolean isSlowLeak(Finding finding) {
        return finding.kind() == Kind.LEAK && finding.growth() != null && finding.device() >= 0;
    }

    /** The verdict of findings in order: that of the first whose kind has one; null where none has. */
    public static @Nullable Verdict verdict(List<Finding> ordered) {
        for (Finding finding : ordered) {
            boolean isSerious = finding.severity() != Severity.INFO;
            switch (finding.kind()) {
                case OOM -> {
                    return Verdict.OOM;
                }
                case OOM_FRAGMENTATION -> {
                    return Verdict.OOM_FRAGMENTATION;
                }
                case LEAK, RESIDUAL -> {
                    if (isSerious || isSlowLeak(finding)) {
                        return Verdict.LEAK;
                    }
                }
                case REFERENCE_CYCLE -> {
                    if (isSerious) {
                        return Verdict.REFERENCE_CYCLE;
                    }
                }
                case FRAGMENTATION, SPIKE, REPEATED_ALLOCATION, UNSHRINKING_CACHE -> {}
            }
        }
        return null;
    }
}
