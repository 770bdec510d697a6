package dev.leakline.ranks;

import dev.leakline.columns.SnapshotColumns;
import dev.leakline.detect.growth.LeakDetector;
import dev.leakline.evidence.Culprits;
import dev.leakline.evidence.Detector.Examination;
import dev.leakline.evidence.Evidence;
import dev.leakline.evidence.RequestSites;
import dev.leakline.lifetime.DeviceEvents;
import dev.leakline.lifetime.LifetimeBuilder;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.lifetime.MemoryCurve;
import dev.leakline.peak.Breakdown;
import dev.leakline.peak.EventWindow;
import dev.leakline.result.Finding;
import dev.leakline.result.Growth;
import dev.leakline.result.ProcessSummary;
import dev.leakline.result.ProcessSummary.FailedRequest;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Makes the summary of a process from its recording. */
public final class Summarizer {
    /** Leaks that a summary tells; a report of the recording tells all. */
    private static final int MOST_LEAKS = 4;

    private final Evidence evidence;
    private final Examination leaks;

    private Summarizer(Evidence evidence) {
        this.evidence = evidence;
        this.leaks = new LeakDetector().examine(evidence);
    }

    /**
     * The summary of a recording, of the device on which most happened.
     *
     * @param path of the recording, with slashes
     * @param torch the version of torch that wrote it, null where that is not known
     */
    public static ProcessSummary of(String path, @Nullable String torch, SnapshotColumns columns) {
        Lifetimes lifetimes = LifetimeBuilder.build(columns, device(columns));
        return of(
                path,
                torch,
                Evidence.of(0, columns, lifetimes, 0, lifetimes.events().count(), 0, null, _ -> false));
    }

    /** The same from evidence of {@link #device} that was made of the whole recording, by that device's own steps. */
    public static ProcessSummary of(String path, @Nullable String torch, Evidence evidence) {
        return new Summarizer(evidence)
                .summarize(path, torch, devices(evidence.columns()).size());
    }

    /** The device that a summary is about. */
    public static int device(SnapshotColumns columns) {
        return devices(columns).stream()
                .max(Comparator.comparingInt(columns::eventCount)
                        .thenComparing(Comparator.<Integer>naturalOrder().reversed()))
                .orElse(0);
    }

    private static List<Integer> devices(SnapshotColumns columns) {
        return LifetimeBuilder.devices(columns).stream()
                .filter(device -> device >= 0)
                .toList();
    }

    private ProcessSummary summarize(String path, @Nullable String torch, int devices) {
        ResidentBlocks residents = new ResidentBlocks(evidence, leaks.culprits());
        LineMeter meter = new LineMeter(evidence, residents);
        new MemoryCurve(evidence.columns(), evidence.lifetimes()).follow(List.of(meter));
        DeviceEvents events = evidence.lifetimes().events();
        int last = events.count() - 1;
        return new ProcessSummary(
                path,
                torch,
                evidence.lifetimes().device(),
                devices,
                events.count(),
                evidence.steps().count(),
                evidence.steps().meaning(),
                last < 0 ? 0 : events.timeMicros(0),
                last < 0 ? 0 : events.timeMicros(last),
                evidence.peakBytes(),
                evidence.course().start().held(),
                evidence.course().end().held(),
                evidence.course().end().reserved(),
                evidence.deviceBytes(),
                !events.failed().isEmpty(),
                residents.modelSizes(),
                residents.sizes(),
                Breakdown.ofPeak(
                                evidence,
                                EventWindow.of(evidence),
                                new Culprits(evidence, List.of(leaks), Culprits.END))
                        .byCategory(),
                meter.total(),
                meter.lines(evidence.peakBytes()),
                leaks.findings().stream().limit(MOST_LEAKS).toList(),
                reservedPerStep(),
                failure());
    }

    private @Nullable FailedRequest failure() {
        DeviceEvents events = evidence.lifetimes().events();
        if (events.failed().isEmpty()) {
            return null;
        }
        int last = events.failed().get(events.failed().size() - 1);
        return new FailedRequest(new RequestSites(evidence).of(last), events.size(last));
    }

    private double reservedPerStep() {
        return leaks.findings().stream()
                .map(Finding::growth)
                .filter(Objects::nonNull)
                .mapToDouble(Growth::takenPerStep)
                .findFirst()
                .orElse(0);
    }
}
