package dev.leakline.report.export;

import dev.leakline.result.DeviceResult.FailedRequest;
import dev.leakline.result.RecordedProfile;
import dev.leakline.result.RecordedProfile.Moment;
import dev.leakline.result.RecordedProfile.Span;
import io.avaje.jsonb.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A recording in the trace event format, which Perfetto and chrome://tracing read: a process each device, with counters of live and reserved bytes,
 * steps as slices and failed requests as instants. Times are microseconds; where the recording has none, numbers of events stand for them.
 */
@Json
public record PerfettoTrace(List<Event> traceEvents, Map<String, String> otherData) {
    /** The thread of a device's steps. */
    private static final int STEPS = 1;

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

    /** The trace of a recording's devices. */
    public static PerfettoTrace of(List<RecordedProfile> devices, String version) {
        List<Event> events = new ArrayList<>();
        devices.forEach(device -> add(device, events));
        boolean hasTimes = devices.stream().allMatch(RecordedProfile::hasTimes);
        return new PerfettoTrace(
                events,
                Map.of("exporter", "leakline " + version, "times", hasTimes ? "microseconds" : "event numbers"));
    }

    private static void add(RecordedProfile device, List<Event> events) {
        int process = device.device() + 2; // the host's is -1, and 0 stands for the kernel
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

    private static Event name(String what, String name, int process) {
        return new Event(what, "M", null, null, process, STEPS, null, Map.of("name", name));
    }
}
