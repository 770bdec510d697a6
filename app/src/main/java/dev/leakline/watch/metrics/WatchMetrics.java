package dev.leakline.watch.metrics;

import dev.leakline.result.WatchEvent;
import dev.leakline.result.WatchEvent.FullAt;
import dev.leakline.result.WatchEvent.State;
import dev.leakline.text.Printable;
import dev.leakline.watch.Overview;
import dev.leakline.watch.Pods;
import dev.leakline.watch.ProcessMemory;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.StateSetSnapshot;
import io.prometheus.metrics.model.snapshots.StateSetSnapshot.StateSetDataPointSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * An overview as metrics. What is not known has no sample; a process that has ended has none at all. Names, labels and units do not change
 * from release to release: dashboards and rules of others hold on to them.
 */
final class WatchMetrics {
    private static final String PROCESS = "leakline_process_";

    private final Map<String, GaugeSnapshot.Builder> gauges = new TreeMap<>();
    private final StateSetSnapshot.Builder verdicts =
            StateSetSnapshot.builder().name(PROCESS + "verdict").help("What the samples of a process show so far.");
    private final StateSetSnapshot.Builder states = StateSetSnapshot.builder()
            .name(PROCESS + "alert")
            .help("Whether somebody should look: the alert of a process is ok, growing, firing or resolved.");

    private WatchMetrics() {
        gauge(PROCESS + "used_bytes", "Memory of the GPU that the driver counts for a process.");
        gauge(PROCESS + "reserved_bytes", "Memory of the GPU that PyTorch's allocator holds for a process.");
        gauge(PROCESS + "allocated_bytes", "Memory of the GPU that tensors of a process hold.");
        gauge(PROCESS + "resident_bytes", "Host memory of a process and its children.");
        gauge(
                PROCESS + "limit_bytes",
                "Size of the memory that a process uses: the GPU, or what its control groups allow.");
        gauge(PROCESS + "growth_bytes_per_hour", "How fast the memory of a process grows; absent where it does not.");
        gauge(
                PROCESS + "full_seconds",
                "Seconds until the memory is full: an estimate, and an interval that holds nine of ten.");
        gauge("leakline_processes", "Processes that are watched.");
        gauge("leakline_alerts_firing", "Processes whose alert is firing.");
        gauge("leakline_last_sample_timestamp_seconds", "When the newest sample was taken.");
    }

    /** The metrics of an overview. */
    static MetricSnapshots of(Overview overview) {
        WatchMetrics metrics = new WatchMetrics();
        List<Overview.Row> alive = overview.processes().stream()
                .filter(process -> !process.isEnded())
                .toList();
        alive.forEach(metrics::add);
        long firing = alive.stream()
                .filter(process -> process.now().state() == State.FIRING)
                .count();
        metrics.set("leakline_processes", Labels.EMPTY, alive.size());
        metrics.set("leakline_alerts_firing", Labels.EMPTY, (double) firing);
        if (overview.t() > 0) {
            metrics.set("leakline_last_sample_timestamp_seconds", Labels.EMPTY, overview.t());
        }
        return metrics.snapshots();
    }

    private void gauge(String name, String help) {
        gauges.put(name, GaugeSnapshot.builder().name(name).help(help));
    }

    private void set(String name, Labels labels, double value) {
        GaugeSnapshot.Builder gauge = gauges.get(name);
        if (gauge == null) {
            throw new IllegalStateException("no such gauge: " + name);
        }
        gauge.dataPoint(
                GaugeDataPointSnapshot.builder().labels(labels).value(value).build());
    }

    private void setKnown(String name, Labels labels, long bytes) {
        if (bytes >= 0) {
            set(PROCESS + name, labels, (double) bytes);
        }
    }

    private void add(Overview.Row process) {
        WatchEvent now = process.now();
        Labels who = withPod(
                Labels.of("pid", String.valueOf(now.pid()), "name", now.name() == null ? "" : Printable.of(now.name())),
                process.pod());
        for (ProcessMemory memory : process.memories()) {
            addMemory(who.add("device", device(memory.device())), memory);
        }
        verdicts.dataPoint(states(who, WatchEvent.Verdict.values(), now.verdict()));
        states.dataPoint(states(who, State.values(), now.state()));
        boolean isHost = now.resource() == WatchEvent.Resource.HOST;
        Labels where = who.add("device", device(isHost ? ProcessMemory.HOST : (int) now.device()));
        if (!Double.isNaN(now.bytesPerHour())) {
            set(PROCESS + "growth_bytes_per_hour", where, now.bytesPerHour());
        }
        FullAt full = now.fullAt();
        if (full != null) {
            set(PROCESS + "full_seconds", where.add("bound", "estimate"), full.estimate() - now.t());
            set(PROCESS + "full_seconds", where.add("bound", "low"), full.low() - now.t());
            set(PROCESS + "full_seconds", where.add("bound", "high"), full.high() - now.t());
        }
    }

    /** Under the names that other exporters give them. */
    private static Labels withPod(Labels who, Pods.@Nullable Pod pod) {
        if (pod == null) {
            return who;
        }
        Labels numbered = who.add("pod_uid", pod.uid()).add("container_id", pod.container());
        return pod.name().isEmpty()
                ? numbered
                : numbered.add("namespace", pod.namespace())
                        .add("pod", pod.name())
                        .add("container", pod.containerName());
    }

    private void addMemory(Labels where, ProcessMemory memory) {
        if (memory.isHost()) {
            setKnown("resident_bytes", where, memory.last().resident());
        } else {
            setKnown("used_bytes", where, memory.last().used());
            setKnown("reserved_bytes", where, memory.last().reserved());
            setKnown("allocated_bytes", where, memory.last().allocated());
        }
        setKnown("limit_bytes", where, memory.limit());
    }

    private static String device(int device) {
        return device < 0 ? "host" : String.valueOf(device);
    }

    private static <E extends Enum<E>> StateSetDataPointSnapshot states(Labels labels, E[] all, E now) {
        StateSetDataPointSnapshot.Builder point =
                StateSetDataPointSnapshot.builder().labels(labels);
        for (E one : all) {
            point.state(one.name().toLowerCase(Locale.ROOT), one == now);
        }
        return point.build();
    }

    private MetricSnapshots snapshots() {
        List<MetricSnapshot> all = new ArrayList<>();
        gauges.values().forEach(gauge -> all.add(gauge.build()));
        all.add(verdicts.build());
        all.add(states.build());
        return new MetricSnapshots(all);
    }
}
