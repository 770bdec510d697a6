package dev.leakline.functions;

import dev.leakline.result.Acquittal;
import dev.leakline.result.FunctionReport.Insight;
import java.util.ArrayList;
import java.util.List;

/** What the rules of this project say of the calls on one device. */
final class DeviceRules {
    private final int device;
    private final Profiled profiled;
    private final ThresholdSet thresholds;
    private final CallTimeline timeline;
    private final LeakFinder leaks;
    private final Peaks peaks;

    /** Judges calls in the order of time. */
    DeviceRules(int device, Profiled profiled, ThresholdSet thresholds) {
        this.device = device;
        this.profiled = profiled;
        this.thresholds = thresholds;
        this.timeline = new CallTimeline(profiled.calls());
        this.leaks = new LeakFinder(timeline, thresholds);
        this.peaks = new Peaks(profiled.functions());
    }

    /** What memory does and should not. */
    List<FoundPattern> found() {
        List<FoundPattern> found = new ArrayList<>();
        leaks.leaks().forEach(leak -> found.add(LeakPattern.of(device, leak, profiled)));
        FragmentationRule.find(device, profiled.calls(), thresholds, found);
        profiled.functions().forEach((function, calls) -> {
            WasteRule.find(device, function, calls, peaks.highest(), thresholds, found);
            SpikeRule.find(device, function, calls, peaks, found);
            RepetitionRule.find(device, function, calls, found);
        });
        return found;
    }

    /** What else stands out on the device. */
    List<Insight> insights(MemoryInsights rules) {
        List<Insight> insights = new ArrayList<>();
        rules.intensive(profiled.functions(), peaks, insights);
        Rounds longest = leaks.longest();
        if (leaks.leaks().isEmpty() && leaks.buildUps().isEmpty() && longest != null) {
            rules.trend(longest, insights);
        }
        return insights;
    }

    /** What looks like a leak and is none. */
    List<Acquittal> acquittals() {
        return new FunctionAcquittals(timeline, leaks).list();
    }

    /** How many rounds growth was judged by. */
    int rounds() {
        return leaks.judged();
    }
}
