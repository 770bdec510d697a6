package dev.leakline.watch;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.leakline.columns.ProcessSample;
import dev.leakline.watch.HttpSender.Retries;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

final class WebhookTest {
    private static final Retries QUICK = new Retries(Duration.ofMillis(20), Duration.ofMillis(100), 8);
    private static final String SECRET = "sixteen characters";

    private final Queue<String> trouble = new ConcurrentLinkedQueue<>();
    private final List<Received> received = new ArrayList<>();
    private HttpServer server;

    private record Received(String timestamp, String signature, String delivery, String body) {}

    /** A server that answers the first requests with these, and all others with the last of them. */
    private URI serve(int... statuses) throws IOException {
        AtomicInteger count = new AtomicInteger();
        return serve(exchange -> {
            int status = statuses[Math.min(count.getAndIncrement(), statuses.length - 1)];
            exchange.sendResponseHeaders(status, -1);
        });
    }

    private interface Answer {
        void to(HttpExchange exchange) throws IOException;
    }

    private URI serve(Answer answer) throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/hook", exchange -> {
            try (exchange) {
                synchronized (received) {
                    received.add(new Received(
                            exchange.getRequestHeaders().getFirst("Leakline-Timestamp"),
                            exchange.getRequestHeaders().getFirst("Leakline-Signature"),
                            exchange.getRequestHeaders().getFirst("Leakline-Delivery"),
                            new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.ISO_8859_1)));
                }
                answer.to(exchange);
            }
        });
        server.start();
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/hook");
    }

    @Test
    void thePasswordOfAnAddressIsSentAndNeverShown() throws Exception {
        Queue<String> sent = new ConcurrentLinkedQueue<>();
        URI address = serve(exchange -> {
            sent.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
            exchange.sendResponseHeaders(302, -1);
        });
        URI with = URI.create(address.toString().replace("://", "://user:hunter22%40@"));
        try (HttpSender sender = sender(with, 4, QUICK)) {
            sender.send(new byte[1]);
            await(() -> !trouble.isEmpty());
        }
        assertThat(sent)
                .containsExactly("Basic "
                        + Base64.getEncoder().encodeToString("user:hunter22@".getBytes(StandardCharsets.UTF_8)));
        assertThat(trouble).isNotEmpty().allMatch(line -> !line.contains("hunter22") && line.contains("127.0.0.1:"));
    }

    @Test
    void aRequestThatCannotBeMadeIsCountedAndTheNextIsSent() throws Exception {
        URI address = serve(200);
        AtomicInteger count = new AtomicInteger();
        try (HttpSender sender = new HttpSender(
                address,
                4,
                QUICK,
                _ -> count.getAndIncrement() == 0
                        ? HttpRequest.newBuilder().header("Host", "x")
                        : HttpRequest.newBuilder(),
                trouble::add)) {
            sender.send(new byte[1]);
            sender.send(new byte[1]);
            await(() -> received.size() == 1);
            assertThat(sender.lost()).isEqualTo(1);
        }
    }

    @AfterEach
    void stop() {
        if (server != null) {
            server.stop(0);
        }
    }

    private static void watch(WatchListener listener) throws IOException {
        Watcher watcher = new Watcher(List.of(listener));
        for (List<ProcessSample> moment : WatchSamples.moments()) {
            watcher.look(moment, true);
        }
    }

    @Test
    void anAlertIsPostedOnceAndSigned() throws Exception {
        try (Webhook hook = new Webhook(serve(204), SECRET, QUICK, trouble::add)) {
            watch(hook);
        }
        List<JsonNode> events = received.stream()
                .map(one -> new JsonMapper().readTree(one.body))
                .filter(event -> event.get("pid").asLong() == 4242)
                .toList();
        assertThat(events).hasSize(1);
        assertThat(events.getFirst().get("state").asString()).isEqualTo("firing");
        Received first = received.getFirst();
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(SECRET.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        mac.update((first.timestamp + ".").getBytes(StandardCharsets.UTF_8));
        assertThat(first.signature)
                .isEqualTo("sha256="
                        + HexFormat.of().formatHex(mac.doFinal(first.body.getBytes(StandardCharsets.ISO_8859_1))));
        assertThat(trouble).isEmpty();
    }

    @Test
    void aServerThatIsNotReadyGetsItLaterInOrder() throws Exception {
        try (HttpSender sender = sender(serve(503, 429, 200), 10, QUICK)) {
            sender.send(new byte[] {1});
            sender.send(new byte[] {2});
            await(() -> received.size() == 4);
        }
        assertThat(received.stream().map(one -> (int) one.body.charAt(0))).containsExactly(1, 1, 1, 2);
        assertThat(trouble).hasSize(1).allMatch(text -> text.contains("503"));
    }

    @Test
    void whatIsRefusedIsNotSentAgain() throws Exception {
        try (HttpSender sender = sender(serve(403, 200), 10, QUICK)) {
            sender.send(new byte[] {1});
            sender.send(new byte[] {2});
            await(() -> received.size() == 2);
            assertThat(sender.lost()).isEqualTo(1);
        }
    }

    @Test
    void aServerThatIsDownCostsTheWatchNothingAndTheOldestGoes() throws Exception {
        int port;
        try (ServerSocket closed = new ServerSocket(0)) {
            port = closed.getLocalPort();
        }
        long before = System.nanoTime();
        try (HttpSender sender = sender(
                URI.create("http://127.0.0.1:" + port),
                3,
                new Retries(Duration.ofSeconds(60), Duration.ofSeconds(60), 9))) {
            for (int i = 0; i < 1000; i++) {
                sender.send(new byte[] {1});
            }
            assertThat(System.nanoTime() - before).isLessThan(TimeUnit.SECONDS.toNanos(1));
            assertThat(sender.lost()).isBetween(996L, 997L);
        }
        assertThat(System.nanoTime() - before).isLessThan(TimeUnit.SECONDS.toNanos(6));
        assertThat(trouble).last().asString().contains("not delivered");
    }

    @Test
    void aServerThatDoesNotAnswerIsNotWaitedForAtTheEnd() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        URI slow = serve(exchange -> {
            try {
                over.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        long before = System.nanoTime();
        try (HttpSender sender = sender(slow, 3, QUICK)) {
            sender.send(new byte[] {1});
            await(() -> !received.isEmpty());
        }
        assertThat(System.nanoTime() - before).isLessThan(TimeUnit.SECONDS.toNanos(6));
        over.countDown();
    }

    private HttpSender sender(URI address, int room, Retries retries) {
        return new HttpSender(address, room, retries, _ -> HttpRequest.newBuilder(), trouble::add);
    }

    private interface Condition {
        boolean holds();
    }

    private void await(Condition condition) throws InterruptedException {
        for (int i = 0; i < 500; i++) {
            synchronized (received) {
                if (condition.holds()) {
                    return;
                }
            }
            Thread.sleep(20);
        }
        assertThat(received).as("in time").isNull();
    }
}
