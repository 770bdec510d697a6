package dev.leakline.cli.mcp;

import dev.leakline.codec.Codec;
import dev.leakline.source.ReadLimits;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Speaks the Model Context Protocol: JSON-RPC, a message a line. Clients of the versions up to 2025-11-25 begin with a handshake, and are asked
 * by requests of ours; those of 2026-07-28 say with each request who they are, and what they are asked is the answer to a call that they make again.
 * Calls run one after another on a thread of their own, so that the client is answered meanwhile. Whatever a message holds, it ends neither the
 * server nor another message's answer.
 */
final class McpServer {
    /** Versions that begin with a handshake, oldest first. */
    private static final List<String> HANDSHAKE = List.of("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25");
    /** The version that does not. */
    private static final String STATELESS = "2026-07-28";

    private static final String META = "io.modelcontextprotocol/";
    private static final String INSTRUCTIONS =
            "Begin with leakline_report or leakline_explain; each answer ends with the next"
                    + " command. Apply only patches marked safe; show those marked review to a person.";
    /** Bytes of a message: a pasted log has room. */
    private static final int LONGEST = 4 << 20;
    /** Calls that wait, at most. */
    private static final int WAITING = 64;
    /** Seconds for which a client may think about a question, such as a person's. */
    private static final int PATIENCE = 300;

    private static final int PARSE = -32700;
    private static final int INVALID = -32600;
    private static final int NO_METHOD = -32601;
    private static final int BAD_PARAMS = -32602;
    private static final int FAULT = -32603;
    private static final int BUSY = -32000;
    private static final int BAD_VERSION = -32022;

