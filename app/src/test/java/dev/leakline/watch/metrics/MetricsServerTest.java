package dev.leakline.watch.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.leakline.watch.WatchSamples;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

final class MetricsServerTest {
    private static final Path EXAMPLES = Path.of("../examples/watch");
    private static final String TOKEN = "correct horse battery staple";
    private static final Pattern FAMILY = Pattern.compile("(?m)^# TYPE (\\S+) ");
    private static final Pattern NAME = Pattern.compile("(?<![\\w:-])leakline_\\w+");

    @Test
    void whatIsKnownOfEachProcessIsServed() throws Exception {
        try (MetricsServer server = MetricsServer.start(loopback(), null)) {
            server.accept(WatchSamples.overview());
            HttpResponse<String> response = get(server, "/metrics", null);
            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.headers().firstValue("Content-Type").orElse(""))
                    .startsWith("application/openmetrics-text");
            assertThat(response.body())
                    .endsWith("# EOF\n")
                    .contains("# TYPE leakline_process_verdict stateset")
                    .contains("leakline_processes 4")
                    .contains("leakline_alerts_firing 1")
                    .contains("leakline_last_sample_timestamp_seconds 1.79000239E9")
                    .contains(
                            "leakline_process_resident_bytes{device=\"host\",name=\"train.py\",pid=\"4242\"} 2.147483648E9")
                    .contains("leakline_process_used_bytes{device=\"1\",name=\"eval\",pid=\"1313\"} 1.610612736E9")
                    .contains("{name=\"train.py\",pid=\"4242\",leakline_process_verdict=\"leak\"} 1")
                    .contains("{name=\"serve\",pid=\"777\",leakline_process_alert=\"firing\"} 0")
                    .containsPattern(
                            "leakline_process_growth_bytes_per_hour\\{device=\"0\",name=\"train.py\",pid=\"4242\"} 1\\.\\d+E10")
                    .doesNotContain("nightly", "\u001b");
            double low = value(response.body(), "low");
            double estimate = value(response.body(), "estimate");
            assertThat(low).isPositive().isLessThanOrEqualTo(estimate);
            assertThat(value(response.body(), "high")).isGreaterThanOrEqualTo(estimate);
            assertThat(get(server, "/", null).statusCode()).isEqualTo(404);
        }
    }

    private static double value(String metrics, String bound) {
        return Pattern.compile("(?m)^leakline_process_full_seconds\\{bound=\"" + bound + "\".*pid=\"4242\"} (\\S+)$")
                .matcher(metrics)
                .results()
                .mapToDouble(match -> Double.parseDouble(match.group(1)))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aTokenIsAskedForWhereThereIsOne() throws Exception {
        try (MetricsServer server = MetricsServer.start(loopback(), TOKEN)) {
            assertThat(get(server, "/metrics", null).statusCode()).isEqualTo(401);
            assertThat(get(server, "/metrics", "Bearer wrong horse").statusCode())
                    .isEqualTo(401);
            assertThat(get(server, "/metrics", "Bearer " + TOKEN).statusCode()).isEqualTo(200);
        }
    }

    /** A page in a browser may give its own name the address of this machine. */
    @Test
    void whoAsksForAnotherNameGetsNothingWithoutAToken() throws Exception {
        try (MetricsServer server = MetricsServer.start(loopback(), null)) {
            for (String host : List.of("evil.example", "localhost", "127.0.0.1:80", "[::1]:9461")) {
                try (Socket socket = new Socket(
                        InetAddress.getLoopbackAddress(), server.address().getPort())) {
                    socket.getOutputStream()
                            .write(("GET /metrics HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n")
                                    .getBytes(StandardCharsets.US_ASCII));
                    String answer = new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
                    assertThat(answer).as(host).isEqualTo(host.startsWith("evil") ? "HTTP/1.1 421" : "HTTP/1.1 200");
                }
            }
        }
    }

    @Test
    void nobodyServesOtherMachinesWithoutAToken() throws IOException {
        InetSocketAddress everywhere = new InetSocketAddress(InetAddress.getByName("0.0.0.0"), 0);
        assertThatThrownBy(() -> MetricsServer.start(everywhere, null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--token-file");
    }

    /** A query that names what is not served would be empty for good, and nobody would notice. */
    @ParameterizedTest
    @ValueSource(strings = {"leakline.rules.yml", "leakline.rules.test.yml", "leakline.dashboard.json"})
    void shippedQueriesNameOnlyWhatIsServed(String file) throws IOException {
        Set<String> served =
                names(FAMILY, new String(MetricsServer.text(WatchSamples.overview()), StandardCharsets.UTF_8));
        Set<String> used = new TreeSet<>();
        NAME.matcher(Files.readString(EXAMPLES.resolve(file)))
                .results()
                .map(match -> match.group())
                .forEach(used::add);
        assertThat(used).isNotEmpty();
        assertThat(served).containsAll(used);
    }

    private static Set<String> names(Pattern pattern, String text) {
        Set<String> names = new TreeSet<>();
        pattern.matcher(text).results().map(match -> match.group(1)).forEach(names::add);
        return names;
    }

    @Test
    void theDashboardIsOne() throws IOException {
        var dashboard = JsonMapper.shared()
                .readTree(EXAMPLES.resolve("leakline.dashboard.json").toFile());
        assertThat(dashboard.get("panels"))
                .hasSizeGreaterThan(5)
                .allSatisfy(panel -> assertThat(
                                panel.get("targets").get(0).get("expr").asString())
                        .contains("leakline_"));
    }

    @Test
    void promtoolAcceptsTheRulesAndTheirTest() throws Exception {
        assumeTrue(run("promtool", "--version") == 0, "promtool is in Debian's package prometheus");
        assertThat(run("promtool", "check", "rules", "leakline.rules.yml")).isZero();
        assertThat(run("promtool", "test", "rules", "leakline.rules.test.yml")).isZero();
        assertThat(run("promtool", "check", "config", "--syntax-only", "prometheus.yml"))
                .isZero();
    }

    private static int run(String... command) throws InterruptedException {
        try {
            return new ProcessBuilder(command)
                    .directory(EXAMPLES.toFile())
                    .inheritIO()
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException e) {
            return -1;
        }
    }

    private static InetSocketAddress loopback() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    private static HttpResponse<String> get(MetricsServer server, String path, String authorization) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + server.address().getPort() + path);
        HttpRequest.Builder request = HttpRequest.newBuilder(uri);
        if (authorization != null) {
            request.header("Authorization", authorization);
        }
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        }
    }
}
