package dev.leakline.compare;

import dev.leakline.result.AnalysisResult;
import dev.leakline.result.Comparison;
import dev.leakline.result.Comparison.Outcome;
import dev.leakline.result.Finding;
import dev.leakline.result.HostMemory;
import dev.leakline.result.HostMemory.Verdict;
import dev.leakline.result.JobProcess;
import dev.leakline.text.ByteSize;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The change of what leaks on the host. It is the answer where nothing was wrong with a device. Where a device's leak is gone it is looked for on the host: there it leaks on where the
 * host's memory leaks now and did not, or where what is in use there grows by what the device no longer does.
 */
final class HostChange {
    /** Sums of looks are within some 5 %, and times of processes differ; what is within a quarter is no difference. */
    private static final double LIKE = 1.25;
    /** The part of what devices leaked that has to be what the host does now. */
    private static final double MOVED = 0.5;

    private final Comparison comparison;
    private final List<HostMemory> were;
    private final List<HostMemory> are;

    HostChange(Comparison comparison) {
        this.comparison = comparison;
        this.were = hosts(comparison.before().result());
        this.are = hosts(comparison.after().result());
    }

    private static List<HostMemory> hosts(AnalysisResult result) {
        return result.process().stream()
                .map(JobProcess::host)
                .filter(Objects::nonNull)
                .toList();
    }

    /** The outcome for devices, with the host's. */
    ChangeOutcome beside(ChangeOutcome device) {
        boolean isFixed = device.word() == Outcome.FIXED;
        boolean isNew = leaks(are) > LIKE * leaks(were) || (isFixed && hasMoved());
        return isNew && (isFixed || device.word() == Outcome.REDUCED)
                ? ChangeOutcome.of(
                        isFixed ? Outcome.ANOTHER : Outcome.WORSE,
                        device.sentence().substring(device.sentence().indexOf(": ") + 2)
                                + ", but the host's memory in use grows now by " + perSecond(growth(are)))
                : device;
    }

    /** The outcome for the host alone; empty where nothing leaks there. */
    Optional<ChangeOutcome> alone() {
        double was = leaks(were);
        double is = leaks(are);
        if (was + is == 0) {
            return Optional.empty();
        }
        if (is == 0) {
            boolean isOpen = are.isEmpty() || are.stream().anyMatch(host -> host.verdict() == Verdict.UNDETERMINED);
            return Optional.of(
                    isOpen
                            ? ChangeOutcome.of(
                                    Outcome.UNDETERMINED, "whether the host's memory still leaks is not known")
                            : ChangeOutcome.of(Outcome.FIXED, "the host's leak of " + perSecond(was) + " is gone"));
        }
        String now = "the host's memory leaks " + perSecond(is) + ", before " + perSecond(was);
        return Optional.of(
                is > LIKE * was
                        ? ChangeOutcome.of(Outcome.WORSE, now)
                        : was > LIKE * is
                                ? new ChangeOutcome(
                                        Outcome.REDUCED, "reduced" + ChangeOutcome.fold(was / is) + ": " + now)
                                : ChangeOutcome.of(Outcome.SAME, now));
    }

    private static String perSecond(double rate) {
        return rate == 0 ? "nothing" : ByteSize.format(rate) + " per second";
    }

    private static double leaks(List<HostMemory> hosts) {
        return growth(
                hosts.stream().filter(host -> host.verdict() == Verdict.LEAK).toList());
    }

    private static double growth(List<HostMemory> hosts) {
        return hosts.stream()
                .filter(host -> host.verdict() == Verdict.LEAK || host.verdict() == Verdict.UNDETERMINED)
                .mapToDouble(HostMemory::growthPerSecond)
                .sum();
    }

    /** Returns whether what is in use on the host grows by most of what devices leaked, and did not then. */
    private boolean hasMoved() {
        double leaked = comparison.before().result().findings().stream()
                .mapToDouble(Finding::bytesPerSecond)
                .filter(rate -> rate > 0)
                .sum();
        return leaked > 0 && growth(are) >= MOVED * leaked && growth(are) > LIKE * growth(were);
    }
}
