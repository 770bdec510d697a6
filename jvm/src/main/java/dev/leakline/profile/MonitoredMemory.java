package dev.leakline.profile;

import static dev.leakline.profile.MemoryCounters.UNKNOWN;

import dev.leakline.Analysis;
import dev.leakline.Case;
import dev.leakline.columns.MemorySeries;
import dev.leakline.columns.MemorySeries.Axis;
import dev.leakline.columns.MemorySeries.Quantity;
import dev.leakline.columns.MemorySeries.Source;
import dev.leakline.columns.MemorySeries.Subject;
import dev.leakline.result.AnalysisResult;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Samples of a monitor as evidence: a series of each figure that the source knows. */
final class MonitoredMemory {
    private final Case evidence = new Case();
    private final Map<Quantity, MemorySeries> series = new EnumMap<>(Quantity.class);
    private final int device;

    private MonitoredMemory(int device) {
        this.device = device;
    }

    /** Judges the samples of a device, in their order. */
    static AnalysisResult judge(List<MemorySample> samples, int device) {
        MonitoredMemory memory = new MonitoredMemory(device);
        samples.forEach(memory::add);
        return memory.evidence.judge(Analysis.Options.ALL);
    }

    private void add(MemorySample sample) {
        MemoryCounters counters = sample.counters();
        add(Quantity.ALLOCATED, sample, counters.allocated());
        add(Quantity.RESERVED, sample, counters.reserved());
        add(Quantity.PROCESS_USED, sample, counters.held());
        add(Quantity.DEVICE_USED, sample, counters.deviceUsed());
        add(Quantity.DEVICE_TOTAL, sample, counters.deviceTotal());
    }

    private void add(Quantity quantity, MemorySample sample, long bytes) {
        if (bytes != UNKNOWN) {
            series.computeIfAbsent(quantity, this::begin).add((double) sample.timeMicros(), bytes);
        }
    }

    private MemorySeries begin(Quantity quantity) {
        return evidence.measure("monitor", new Subject(Source.TELEMETRY, quantity, Axis.TIME, device, -1, ""));
    }
}