    private final OutputStream out;
    private final McpTools tools;
    private final String version;
    private final ThreadPoolExecutor worker =
            new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(WAITING), work -> {
                Thread thread = new Thread(work, "mcp-calls");
                thread.setDaemon(true);
                return thread;
            });
    private final Map<String, CompletableFuture<Map<String, Object>>> asked = new ConcurrentHashMap<>();
    private final AtomicInteger questions = new AtomicInteger();
    private volatile Map<String, Object> capabilities = Map.of();

    McpServer(OutputStream out, McpTools tools, String version) {
        this.out = out;
        this.tools = tools;
        this.version = version;
    }

    /** Serves until the client closes the stream, and ends the calls that wait. */
    void serve(InputStream stream) {
        try (InputStream in = new BufferedInputStream(stream)) {
            for (byte[] line = line(in); line != null; line = line(in)) {
                if (line.length > LONGEST) {
                    fail(null, INVALID, "a message has at most " + LONGEST + " bytes; name a file instead");
                } else if (!new String(line, StandardCharsets.UTF_8).isBlank()) {
                    handle(line);
                }
            }
        } catch (IOException e) {
            // the client is gone
        }
        asked.values().forEach(answer -> answer.complete(Map.of()));
        worker.shutdown();
        try {
            boolean _ = worker.awaitTermination(PATIENCE, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The next line, a byte more than the longest of one that is longer; null at the end. */
    private static byte @Nullable [] line(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        int next = in.read();
        if (next < 0) {
            return null;
        }
        for (; next >= 0 && next != '\n'; next = in.read()) {
            if (line.size() <= LONGEST) {
                line.write(next);
            }
        }
        return line.toByteArray();
    }

    private void handle(byte[] line) {
        Map<String, Object> message;
        try {
            message = Codec.readObject(new ByteArrayInputStream(line), ReadLimits.DEFAULT);
        } catch (IOException | RuntimeException | StackOverflowError e) {
            fail(null, PARSE, "expected one JSON object a line");
            return;
        }
        Object id = message.get("id");
        if (!(message.get("method") instanceof String method)) {
            answered(id, message);
            return;
        }
        if (!(id instanceof String || id instanceof Long)) {
            if (id == null) {
                notified(method);
            } else {
                fail(null, INVALID, "expected an id that is a text or a whole number");
            }
            return;
        }
        try {
            request(id, method, object(message.get("params")));
        } catch (RuntimeException e) {
            fail(id, FAULT, "internal error in leakline, please report it: " + e);
        }
    }

    private void notified(String method) {
        if (method.equals("notifications/roots/list_changed")) {
            tools.forgetRoots();
        }
    }

    private void answered(@Nullable Object id, Map<String, Object> message) {
        CompletableFuture<Map<String, Object>> question = id instanceof String key ? asked.remove(key) : null;
        if (question != null) {
            question.complete(object(message.get("result")));
        } else if (!message.containsKey("result") && !message.containsKey("error")) {
            fail(null, INVALID, "expected a method");
        }
    }

    private void request(Object id, String method, Map<String, Object> params) {
        Map<String, Object> meta = object(params.get("_meta"));
        Object spoken = meta.get(META + "protocolVersion");
        boolean isStateless = spoken != null;
        if (spoken != null && !spoken.equals(STATELESS)) {
            Map<String, Object> data = Map.of("supported", List.of(STATELESS), "requested", spoken);
            fail(id, BAD_VERSION, "expected the version " + STATELESS, data);
            return;
        }
        switch (method) {
            case "initialize" -> initialize(id, params);
            case "server/discover" ->
                answer(id, isStateless, described(Map.of("supportedVersions", List.of(STATELESS))), true);
            case "ping" -> answer(id, isStateless, Map.of(), false);
            case "tools/list" -> answer(id, isStateless, Map.of("tools", McpTools.DEFINITIONS), true);
            case "tools/call" -> call(id, params, isStateless ? new Repeating(meta, params) : new Asking());
            default -> fail(id, NO_METHOD, "there is no method '" + method + "'");
        }
    }

    private void initialize(Object id, Map<String, Object> params) {
        capabilities = object(params.get("capabilities"));
        Object wanted = params.getOrDefault("protocolVersion", "");
        String spoken = HANDSHAKE.contains(wanted) ? wanted.toString() : HANDSHAKE.getLast();
        answer(id, false, described(Map.of("protocolVersion", spoken)), false);
    }

    private Map<String, Object> described(Map<String, Object> versions) {
        Map<String, Object> all = new LinkedHashMap<>(versions);
        all.put("capabilities", Map.of("tools", Map.of()));
        all.put("serverInfo", Map.of("name", "leakline", "version", version));
        all.put("instructions", INSTRUCTIONS);
        return all;
    }

    private void call(Object id, Map<String, Object> params, McpTools.Client client) {
        if (!(params.get("name") instanceof String name) || !McpTools.NAMES.contains(name)) {
            fail(id, BAD_PARAMS, "expected the name of a tool: " + McpTools.NAMES);
            return;
        }
        try {
            worker.execute(() -> run(id, name, object(params.get("arguments")), client));
        } catch (RejectedExecutionException e) {
            fail(id, BUSY, WAITING + " calls are waiting already; call again when one was answered");
        }
    }

    private void run(Object id, String name, Map<String, Object> arguments, McpTools.Client client) {
        boolean isStateless = client instanceof Repeating;
        try {
            answer(id, isStateless, content(tools.call(name, arguments, client), false), false);
        } catch (McpTools.Client.Question question) {
            Map<String, Object> open = Map.of("resultType", "input_required", "inputRequests", question.request());
            answer(id, false, open, false);
        } catch (IOException | IllegalArgumentException e) {
            answer(id, isStateless, content(String.valueOf(e.getMessage()), true), false);
        } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
            answer(id, isStateless, content("internal error in leakline, please report it: " + e, true), false);
        }
    }

    private static Map<String, Object> content(String text, boolean isError) {
        return Map.of("content", List.of(Map.of("type", "text", "text", text)), "isError", isError);
    }

    private void answer(Object id, boolean isStateless, Map<String, Object> result, boolean isKept) {
        Map<String, Object> all = new LinkedHashMap<>(result);
        if (isStateless) {
            all.put("resultType", "complete");
        }
        if (isStateless && isKept) {
            all.put("ttlMs", TimeUnit.HOURS.toMillis(1));
            all.put("cacheScope", "public");
        }
        send(message(id, "result", all));
    }

    private void fail(@Nullable Object id, int code, String words) {
        fail(id, code, words, Map.of());
    }

    private void fail(@Nullable Object id, int code, String words, Map<String, Object> data) {
        Map<String, Object> error = new LinkedHashMap<>(Map.of("code", code, "message", words));
        if (!data.isEmpty()) {
            error.put("data", data);
        }
        send(message(id, "error", error));
    }

    private static Map<String, @Nullable Object> message(@Nullable Object id, String what, Object value) {
        Map<String, @Nullable Object> message = new LinkedHashMap<>();
        message.put("jsonrpc", "2.0");
        message.put("id", id);
        message.put(what, value);
        return message;
    }

    private void send(Map<String, @Nullable Object> message) {
        byte[] line = (Codec.line(message) + "\n").getBytes(StandardCharsets.UTF_8);
        synchronized (out) {
            try {
                out.write(line);
                out.flush();
            } catch (IOException e) {
                // the client is gone, as the end of its stream will say
            }
        }
    }

    private static Map<String, Object> object(@Nullable Object value) {
        Map<String, Object> object = new LinkedHashMap<>();
        if (value instanceof Map<?, ?> map) {
            map.forEach((name, entry) -> object.put(String.valueOf(name), entry));
        }
        return object;
    }

    /** A client that is asked by a request of ours. */
    private final class Asking implements McpTools.Client {
        @Override
        public boolean can(String capability) {
            return capabilities.containsKey(capability);
        }

        @Override
        public Map<String, Object> ask(String key, String method, Map<String, Object> params) {
            String id = "leakline-" + questions.incrementAndGet();
            CompletableFuture<Map<String, Object>> answer = new CompletableFuture<>();
            asked.put(id, answer);
            Map<String, @Nullable Object> request = message(id, "method", method);
            request.put("params", params);
            send(request);
            try {
                return answer.get(PATIENCE, TimeUnit.SECONDS);
            } catch (ExecutionException | TimeoutException e) {
                return Map.of();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return Map.of();
            } finally {
                asked.remove(id);
            }
        }
    }

    /** A client that makes its call again with the answer. */
    private record Repeating(Map<String, Object> meta, Map<String, Object> params) implements McpTools.Client {
        @Override
        public boolean can(String capability) {
            return object(meta.get(META + "clientCapabilities")).containsKey(capability);
        }

        @Override
        public Map<String, Object> ask(String key, String method, Map<String, Object> asked) {
            Map<String, Object> answers = object(params.get("inputResponses"));
            if (!answers.containsKey(key)) {
                throw new Question(key, method, asked);
            }
            return object(answers.get(key));
        }
    }
}
