package dev.leakline.watch.metrics;

import dev.leakline.result.WatchEvent;
import dev.leakline.result.WatchEvent.FullAt;
import dev.leakline.text.Printable;
import dev.leakline.watch.HttpSender;
import dev.leakline.watch.Overview;
import dev.leakline.watch.Pods;
import dev.leakline.watch.ProcessMemory;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.URLDecoder;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonEncoding;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Posts overviews as metrics of OpenTelemetry, in the JSON of its protocol over HTTP. Names and units are those of its semantic conventions for
 * hardware and processes, {@code hw.gpu.memory.usage} and others, as far as they go; what only this program knows is {@code leakline.*}.
 */
public final class OtlpMetrics implements Consumer<Overview>, AutoCloseable {
    /** As often as OpenTelemetry's own libraries do. */
    private static final Duration PERIOD = Duration.ofMinutes(1);
    /** The most that wait: the newest says all that matters of older ones. */
    private static final int ROOM = 5;

    private static final HttpSender.Retries RETRIES =
            new HttpSender.Retries(Duration.ofSeconds(1), Duration.ofSeconds(30), 5);
    private static final String PATH = "/v1/metrics";
    private static final double NANOS = 1e9;
    /** OpenTelemetry's number for sums that are the state of things, not what came since. */
    private static final int CUMULATIVE = 2;

    private static final int MOST_OF_NAME = 60;

    private final HttpSender sender;
    private final String instance;
    private final String version;
    private final Duration period;
    private long due = System.nanoTime();

    /**
     * Exports to a collector.
     *
     * @param headers what each request carries besides, such as a token
     * @param instance what tells this watch from others
     */
    public OtlpMetrics(
            URI address, Map<String, String> headers, String instance, String version, Consumer<String> trouble) {
        this(address, headers, instance, version, trouble, PERIOD);
    }

    OtlpMetrics(
            URI address,
            Map<String, String> headers,
            String instance,
            String version,
            Consumer<String> trouble,
            Duration period) {
        this.instance = instance;
        this.version = version;
        this.period = period;
        sender = new HttpSender(endpoint(address), ROOM, RETRIES, _ -> request(headers), trouble);
    }

    /** A collector is named by its host alone, or with the whole path. */
    private static URI endpoint(URI address) {
        String path = address.getPath();
        return path.isEmpty() || path.equals("/") ? address.resolve(PATH) : address;
    }

    private static HttpRequest.Builder request(Map<String, String> headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder().header("Content-Type", "application/json");
        headers.forEach(request::header);
        return request;
    }

    /**
     * Headers as OpenTelemetry's variables have them: {@code name=value,name=value}, values percent-encoded. Throws
     * {@link IllegalArgumentException} for one that cannot be sent; it names the header alone, as values are secrets.
     */
    public static Map<String, String> headers(@Nullable String text) {
        Map<String, String> headers = new LinkedHashMap<>();
        for (String one : text == null ? new String[0] : text.split(",", -1)) {
            int equals = one.indexOf('=');
            if (equals > 0) {
                String name = one.substring(0, equals).strip();
                headers.put(name, sendable(name, one.substring(equals + 1).strip()));
            }
        }
        return headers;
    }

    private static String sendable(String name, String encoded) {
        String value = decoded(encoded);
        if (value == null || !isSendable(name, value)) {
            throw new IllegalArgumentException(
                    "OTEL_EXPORTER_OTLP_HEADERS: the header " + Printable.of(name, MOST_OF_NAME) + " cannot be sent");
        }
        return value;
    }

