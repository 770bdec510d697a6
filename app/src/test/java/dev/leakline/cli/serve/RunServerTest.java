package dev.leakline.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.leakline.Analysis;
import dev.leakline.Input;
import dev.leakline.Input.Demand;
import dev.leakline.InputSource;
import dev.leakline.codec.Codec;
import dev.leakline.result.AnalysisResult;
import dev.leakline.testkit.Thoroughness;
import dev.leakline.watch.ReplayedSamples;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Writer;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RunServerTest {
    private static final Path RECORDING = Path.of("../examples/train_with_a_leak.pickle.gz");
    /** Above what Linux gives to processes. */
    private static final int GONE = 5_000_000;

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    @TempDir
    private Path folder;

    private RunServer server;
    private AnalysisResult leak;

    @BeforeEach
    void start() throws IOException {
        leak = Analysis.run(List.of(Input.open(InputSource.of(RECORDING), Demand.EVIDENCE)), Analysis.Options.ALL);
        save(leak, "job/1.json", 1);
        save(leak, "job/2.json", 2);
        save(leak.withFindings(List.of()).withReason("nothing <b>grows</b>"), "job/3.json", 3);
        Files.writeString(folder.resolve("other.json"), "{\"schema\": 1}");
        Files.writeString(folder.resolve("torn.json"), "{\"schema\": \"leakline.report/1\", ");
        Files.createSymbolicLink(folder.resolve("link.json"), folder.resolve("job/1.json"));
        server = RunServer.start(folder, 0, null, () -> new ReplayedSamples(growing()));
    }

    /** An hour of a process that keeps a mebibyte each second, under a number that no process has. */
    private static InputStream growing() {
        StringBuilder lines = new StringBuilder();
        for (int second = 0; second < 3600; second++) {
            lines.append("""
                    {"t": %d, "pid": %d, "name": "<b>keeps", "device": 0, "used": %d, "device_total": 25769803776}
                    """.formatted(1_700_000_000 + second, GONE, (1000L + second) << 20));
        }
        return new ByteArrayInputStream(lines.toString().getBytes(StandardCharsets.UTF_8));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private void save(AnalysisResult result, String name, long second) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        try (Writer out = Files.newBufferedWriter(file)) {
            Codec.write(result, out);
        }
        Files.setLastModifiedTime(file, FileTime.fromMillis(second * 1000));
    }

    private HttpResponse<String> get(String path, String... headers) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(server.address().resolve(path));
        return CLIENT.send((headers.length == 0 ? request : request.headers(headers)).build(), BodyHandlers.ofString());
    }

    @Test
    void theRunsOfAFolderAreListedAndShown() throws Exception {
        String list = get("").body();
        assertThat(list)
                .contains(
                        "<h1>3 runs</h1>",
                        "nothing &lt;b&gt;grows",
                        "finding?id=" + leak.findings().getFirst().id())
                .containsSubsequence("job/3.json", "job/2.json", "job/1.json")
                .doesNotContain("other.json", "torn.json", "link.json");
        assertThat(get("?q=nothing").body()).contains("<h1>1 run</h1>").doesNotContain("job/2.json");
        assertThat(get("run?file=job%2F2.json").body()).contains("leakline-data");
        assertThat(get("run?file=..%2F..%2Fetc%2Fpasswd").statusCode()).isEqualTo(404);
        assertThat(get("run?file=torn.json").statusCode()).isEqualTo(404);
        assertThat(get("page").statusCode()).isEqualTo(404);
    }

    @Test
    void aFindingHasAHistory() throws Exception {
        String id = leak.findings().getFirst().id();
        assertThat(get("finding?id=" + id).body())
                .contains("In 2 runs; not in the newest 1 of the same folder.", "194 MiB per step")
                .containsSubsequence("job/2.json", "job/1.json")
                .doesNotContain("job/3.json");
        assertThat(get("finding?id=%3Cscript%3E").body())
                .contains("No run has this finding")
                .doesNotContain("<script>");
    }

    @Test
    void processesThatRunAreShownAndRecordedWhereSomebodyAsks() throws Exception {
        assertThat(get("live").body()).contains("Processes that run");
        String now = get("processes").body();
        while (!now.contains("4.49 GiB used of 24.0 GiB")) { // that of the last sample
            now = get("processes").body();
        }
        assertThat(now)
                .contains("&lt;b&gt;keeps", "<polyline", "leak</span>", "<button value=\"" + GONE)
                .doesNotContain("<b>keeps");
        assertThat(post("record?pid=1").statusCode()).isEqualTo(409);
        assertThat(get("record?pid=" + GONE).statusCode()).isEqualTo(404);
        assertThat(post("record?pid=" + GONE).statusCode()).isEqualTo(202);
        while (now.contains("is recorded") || !now.contains("Process " + GONE)) {
            now = get("processes").body();
        }
        assertThat(now).contains("was not recorded: no such process");
    }

    private HttpResponse<String> post(String path) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(server.address().resolve(path));
        return CLIENT.send(request.POST(BodyPublishers.noBody()).build(), BodyHandlers.ofString());
    }

    @Test
    void whoDoesNotHaveTheAddressIsRefused() throws Exception {
        assertThat(get("/").statusCode()).isEqualTo(403);
        assertThat(get("/0123456789abcdef/").statusCode()).isEqualTo(403);
        assertThat(get("", "Origin", "http://evil.example").statusCode()).isEqualTo(403);
        assertThat(get("", "Origin", "http://127.0.0.1:1").statusCode()).isEqualTo(403);
        assertThat(get("", "Origin", "null").statusCode()).isEqualTo(403);
        assertThat(get("", "Sec-Fetch-Site", "cross-site").statusCode()).isEqualTo(403);
        assertThat(get("", "Sec-Fetch-Site", "same-origin").statusCode()).isEqualTo(200);
        assertThat(raw("GET " + server.address().getPath() + " HTTP/1.1\r\nHost: evil.example\r\n\r\n"))
                .isEqualTo("HTTP/1.1 421");
        assertThat(raw("DELETE " + server.address().getPath() + " HTTP/1.1\r\nHost: 127.0.0.1:"
                        + server.address().getPort() + "\r\n\r\n"))
                .isEqualTo("HTTP/1.1 405");
    }

    /** The beginning of the answer, empty where the connection is closed without one. */
    private String raw(String request) throws IOException {
        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), server.address().getPort())) {
            socket.setSoTimeout((int) Duration.ofSeconds(Thoroughness.HANGS).toMillis());
            OutputStream out = socket.getOutputStream();
            out.write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
        }
    }

    @Test
    void anUploadIsJudgedAndSaved() throws Exception {
        URI upload = server.address().resolve("upload?name=..%2Fa%20b.pickle.gz");
        HttpResponse<String> saved = CLIENT.send(
                HttpRequest.newBuilder(upload)
                        .POST(BodyPublishers.ofFile(RECORDING))
                        .build(),
                BodyHandlers.ofString());
        assertThat(saved.statusCode()).isEqualTo(201);
        assertThat(saved.body()).matches("\\d{8}-\\d{6}-\\.\\._a_b\\.pickle\\.gz\\.json");
        assertThat(get("finding?id=" + leak.findings().getFirst().id()).body()).contains("In 3 runs");
        HttpResponse<String> nothing = CLIENT.send(
                HttpRequest.newBuilder(upload)
                        .POST(BodyPublishers.ofString("\u0000\u0001"))
                        .build(),
                BodyHandlers.ofString());
        assertThat(nothing.statusCode()).as(nothing.body()).isEqualTo(422);
        try (var left = Files.list(folder)) {
            assertThat(left.filter(file -> file.toString().contains("pickle"))).hasSize(1);
        }
    }

    @Test
    void aBrowserUploadsAFileAndShowsItsAnswerAndHistory() throws Exception {
        Path web = Path.of("../report/src/main/web/node_modules/playwright-core");
        Path chromium = Path.of(Objects.requireNonNullElse(System.getenv("CHROMIUM"), "/usr/bin/chromium"));
        assumeTrue(Files.isDirectory(web) && Files.isExecutable(chromium), "needs npm ci and Chromium");
        Process node = new ProcessBuilder(
                        "node",
                        "../report/src/test/web/serve.mjs",
                        server.address().toString(),
                        RECORDING.toString())
                .redirectErrorStream(true)
                .start();
        node.getOutputStream().close();
        String said = new String(node.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(node.waitFor()).as(said).isZero();
    }

    @Test
    void whatIsTooLargeOrTooSlowIsRefused() throws Exception {
        String post = "POST " + server.address().getPath() + "upload HTTP/1.1\r\nHost: 127.0.0.1:"
                + server.address().getPort() + "\r\nContent-Length: ";
        assertThat(raw(post + (Uploads.MOST_BYTES + 1) + "\r\n\r\n")).isEqualTo("HTTP/1.1 413");
        long begun = System.nanoTime();
        assertThat(raw(post + "100\r\n\r\nslow")).isEmpty();
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(Thoroughness.HANGS));
    }

    @Test
    void theIndexIsMadeAgainWhereItIsMissingOrDamaged() throws Exception {
        Path index = folder.resolve(RunStore.INDEX);
        byte[] whole = Files.readAllBytes(index);
        List<Run> runs = new RunStore(folder).runs();
        for (int length : List.of(0, 10, whole.length / 2)) {
            Files.write(index, Arrays.copyOf(whole, length));
            assertThat(new RunStore(folder).runs()).as("%d bytes", length).isEqualTo(runs);
        }
        Files.delete(index);
        assertThat(new RunStore(folder).runs()).isEqualTo(runs);
        Files.delete(folder.resolve("job/1.json"));
        assertThat(new RunStore(folder).runs()).isEqualTo(runs.subList(0, 2));
    }

    /** Ten thousand in the full ring; the bound is what a busy machine keeps, the note has what a quiet one does. */
    @Test
    void manyRunsAreListedAtOnce() throws Exception {
        AnalysisResult small = new AnalysisResult(
                "1",
                leak.inputs(),
                leak.verdict(),
                leak.reason(),
                leak.findings(),
                List.of(),
                List.of(),
                List.of(),
                Map.of());
        int count = Thoroughness.of(500, 10_000);
        for (int i = 0; i < count; i++) {
            save(small, "many/" + i % 50 + "/" + i + ".json", 10 + i);
        }
        get(""); // reads what is new
        Thread.sleep(1100); // until the folder is looked at again
        long begun = System.nanoTime();
        assertThat(get("").body()).contains("%,d runs".formatted(count + 3));
        long listed = System.nanoTime();
        assertThat(get("finding?id=" + leak.findings().getFirst().id()).body())
                .contains("In %,d runs".formatted(count + 2));
        long told = System.nanoTime();
        System.out.printf(
                "%d runs listed in %d ms, a history in %d ms%n",
                count, (listed - begun) / 1_000_000, (told - listed) / 1_000_000);
        assertThat(Duration.ofNanos(told - begun)).isLessThan(Duration.ofSeconds(5));
    }
}
