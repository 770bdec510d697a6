package dev.leakline;

import dev.leakline.columns.SnapshotColumns;
import dev.leakline.detect.DeviceAnalysis;
import dev.leakline.detect.DeviceAnalysis.Outcome;
import dev.leakline.detect.Judgement;
import dev.leakline.lifetime.LifetimeBuilder;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.result.AnalysisResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** Analyses snapshots: the whole way from what was read to what is said of it. */
public final class Analysis {
    /**
     * What to look at.
     *
     * @param device the one device to look at, or empty for all
     * @param window the part of the recording in which to look for the peak
     * @param deviceBytes the memory of each device, 0 where only the recording may tell
     */
    public record Options(OptionalInt device, Window window, long deviceBytes) {
        /** All devices, the whole recording. */
        public static final Options ALL = new Options(OptionalInt.empty(), Window.ALL, 0);
    }

    private Analysis() {}

    /** Analyses the snapshots of one case, such as the ranks of a job; their order is that of the result's inputs. */
    public static AnalysisResult run(List<Snapshot> snapshots, Options options) {
        List<Outcome> outcomes = new ArrayList<>();
        for (int input = 0; input < snapshots.size(); input++) {
            outcomes.addAll(outcomes(input, snapshots.get(input).columns(), options));
        }
        Judgement judgement = Judgement.of(outcomes);
        return new AnalysisResult(
                version(),
                snapshots.stream().map(Snapshot::describe).toList(),
                judgement.verdict(),
                judgement.reason(),
                judgement.findings(),
                judgement.acquittals(),
                judgement.checks(),
                outcomes.stream().map(Outcome::device).toList(),
                settings(snapshots));
    }

    private static List<Outcome> outcomes(int input, SnapshotColumns columns, Options options) {
        List<Outcome> outcomes = new ArrayList<>();
        for (int device : LifetimeBuilder.devices(columns)) {
            if (options.device.isEmpty() || options.device.getAsInt() == device) {
                Lifetimes lifetimes = LifetimeBuilder.build(columns, device);
                int from = options.window.from().event(lifetimes.events());
                int to = options.window.to().event(lifetimes.events());
                outcomes.add(DeviceAnalysis.of(input, columns, lifetimes, from, to, options.deviceBytes));
            }
        }
        return outcomes;
    }

    private static Map<String, Object> settings(List<Snapshot> snapshots) {
        return snapshots.stream()
                .map(snapshot -> snapshot.columns().settings)
                .filter(settings -> !settings.isEmpty())
                .findFirst()
                .orElse(Map.of());
    }

    /** The version of this library. */
    public static String version() {
        String version = Analysis.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }
}
