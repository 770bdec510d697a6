package dev.leakline.cli.mcp;

import static dev.leakline.testkit.snapshot.SnapshotBuilder.snapshot;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.codec.Codec;
import dev.leakline.source.ReadLimits;
import dev.leakline.testkit.Fuzzing;
import dev.leakline.testkit.pickle.Dialect;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What a client of the protocol gets, whatever it sends. */
class McpServerTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final int MESSAGES = 20_000;
    private static final List<String> WHOLE = List.of(
            request(1, "initialize", "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{}}"),
            request(2, "ping", "{}"),
            request(3, "tools/list", "{\"cursor\":null}"),
            request(4, "server/discover", "{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"}}"),
            request(5, "tools/call", "{\"name\":\"leakline_report\",\"arguments\":{\"paths\":[\"nowhere\"]}}"),
            request(
                    6,
                    "tools/call",
                    "{\"name\":\"leakline_detail\",\"arguments\":{\"paths\":[1,{}],\"part\":\"peak\"}}"),
            request(7, "tools/call", "{\"name\":\"leakline_explain\",\"arguments\":{\"text\":\"CUDA out of memory\"}}"),
            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}",
            "{\"jsonrpc\":\"2.0\",\"id\":\"leakline-1\",\"result\":{\"roots\":[{\"uri\":\"file:///\"}]}}");

    @TempDir
    private Path folder;

    private static String request(int id, String method, String params) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"" + method + "\",\"params\":" + params + "}";
    }

    /** Sends lines to a server and returns its own. */
    private static List<JsonNode> answers(byte[] lines) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new McpServer(out, new McpTools(), "1").serve(new ByteArrayInputStream(lines));
        return out.toString(StandardCharsets.UTF_8).lines().map(JSON::readTree).toList();
    }

    private static List<JsonNode> answers(String... lines) {
        return answers((String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8));
    }

    /** A run is a message; some hundred are sent to one server, and a ping behind them is answered. */
    @Test
    void malformedMessagesEndNothing() {
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        Fuzzing.runs(MESSAGES, random -> {
            lines.writeBytes(malformed(random));
            lines.write('\n');
            if (random.nextInt(500) == 0) {
                lines.writeBytes((request(987_654, "ping", "{}") + "\n").getBytes(StandardCharsets.UTF_8));
                List<JsonNode> answers = answers(lines.toByteArray());
                lines.reset();
                assertThat(answers).allSatisfy(answer -> {
                    assertThat(answer.get("jsonrpc").asString()).isEqualTo("2.0");
                    assertThat(answer.has("result") || answer.has("error") || answer.has("method"))
                            .isTrue();
                });
                assertThat(answers)
                        .anySatisfy(
                                answer -> assertThat(answer.get("id").asInt(0)).isEqualTo(987_654));
            }
        });
    }

    private static byte[] malformed(RandomGenerator random) {
        byte[] message = WHOLE.get(random.nextInt(WHOLE.size())).getBytes(StandardCharsets.UTF_8);
        switch (random.nextInt(5)) {
            case 0 -> {
                for (int i = 0; i <= random.nextInt(4); i++) {
                    message[random.nextInt(message.length)] = (byte) random.nextInt(256);
                }
            }
            case 1 -> message = Arrays.copyOf(message, random.nextInt(message.length));
            case 2 -> random.nextBytes(message);
            case 3 -> message = "[{\"a\":".repeat(random.nextInt(300)).getBytes(StandardCharsets.UTF_8);
            default -> {
                String text = new String(message, StandardCharsets.UTF_8);
                String other = List.of("null", "[]", "1e999", "{}", "-1", "\"\\ud800\"", "true")
                        .get(random.nextInt(7));
                message = text.replaceFirst("[{\\[\\d\"][^,:]*", other).getBytes(StandardCharsets.UTF_8);
            }
        }
        for (int i = 0; i < message.length; i++) {
            message[i] = message[i] == '\n' ? (byte) ' ' : message[i];
        }
        return message;
    }

    @Test
    void aMessageThatIsTooLongIsRefusedAndTheNextAnswered() {
        List<JsonNode> answers = answers("x".repeat(5 << 20), request(2, "ping", "{}"));
        assertThat(answers.get(0).at("/error/message").asString()).contains("name a file instead");
        assertThat(answers.get(1).get("id").asInt()).isEqualTo(2);
    }

    @Test
    void speaksTheVersionOfTheClient() {
        for (String version : List.of("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")) {
            assertThat(answers(request(1, "initialize", "{\"protocolVersion\":\"" + version + "\"}"))
                            .getFirst()
                            .at("/result/protocolVersion")
                            .asString())
                    .isEqualTo(version);
        }
        assertThat(answers(request(1, "initialize", "{\"protocolVersion\":\"1999-01-01\"}"))
                        .getFirst()
                        .at("/result/protocolVersion")
                        .asString())
                .isEqualTo("2025-11-25");
        assertThat(answers(request(
                                1, "ping", "{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2030-01-01\"}}"))
                        .getFirst()
                        .at("/error/data/supported/0")
                        .asString())
                .isEqualTo("2026-07-28");
    }

    /** A token has some four characters of English, and three of JSON. */
    @Test
    void definitionsCostFewTokens() {
        String tools = Codec.line(Map.of("tools", McpTools.DEFINITIONS));
        assertThat(McpTools.DEFINITIONS).hasSizeLessThanOrEqualTo(6);
        assertThat(tools.length() / 3.7).isLessThan(600);
    }

    @Test
    void rootsOfTheClientAreTheOnlyFoldersThatAreRead() throws Exception {
        Path inside = Files.createDirectories(folder.resolve("inside"));
        byte[] recording = snapshot()
                .repeat(
                        40,
                        (s, i) -> s.alloc("loss" + i, 2 << 20, "train.py:41 train")
                                .step())
                .write(Dialect.PROTOCOL_4);
        Files.write(inside.resolve("job.pickle"), recording);
        Path outside = Files.write(folder.resolve("other.pickle"), recording);
        Files.createSymbolicLink(inside.resolve("link.pickle"), outside);
        PipedOutputStream client = new PipedOutputStream();
        try (PipedInputStream in = new PipedInputStream(client, 1 << 16);
                PipedOutputStream out = new PipedOutputStream();
                PipedInputStream answers = new PipedInputStream(out, 1 << 16)) {
            Thread server = Thread.ofVirtual().start(() -> new McpServer(out, new McpTools(), "1").serve(in));
            send(client, request(1, "initialize", "{\"capabilities\":{\"roots\":{}}}"));
            assertThat(next(answers).get("id").asInt()).isEqualTo(1);
            send(client, call(2, "leakline_report", "job.pickle"));
            JsonNode question = next(answers);
            assertThat(question.get("method").asString()).isEqualTo("roots/list");
            send(
                    client,
                    "{\"jsonrpc\":\"2.0\",\"id\":\"" + question.get("id").asString()
                            + "\",\"result\":{\"roots\":[{\"uri\":\"" + inside.toUri() + "\"}]}}");
            JsonNode brief =
                    JSON.readTree(next(answers).at("/result/content/0/text").asString());
            assertThat(brief.get("verdict").asString()).isEqualTo("leak");
            for (String path : List.of(outside.toString(), "../other.pickle", "link.pickle", "/etc/hostname")) {
                send(client, call(3, "leakline_report", path));
                JsonNode answer = next(answers);
                assertThat(answer.at("/result/isError").asBoolean()).as(path).isTrue();
                assertThat(answer.at("/result/content/0/text").asString()).contains("outside of the roots");
            }
            client.close();
            server.join();
        }
    }

    @Test
    void everyAnswerFitsIntoFifteenHundredBytes() throws Exception {
        Path recording = Path.of("../examples/train_with_a_leak.pickle.gz").toRealPath();
        Path log = Path.of("../examples/oom.log");
        List<String> calls = new ArrayList<>();
        for (String part :
                List.of("7369db517b", "peak", "holders", "steps", "ruled-out", "unknown", "model.py:30", "step:5")) {
            calls.add(request(
                    1,
                    "tools/call",
                    Codec.line(Map.of(
                            "name",
                            "leakline_detail",
                            "arguments",
                            Map.of("paths", List.of(recording.toString()), "part", part)))));
        }
        calls.add(request(
                1,
                "tools/call",
                Codec.line(Map.of("name", "leakline_explain", "arguments", Map.of("text", Files.readString(log))))));
        McpTools tools = new McpTools();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        McpTools.Client client = new RootsOf(recording.getParent().getParent());
        for (String call : calls) {
            JsonNode params = JSON.readTree(call).get("params");
            String text = tools.call(
                    params.get("name").asString(),
                    Codec.readObject(
                            new ByteArrayInputStream(
                                    params.get("arguments").toString().getBytes(StandardCharsets.UTF_8)),
                            ReadLimits.DEFAULT),
                    client);
            assertThat(text.getBytes(StandardCharsets.UTF_8).length).as(text).isLessThanOrEqualTo(McpTools.MOST);
            assertThat(text).containsPattern("\"next(_command)?\":\"leakline ");
            out.writeBytes(text.getBytes(StandardCharsets.UTF_8));
        }
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("leakline.detail/1", "leakline.brief/1");
    }

    /** A case that was a baseline is answered with its sources afterwards, and a change by the word that verify has. */
    @Test
    void aBaselineSaysWhetherAChangeHelped() throws Exception {
        Files.writeString(
                folder.resolve("train.py"),
                "kept = []\n\n\ndef train(model, batch):\n    loss = model(batch).mean()\n    kept.append(loss)\n");
        for (String name : List.of("before", "after")) {
            byte[] recording = snapshot()
                    .repeat(40, (s, i) -> {
                        s.alloc("loss" + i, 2 << 20, "train.py:5 train");
                        (name.equals("after") ? s.free("loss" + i, "train.py:7 train") : s).step();
                    })
                    .write(Dialect.PROTOCOL_4);
            Files.write(folder.resolve(name + ".pickle"), recording);
        }
        McpTools tools = new McpTools();
        McpTools.Client client = new RootsOf(folder);
        Map<String, Object> after = Map.of("paths", List.of("after.pickle"), "baseline", "before.pickle");
        JsonNode change = JSON.readTree(tools.call("leakline_report", after, client));
        assertThat(change.get("outcome").asString()).isEqualTo("fixed");
        assertThat(change.get("next").asString()).startsWith("leakline gate ");
        JsonNode before =
                JSON.readTree(tools.call("leakline_report", Map.of("paths", List.of("before.pickle")), client));
        assertThat(before.at("/finding/kept_at").asString()).isEqualTo("train.py:6");
    }

    private record RootsOf(Path root) implements McpTools.Client {
        @Override
        public boolean can(String capability) {
            return capability.equals("roots");
        }

        @Override
        public Map<String, Object> ask(String key, String method, Map<String, Object> params) {
            return Map.of("roots", List.of(Map.of("uri", root.toUri().toString())));
        }
    }

    private static String call(int id, String tool, String path) {
        return request(id, "tools/call", Codec.line(Map.of("name", tool, "arguments", Map.of("paths", List.of(path)))));
    }

    private static void send(PipedOutputStream client, String line) throws IOException {
        client.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        client.flush();
    }

    private static JsonNode next(PipedInputStream answers) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int letter = answers.read(); letter >= 0 && letter != '\n'; letter = answers.read()) {
            line.write(letter);
        }
        return JSON.readTree(line.toString(StandardCharsets.UTF_8));
    }
}
