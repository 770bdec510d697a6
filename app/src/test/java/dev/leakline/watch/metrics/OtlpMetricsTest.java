package dev.leakline.watch.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.leakline.watch.WatchSamples;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

final class OtlpMetricsTest {
    private final Queue<String> paths = new ConcurrentLinkedQueue<>();
    private final Queue<byte[]> bodies = new ConcurrentLinkedQueue<>();

    @Test
    void anOverviewIsPostedInTheFormOfTheProtocol() throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            try (exchange) {
                paths.add(exchange.getRequestURI().getPath() + " "
                        + exchange.getRequestHeaders().getFirst("Content-Type") + " "
                        + exchange.getRequestHeaders().getFirst("Authorization"));
                bodies.add(exchange.getRequestBody().readAllBytes());
                exchange.sendResponseHeaders(200, -1);
            }
        });
        server.start();
        URI address = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
        try (OtlpMetrics otlp =
                new OtlpMetrics(address, OtlpMetrics.headers("Authorization=Bearer x, a=b"), "here", "1", _ -> {})) {
            otlp.accept(WatchSamples.overview());
            otlp.accept(WatchSamples.overview());
        }
        server.stop(0);
        assertThat(paths).containsExactly("/v1/metrics application/json Bearer x");
        check(new JsonMapper().readTree(bodies.remove()));
    }

    /** A value may be a token; a header that cannot be sent is refused at the start. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Host=SECRET",
                "Connection=SECRET",
                "a b=SECRET",
                "X=SECRET\nvalue",
                "X=SECRET\u00fc\u0001",
                "X=SECRET%zz"
            })
    void aHeaderThatCannotBeSentIsRefusedByItsName(String headers) {
        assertThatThrownBy(() -> OtlpMetrics.headers(headers))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the header " + headers.replaceAll("=(?s:.*)", "") + " ")
                .hasMessageNotContaining("SECRET");
    }

    @Test
    void valuesOfHeadersArePercentEncoded() {
        assertThat(OtlpMetrics.headers("Authorization=Bearer%20abc+d,x-key=1"))
                .containsExactlyEntriesOf(new TreeMap<>(Map.of("Authorization", "Bearer abc+d", "x-key", "1")));
    }

    private static void check(JsonNode request) {
        JsonNode resource = request.get("resourceMetrics").get(0);
        assertThat(attributes(resource.get("resource")))
                .containsEntry("service.name", "leakline")
                .containsEntry("service.instance.id", "here");
        Map<String, JsonNode> metrics = new HashMap<>();
        for (JsonNode metric : resource.get("scopeMetrics").get(0).get("metrics")) {
            metrics.put(metric.get("name").asString(), metric);
        }
        JsonNode usage = metrics.get("hw.gpu.memory.usage");
        assertThat(usage.get("unit").asString()).isEqualTo("By");
        assertThat(usage.get("sum").get("aggregationTemporality").asInt()).isEqualTo(2);
        assertThat(usage.get("sum").get("isMonotonic").asBoolean()).isFalse();
        assertThat(points(usage.get("sum")))
                .filteredOn(point -> attributes(point).get("process.pid").equals("777"))
                .singleElement()
                .satisfies(point -> {
                    assertThat(attributes(point))
                            .containsEntry("hw.id", "1")
                            .containsEntry("process.executable.name", "serve");
                    assertThat(point.get("asInt").isString()).isTrue();
                    assertThat(point.get("timeUnixNano").asString()).isEqualTo("1790002390000000000");
                });
        assertThat(points(metrics.get("hw.gpu.memory.limit").get("sum"))).hasSize(2);
        assertThat(points(metrics.get("leakline.process.full").get("gauge"))).hasSize(3);
        assertThat(points(metrics.get("leakline.process.alert").get("gauge")))
                .filteredOn(point -> point.get("asDouble").asDouble() == 1)
                .singleElement()
                .satisfies(point -> assertThat(attributes(point)).containsEntry("leakline.verdict", "leak"));
    }

    private static List<JsonNode> points(JsonNode sum) {
        return sum.get("dataPoints").valueStream().toList();
    }

    private static Map<String, String> attributes(JsonNode of) {
        Map<String, String> attributes = new HashMap<>();
        for (JsonNode one : of.get("attributes")) {
            JsonNode value = one.get("value");
            attributes.put(
                    one.get("key").asString(),
                    value.propertyStream().findFirst().orElseThrow().getValue().asString());
        }
        return attributes;
    }
}
