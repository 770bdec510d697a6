package dev.leakline;

import dev.leakline.columns.SnapshotColumns;
import dev.leakline.detect.DeviceAnalysis;
import dev.leakline.lifetime.LifetimeBuilder;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.AnalysisResult.Verdict;
import dev.leakline.result.DeviceResult;
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
     */
    public record Options(OptionalInt device, Window window) {
        /** All devices, the whole recording. */
        public static final Options ALL = new Options(OptionalInt.empty(), Window.ALL);
    }

    private Analysis() {}

    /** Analyses the snapshots of one case, such as the ranks of a job; their order is that of the result's inputs. */
    public static AnalysisResult run(List<Snapshot> snapshots, Options options) {
        List<DeviceResult> devices = new ArrayList<>();
        for (int input = 0; input < snapshots.size(); input++) {
            devices.addAll(devices(input, snapshots.get(input).columns(), options));
        }
        return new AnalysisResult(
                version(),
                snapshots.stream().map(Snapshot::describe).toList(),
                Verdict.UNDETERMINED,
                "this version says what was live at the peak; it does not judge yet whether memory leaks",
                devices,
                settings(snapshots));
    }

    private static List<DeviceResult> devices(int input, SnapshotColumns columns, Options options) {
        List<DeviceResult> devices = new ArrayList<>();
        for (int device : LifetimeBuilder.devices(columns)) {
            if (options.device.isEmpty() || options.device.getAsInt() == device) {
                Lifetimes lifetimes = LifetimeBuilder.build(columns, device);
                int from = options.window.from().event(lifetimes.events());
                int to = options.window.to().event(lifetimes.events());
                devices.add(DeviceAnalysis.of(input, columns, lifetimes, from, to));
            }
        }
        return devices;
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
