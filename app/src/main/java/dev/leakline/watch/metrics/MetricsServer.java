package dev.leakline.watch.metrics;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.leakline.watch.Overview;
import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.expositionformats.OpenMetricsTextFormatWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Serves the newest overview at {@code /metrics} as OpenMetrics text. Whoever asks from another machine has to know a token, as
 * {@code Authorization: Bearer TOKEN}; on this machine one is needed only where one is given.
 */
public final class MetricsServer implements Consumer<Overview>, AutoCloseable {
    private static final OpenMetricsTextFormatWriter WRITER = OpenMetricsTextFormatWriter.create();
    /** Limits by which the JDK's server ends requests and answers that never end, in seconds; without, each would keep a connection for good. */
    private static final String REQUEST_SECONDS = "sun.net.httpserver.maxReqTime";

    private static final String ANSWER_SECONDS = "sun.net.httpserver.maxRspTime";
    private static final int LIMIT_SECONDS = 10;
    private static final int OK = 200;
    private static final int UNAUTHORIZED = 401;
    private static final int MISDIRECTED = 421;
    private static final int NOT_FOUND = 404;
    private static final int NOT_ALLOWED = 405;

    private static final Pattern LOCAL =
            Pattern.compile("(?i)(?:localhost|[\\d.]{7,15}|\\[[\\da-f:.]{2,45}])(?::\\d{1,5})?");

    private final HttpServer server;
    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    private final byte @Nullable [] authorization;
    private volatile Overview overview = Overview.EMPTY;

    private MetricsServer(HttpServer server, @Nullable String token) {
        this.server = server;
        this.authorization = token == null ? null : ("Bearer " + token).getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Starts to serve.
     *
     * @param address where; another than a loopback address needs a token
     * @throws IllegalArgumentException if there is no token and others could ask, or nobody can listen there
     */
    public static MetricsServer start(InetSocketAddress address, @Nullable String token) throws IOException {
        if (token == null && !address.getAddress().isLoopbackAddress()) {
            throw new IllegalArgumentException("--listen " + address.getHostString() + ":" + address.getPort()
                    + " can be reached from other machines; give a token with --token-file, or listen on :"
                    + address.getPort() + ", which is this machine alone");
        }
        MetricsServer metrics = new MetricsServer(bounded(address, LIMIT_SECONDS), token);
        metrics.server.setExecutor(metrics.executor);
        metrics.server.createContext("/", metrics::answer);
        metrics.server.start();
        return metrics;
    }

    /** A server that ends requests which take more than ten seconds to come, and answers that take more than some to make and to send. */
    public static HttpServer bounded(InetSocketAddress address, int answerSeconds) throws IOException {
        System.setProperty(REQUEST_SECONDS, System.getProperty(REQUEST_SECONDS, String.valueOf(LIMIT_SECONDS)));
        System.setProperty(ANSWER_SECONDS, System.getProperty(ANSWER_SECONDS, String.valueOf(answerSeconds)));
        return HttpServer.create(address, 0);
    }

    /** Where it listens; the system has chosen the port where 0 was given. */
    public InetSocketAddress address() {
        return server.getAddress();
    }

    @Override
    public void accept(Overview next) {
        overview = next;
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String method = exchange.getRequestMethod();
            if (authorization == null && !isOwnName(exchange.getRequestHeaders().getFirst("Host"))) {
                exchange.sendResponseHeaders(MISDIRECTED, -1);
            } else if (!isAllowed(exchange)) {
                exchange.getResponseHeaders().set("WWW-Authenticate", "Bearer");
                exchange.sendResponseHeaders(UNAUTHORIZED, -1);
            } else if (!exchange.getRequestURI().getPath().equals("/metrics")) {
                exchange.sendResponseHeaders(NOT_FOUND, -1);
            } else if (!method.equals("GET") && !method.equals("HEAD")) {
                exchange.sendResponseHeaders(NOT_ALLOWED, -1);
            } else {
                send(exchange, method.equals("HEAD"));
            }
        }
    }

    /**
     * Returns whether a request names this machine by its number or as localhost. A page in a browser can give its own name the address of this
     * machine (DNS rebinding), and would read what processes run here.
     */
    private static boolean isOwnName(@Nullable String host) {
        return host != null && LOCAL.matcher(host).matches();
    }

    /** Compared in the same time whatever is wrong with it. */
    private boolean isAllowed(HttpExchange exchange) {
        String given = exchange.getRequestHeaders().getFirst("Authorization");
        return authorization == null
                || (given != null && MessageDigest.isEqual(authorization, given.getBytes(StandardCharsets.UTF_8)));
    }

    private void send(HttpExchange exchange, boolean isHead) throws IOException {
        byte[] text = text(overview);
        exchange.getResponseHeaders().set("Content-Type", WRITER.getContentType());
        exchange.sendResponseHeaders(OK, isHead ? -1 : text.length);
        if (!isHead) {
            exchange.getResponseBody().write(text);
        }
    }

    static byte[] text(Overview overview) throws IOException {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        WRITER.write(text, WatchMetrics.of(overview), EscapingScheme.UNDERSCORE_ESCAPING);
        return text.toByteArray();
    }

    @Override
    public void close() {
        server.stop(0);
        executor.close();
    }
}
