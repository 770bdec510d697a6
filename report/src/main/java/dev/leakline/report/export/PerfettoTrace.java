package dev.leakline.report.export;

import dev.leakline.result.AnalysisResult;
import dev.leakline.result.DeviceResult.FailedRequest;
import dev.leakline.result.Finding;
import dev.leakline.result.RecordedProfile;
import dev.leakline.result.RecordedProfile.Allocation;
import dev.leakline.result.RecordedProfile.Moment;
import dev.leakline.result.RecordedProfile.Span;
import dev.leakline.result.Site;
import io.avaje.jsonb.Json;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A recording in the trace event format, which Perfetto and chrome://tracing read: a process each device, with counters of live and reserved bytes,
 * and of those of the lines that have most at the peak, steps as slices, failed requests and findings as instants. Times are microseconds; where the recording has none, numbers of events stand for them.
 */
@Json
public record PerfettoTrace(List<Event> traceEvents, Map<String, String> otherData) {
    /** The thread of a device's steps. */
    private static final int STEPS = 1;
    /** Lines with a counter: those that have most at the peak. */
    private static final int LINES = 8;

    /**
     * An event.
     *
     * @param ph what it is: M for a name, C for counters, X for a slice, i for an instant
     * @param ts when, null for a name
     * @param dur how long, null for what is no slice
     * @param s of an instant, how far it reaches: p for the process
     */
    @Json
    public record Event(
            String name,
            String ph,
            @Nullable Long ts,
            @Nullable Long dur,
            int pid,
            int tid,
            @Nullable String s,
            @Nullable Map<String, Object> args) {}

    /** The trace of a recording's devices, with what was found. */
    public static PerfettoTrace of(AnalysisResult result, List<RecordedProfile> devices, String version) {
        List<Event> events = new ArrayList<>();
        for (RecordedProfile device : devices) {
            add(device, events);
            lines(device, events);
            findings(result, device, events);
        }
        boolean hasTimes = devices.stream().allMatch(RecordedProfile::hasTimes);
        return new PerfettoTrace(
                events,
                Map.of("exporter", "leakline " + version, "times", hasTimes ? "microseconds" : "event numbers"));
    }

    private static void add(RecordedProfile device, List<Event> events) {
        int process = process(device);
        events.add(name("process_name", device.name(), process));
        events.add(name("thread_name", "steps", process));
        for (Moment moment : device.curve()) {
            Map<String, Object> bytes =
                    new TreeMap<>(Map.of("live", moment.bytes(), "reserved", moment.reservedBytes()));
            events.add(new Event("memory", "C", moment.time(), null, process, STEPS, null, bytes));
        }
        for (Span step : device.steps()) {
            events.add(new Event(step.name(), "X", step.from(), step.to() - step.from(), process, STEPS, null, null));
        }
        for (FailedRequest failed : device.failures()) {
            long time = device.hasTimes() ? failed.timeUs() : failed.event();
            Map<String, Object> args = Map.of(
                    "requested_bytes",
                    failed.requestedBytes(),
                    "line",
                    failed.site().label());
            events.add(new Event("out of memory", "i", time, null, process, STEPS, "p", args));
        }
    }

    /** Adds the live bytes of lines, at the moments of the curve. */
    private static void lines(RecordedProfile device, List<Event> events) {
        Map<Site, Long> peaks = new LinkedHashMap<>();
        for (Allocation allocation : device.allocations()) {
            if (allocation.isLiveAtPeak() && allocation.site().isLine()) {
                peaks.merge(allocation.site(), allocation.bytes(), Long::sum);
            }
        }
        long[] times = device.curve().stream().mapToLong(Moment::time).toArray();
        Map<Site, long[]> changes = new LinkedHashMap<>();
        peaks.entrySet().stream()
                .sorted(Map.Entry.<Site, Long>comparingByValue().reversed())
                .limit(LINES)
                .forEach(line -> changes.put(line.getKey(), new long[times.length + 1]));
        for (Allocation allocation : device.allocations()) {
            long[] change = changes.get(allocation.site());
            if (change != null) {
                boolean hasTimes = device.hasTimes();
                change[moment(times, hasTimes ? allocation.bornTimeUs() : number(allocation.born()), 0)] +=
                        allocation.bytes();
                change[moment(times, hasTimes ? allocation.freedTimeUs() : number(allocation.freed()), times.length)] -=
                        allocation.bytes();
            }
        }
        changes.forEach((line, change) -> {
            long live = 0;
            for (int moment = 0; moment < times.length; moment++) {
                live += change[moment];
                if (moment == 0 || change[moment] != 0) {
                    events.add(new Event(
                            line.label(),
                            "C",
                            times[moment],
                            null,
                            process(device),
                            STEPS,
                            null,
                            Map.of("live", live)));
                }
            }
        });
    }

    /** The first moment that is not before a time; {@code unknown} where that is not known. */
    private static int moment(long[] times, @Nullable Long time, int unknown) {
        int found = time == null ? unknown : Arrays.binarySearch(times, time);
        return found < 0 ? -found - 1 : found;
    }

    private static @Nullable Long number(@Nullable Integer event) {
        return event == null ? null : event.longValue();
    }

    /** Adds what was found on a device, at the end of its recording. */
    private static void findings(AnalysisResult result, RecordedProfile device, List<Event> events) {
        for (Finding finding : result.findings()) {
            if (finding.device() == device.device() && !device.curve().isEmpty()) {
                Map<String, Object> args = new TreeMap<>(
                        Map.of("line", finding.site().label(), "summary", finding.summary(), "bytes", finding.bytes()));
                long end = device.curve().getLast().time();
                events.add(new Event(finding.title(), "i", end, null, process(device), STEPS, "p", args));
            }
        }
    }

    private static int process(RecordedProfile device) {
        return device.device() + 2; // the host's is -1, and 0 stands for the kernel
    }

    private static Event name(String what, String name, int process) {
        return new Event(what, "M", null, null, process, STEPS, null, Map.of("name", name));
    }
}