    private static @Nullable String decoded(String encoded) {
        try {
            return URLDecoder.decode(encoded.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static boolean isSendable(String name, String value) {
        try {
            HttpRequest.Builder _ = HttpRequest.newBuilder().header(name, value);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    @Override
    public void accept(Overview overview) {
        if (System.nanoTime() - due >= 0 && overview.t() > 0) {
            due = System.nanoTime() + period.toNanos();
            sender.send(new Request(instance, version, overview).bytes());
        }
    }

    @Override
    public void close() {
        sender.close();
    }

    /** A request with one overview. */
    private static final class Request {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final JsonGenerator json =
                new JsonFactory().createGenerator(ObjectWriteContext.empty(), bytes, JsonEncoding.UTF8);
        private final String time;

        Request(String instance, String version, Overview overview) {
            time = String.valueOf((long) (overview.t() * NANOS));
            json.writeStartObject();
            json.writeArrayPropertyStart("resourceMetrics");
            json.writeStartObject();
            json.writeObjectPropertyStart("resource");
            attributes(Map.of("service.name", "leakline", "service.version", version, "service.instance.id", instance));
            json.writeEndObject();
            json.writeArrayPropertyStart("scopeMetrics");
            json.writeStartObject();
            json.writeObjectPropertyStart("scope");
            json.writeStringProperty("name", "dev.leakline.watch");
            json.writeStringProperty("version", version);
            json.writeEndObject();
            json.writeArrayPropertyStart("metrics");
            metrics(overview);
            json.writeEndArray();
            json.writeEndObject();
            json.writeEndArray();
            json.writeEndObject();
            json.writeEndArray();
            json.writeEndObject();
            json.close();
        }

        byte[] bytes() {
            return bytes.toByteArray();
        }

        private void metrics(Overview overview) {
            Set<Integer> sized = new HashSet<>();
            sum("hw.gpu.memory.usage", "GPU memory of a process.", overview, (row, memory) -> {
                if (!memory.isHost() && memory.used() >= 0) {
                    point(gpu(who(row), memory), memory.used());
                }
            });
            sum("hw.gpu.memory.limit", "Size of the memory of a GPU.", overview, (_, memory) -> {
                if (!memory.isHost() && memory.limit() > 0 && sized.add(memory.device())) {
                    point(gpu(new TreeMap<>(), memory), memory.limit());
                }
            });
            sum("process.memory.usage", "Resident memory of a process and its children.", overview, (row, memory) -> {
                if (memory.isHost() && memory.used() >= 0) {
                    point(who(row), memory.used());
                }
            });
            gauge(
                    "leakline.process.growth",
                    "By/h",
                    "How fast the memory of a process grows.",
                    overview,
                    (row, now) -> {
                        if (!Double.isNaN(now.bytesPerHour())) {
                            point(judged(row), now.bytesPerHour());
                        }
                    });
            gauge("leakline.process.full", "s", "Seconds until the memory is full.", overview, (row, now) -> {
                FullAt full = now.fullAt();
                if (full != null) {
                    bound(row, "low", full.low() - now.t());
                    bound(row, "estimate", full.estimate() - now.t());
                    bound(row, "high", full.high() - now.t());
                }
            });
            gauge("leakline.process.alert", "1", "1 while the alert of a process is firing.", overview, (row, now) -> {
                Map<String, String> labels = judged(row);
                labels.put("leakline.verdict", now.verdict().name().toLowerCase(Locale.ROOT));
                point(labels, now.state() == WatchEvent.State.FIRING ? 1.0 : 0.0);
            });
        }

        private void bound(Overview.Row row, String which, double seconds) {
            Map<String, String> labels = judged(row);
            labels.put("leakline.bound", which);
            point(labels, seconds);
        }

        private static Map<String, String> who(Overview.Row row) {
            Map<String, String> who = new TreeMap<>();
            who.put("process.pid", String.valueOf(row.pid()));
            if (row.now().name() != null) {
                who.put("process.executable.name", row.now().name());
            }
            Pods.Pod pod = row.pod();
            if (pod != null) {
                who.put("k8s.pod.uid", pod.uid());
                who.put("container.id", pod.container());
                if (!pod.name().isEmpty()) {
                    who.put("k8s.pod.name", pod.name());
                    who.put("k8s.namespace.name", pod.namespace());
                    who.put("k8s.container.name", pod.containerName());
                }
            }
            return who;
        }

        private static Map<String, String> judged(Overview.Row row) {
            Map<String, String> labels = who(row);
            boolean isHost = row.now().resource() == WatchEvent.Resource.HOST;
            labels.put("leakline.memory", isHost ? "host" : "gpu");
            if (!isHost) {
                labels.put("hw.id", String.valueOf(row.now().device()));
            }
            return labels;
        }

        private static Map<String, String> gpu(Map<String, String> labels, ProcessMemory memory) {
            labels.put("hw.id", String.valueOf(memory.device()));
            labels.put("hw.type", "gpu");
            return labels;
        }

        private interface OfMemory {
            void add(Overview.Row row, ProcessMemory memory);
        }

        private interface OfProcess {
            void add(Overview.Row row, WatchEvent now);
        }

        private void sum(String name, String help, Overview overview, OfMemory points) {
            begin(name, "By", help, "sum");
            json.writeNumberProperty("aggregationTemporality", CUMULATIVE);
            json.writeBooleanProperty("isMonotonic", false);
            json.writeArrayPropertyStart("dataPoints");
            alive(overview, row -> row.memories().forEach(memory -> points.add(row, memory)));
            end();
        }

        private void gauge(String name, String unit, String help, Overview overview, OfProcess points) {
            begin(name, unit, help, "gauge");
            json.writeArrayPropertyStart("dataPoints");
            alive(overview, row -> points.add(row, row.now()));
            end();
        }

        private static void alive(Overview overview, Consumer<Overview.Row> each) {
            overview.processes().stream().filter(row -> !row.isEnded()).forEach(each);
        }

        private void begin(String name, String unit, String help, String kind) {
            json.writeStartObject();
            json.writeStringProperty("name", name);
            json.writeStringProperty("unit", unit);
            json.writeStringProperty("description", help);
            json.writeObjectPropertyStart(kind);
        }

        private void end() {
            json.writeEndArray();
            json.writeEndObject();
            json.writeEndObject();
        }

        private void point(Map<String, String> labels, double value) {
            beginPoint(labels);
            json.writeNumberProperty("asDouble", value);
            json.writeEndObject();
        }

        /** The protocol's JSON has integers of 64 bits as strings. */
        private void point(Map<String, String> labels, long value) {
            beginPoint(labels);
            json.writeStringProperty("asInt", String.valueOf(value));
            json.writeEndObject();
        }

        private void beginPoint(Map<String, String> labels) {
            json.writeStartObject();
            attributes(labels);
            json.writeStringProperty("timeUnixNano", time);
        }

        private void attributes(Map<String, String> labels) {
            json.writeArrayPropertyStart("attributes");
            labels.forEach((key, value) -> {
                json.writeStartObject();
                json.writeStringProperty("key", key);
                json.writeObjectPropertyStart("value");
                json.writeStringProperty(key.equals("process.pid") ? "intValue" : "stringValue", value);
                json.writeEndObject();
                json.writeEndObject();
            });
            json.writeEndArray();
        }
    }
}
