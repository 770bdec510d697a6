package dev.leakline.cli.serve;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.leakline.report.html.HtmlReport;
import dev.leakline.result.AnalysisResult;
import dev.leakline.watch.SampleSource;
import dev.leakline.watch.ladder.AttachedLooks;
import dev.leakline.watch.metrics.MetricsServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Serves the runs of a folder to this machine alone, at an address that nobody can guess. */
final class RunServer implements AutoCloseable {
    private static final int TOKEN_BYTES = 24;
    /** A file of the largest size is judged in less, also where others are at work. */
    private static final int ANSWER_SECONDS = 120;

    private static final int OK = 200;
    private static final int CREATED = 201;
    private static final int ACCEPTED = 202;
    private static final int BAD = 400;
    private static final int NOT_FOUND = 404;
    private static final int NOT_ALLOWED = 405;
    private static final int CONFLICT = 409;

    private final HttpServer server;
    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    private final Admission admission;
    private final RunStore runs;
    private final Uploads uploads;
    private final LiveWatch live;
    private final @Nullable Path page;

    private RunServer(HttpServer server, Path folder, @Nullable Path page, Supplier<SampleSource> samples) {
        byte[] random = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(random);
        this.server = server;
        this.admission = new Admission(
                HexFormat.of().formatHex(random), server.getAddress().getPort());
        this.runs = new RunStore(folder);
        this.uploads = new Uploads(folder, runs);
        this.live = new LiveWatch(samples, new AttachedLooks(folder, () -> {}), runs);
        this.page = page;
    }

    /**
     * Starts to serve.
     *
     * @param port the port, 0 for one that is free
     * @param page the page that reads recordings in a browser, null where this installation has none
     * @param samples gives samples of the processes that run, once somebody wants to see them
     */
    static RunServer start(Path folder, int port, @Nullable Path page, Supplier<SampleSource> samples)
            throws IOException {
        InetAddress here = InetAddress.getByAddress("127.0.0.1", new byte[] {127, 0, 0, 1});
        RunServer serving = new RunServer(
                MetricsServer.bounded(new InetSocketAddress(here, port), ANSWER_SECONDS), folder, page, samples);
        serving.runs.runs();
        serving.server.setExecutor(serving.executor);
        serving.server.createContext("/", serving::answer);
        serving.server.start();
        return serving;
    }

    /** The address with its token. */
    URI address() {
        return URI.create("http://127.0.0.1:" + admission.port() + "/" + admission.token() + "/");
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            URI asked = exchange.getRequestURI();
            int refused = admission.refusal(exchange.getRequestHeaders(), String.valueOf(asked.getPath()));
            if (refused != Admission.PASSED) {
                exchange.sendResponseHeaders(refused, -1);
                return;
            }
            String name = asked.getPath().substring(admission.token().length() + 2);
            switch (exchange.getRequestMethod()) {
                case "GET" -> get(exchange, name);
                case "POST" -> post(exchange, name);
                default -> exchange.sendResponseHeaders(NOT_ALLOWED, -1);
            }
        }
    }

    private void get(HttpExchange exchange, String name) throws IOException {
        switch (name) {
            case "" -> {
                int from = number(parameter(exchange, "from"));
                send(exchange, OK, RunPages.list(runs.runs(), parameter(exchange, "q"), from, page != null));
            }
            case "run" -> {
                AnalysisResult result = runs.result(parameter(exchange, "file"));
                if (result == null) {
                    send(exchange, NOT_FOUND, "There is no such run (any more).");
                } else {
                    ByteArrayOutputStream html = new ByteArrayOutputStream();
                    HtmlReport.write(result, List.of(), HtmlReport.Bundle.shipped(), html);
                    send(exchange, OK, html.toByteArray());
                }
            }
            case "finding" -> send(exchange, OK, RunPages.history(runs.runs(), parameter(exchange, "id")));
            case "live" -> send(exchange, OK, LivePages.page());
            case "processes" -> send(exchange, OK, LivePages.now(live.overview(), live.last()));
            case "page" -> {
                if (page == null) {
                    send(exchange, NOT_FOUND, "This installation has no page.");
                } else {
                    send(exchange, OK, Files.readAllBytes(page));
                }
            }
            default -> send(exchange, NOT_FOUND, "There is no such page.");
        }
    }

    private void post(HttpExchange exchange, String name) throws IOException {
        switch (name) {
            case "upload" -> upload(exchange);
            case "record" -> {
                boolean isBegun = live.record(number(parameter(exchange, "pid")));
                send(exchange, isBegun ? ACCEPTED : CONFLICT, isBegun ? "recording" : "no such process, or busy");
            }
            default -> send(exchange, NOT_FOUND, "There is no such page.");
        }
    }

    private void upload(HttpExchange exchange) throws IOException {
        try {
            String length = exchange.getRequestHeaders().getFirst("Content-Length");
            String saved = uploads.save(
                    parameter(exchange, "name"),
                    length == null ? -1 : Long.parseLong(length),
                    exchange.getRequestBody());
            send(exchange, CREATED, saved);
        } catch (Uploads.Refused e) {
            send(exchange, e.status, String.valueOf(e.getMessage()));
        } catch (NumberFormatException e) {
            send(exchange, BAD, "Content-Length is no number");
        }
    }

    private static int number(String text) {
        return text.matches("\\d{1,9}") ? Integer.parseInt(text) : 0;
    }

    /** A parameter of the query; empty where there is none. */
    private static String parameter(HttpExchange exchange, String name) {
        String query = exchange.getRequestURI().getRawQuery();
        for (String part : query == null ? new String[0] : query.split("&", -1)) {
            if (part.startsWith(name + "=")) {
                return URLDecoder.decode(part.substring(name.length() + 1), StandardCharsets.UTF_8);
            }
        }
        return "";
    }

    private static void send(HttpExchange exchange, int status, String text) throws IOException {
        send(exchange, status, text.getBytes(StandardCharsets.UTF_8));
    }

    /** Sends content: a page where it begins as one, else text. */
    private static void send(HttpExchange exchange, int status, byte[] content) throws IOException {
        Headers headers = exchange.getResponseHeaders();
        boolean isPage = content.length > 0 && content[0] == '<';
        headers.set("Content-Type", (isPage ? "text/html" : "text/plain") + "; charset=utf-8");
        headers.set("Content-Security-Policy", "frame-ancestors 'none'");
        headers.set("X-Content-Type-Options", "nosniff");
        headers.set("Referrer-Policy", "same-origin");
        headers.set("Cross-Origin-Resource-Policy", "same-origin");
        headers.set("Cache-Control", "no-store");
        exchange.sendResponseHeaders(status, content.length);
        exchange.getResponseBody().write(content);
        exchange.getResponseBody().flush(); // before what was not read of the request is waited for
    }

    @Override
    public void close() {
        live.close();
        server.stop(0);
        executor.close();
    }
}
