package dev.leakline.functions.gpumemprof;

import dev.leakline.OutsideData;
import dev.leakline.columns.Measurements;
import dev.leakline.columns.MemorySeries;
import dev.leakline.columns.MemorySeries.Axis;
import dev.leakline.columns.MemorySeries.Quantity;
import dev.leakline.columns.MemorySeries.Source;
import dev.leakline.columns.MemorySeries.Subject;
import dev.leakline.columns.ProfiledCall;
import dev.leakline.columns.ProfiledCall.Sample;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What gpumemprof was given and what it answered, from the data beside the repository. */
public final class ParityCases {
    private static final JsonMapper JSON = new JsonMapper();

    private ParityCases() {}

    /** A file of the data set. */
    static JsonNode file(String name) throws IOException {
        try (InputStream file = Files.newInputStream(OutsideData.path("gpumemprof-parity/" + name));
                InputStream text = new GZIPInputStream(file)) {
            return JSON.readTree(text);
        }
    }

    /** The calls of each case by its id. */
    public static Map<String, Measurements> profiles() throws IOException {
        Map<String, Measurements> profiles = new LinkedHashMap<>();
        for (JsonNode one : file("inputs.json.gz").get("cases")) {
            List<ProfiledCall> calls =
                    one.get("results").valueStream().map(ParityCases::call).toList();
            profiles.put(one.get("id").asString(), new Measurements(calls, List.of(), List.of()));
        }
        return profiles;
    }

    /** The telemetry of each case by its id. */
    static Map<String, Measurements> telemetry() throws IOException {
        Map<String, Measurements> telemetry = new LinkedHashMap<>();
        for (JsonNode one : file("gap_inputs.json.gz").get("cases")) {
            telemetry.put(one.get("id").asString(), new Measurements(List.of(), series(one.get("events")), List.of()));
        }
        return telemetry;
    }

    private static ProfiledCall call(JsonNode result) {
        return new ProfiledCall(
                result.get("function_name").asString(),
                result.get("execution_time").asDouble(),
                sample(result.get("memory_before")),
                sample(result.get("memory_after")),
                sample(result.get("memory_peak")),
                result.get("memory_allocated").asLong(),
                result.get("memory_freed").asLong(),
                result.get("tensors_created").asInt(),
                result.get("tensors_deleted").asInt(),
                result.get("call_count").asInt());
    }

    private static Sample sample(JsonNode sample) {
        return new Sample(
                sample.get("timestamp").asDouble(),
                sample.get("allocated_memory").asLong(),
                sample.get("reserved_memory").asLong(),
                sample.get("max_memory_allocated").asLong(),
                sample.get("max_memory_reserved").asLong(),
                sample.get("active_memory").asLong(),
                sample.get("inactive_memory").asLong(),
                sample.get("cpu_memory").asLong(),
                sample.get("device_id").asInt(),
                sample.get("operation").asString());
    }

    private static List<MemorySeries> series(JsonNode events) {
        Map<Quantity, String> names = Map.of(
                Quantity.ALLOCATED, "allocator_allocated_bytes",
                Quantity.RESERVED, "allocator_reserved_bytes",
                Quantity.INACTIVE_SPLIT, "allocator_inactive_bytes",
                Quantity.DEVICE_USED, "device_used_bytes",
                Quantity.DEVICE_TOTAL, "device_total_bytes");
        return names.entrySet().stream()
                .map(name -> series(name.getKey(), name.getValue(), events))
                .toList();
    }

    private static MemorySeries series(Quantity quantity, String name, JsonNode events) {
        MemorySeries series = new MemorySeries(new Subject(Source.TELEMETRY, quantity, Axis.TIME, 0, 1, ""));
        for (JsonNode event : events) {
            if (!event.get(name).isNull()) {
                series.add(
                        event.get("timestamp_ns").asLong() / 1e3,
                        event.get(name).asLong());
            }
        }
        return series;
    }
}
