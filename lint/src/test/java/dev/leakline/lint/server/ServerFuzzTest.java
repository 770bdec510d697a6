package dev.leakline.lint.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.testkit.Fuzzing;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/** Messages like those of editors, changed: whatever they are, the question behind them is answered, and the server ends when it is told to. */
class ServerFuzzTest {
    private static final String DOCUMENT =
            "{\"uri\":\"file:///none/x.py\",\"languageId\":\"python\",\"version\":1,\"text\":"
                    + "\"import torch\\nkept = []\\nfor x in y:\\n    z = net(x)\\n    z.backward()\\n    kept.append(z)\\n\"}";
    private static final List<String> WHOLE = List.of(
            request("1", "initialize", "{\"processId\":null,\"rootUri\":null,\"capabilities\":{}}"),
            notification("initialized", "{}"),
            notification("textDocument/didOpen", "{\"textDocument\":" + DOCUMENT + "}"),
            notification(
                    "textDocument/didChange",
                    "{\"textDocument\":{\"uri\":\"file:///none/x.py\",\"version\":2},\"contentChanges\":[{\"text\":\"x = 1\\n\"}]}"),
            notification(
                    "textDocument/didSave", "{\"textDocument\":{\"uri\":\"file:///none/x.py\"},\"text\":\"y = [\"}"),
            notification("textDocument/didClose", "{\"textDocument\":{\"uri\":\"file:///none/x.py\"}}"),
            request(
                    "2",
                    "textDocument/codeAction",
                    "{\"textDocument\":{\"uri\":\"file:///none/x.py\"},\"range\":{\"start\":{\"line\":5,\"character\":4},"
                            + "\"end\":{\"line\":5,\"character\":9}},\"context\":{\"diagnostics\":[]}}"),
            request(
                    "\"three\"",
                    "textDocument/hover",
                    "{\"textDocument\":{\"uri\":\"file:///none/x.py\"},\"position\":{\"line\":5,\"character\":6}}"),
            notification("workspace/didChangeConfiguration", "{\"settings\":null}"),
            notification("$/setTrace", "{\"value\":\"off\"}"),
            notification("$/cancelRequest", "{\"id\":2}"),
            "{\"jsonrpc\":\"2.0\",\"id\":4,\"result\":null}");
    private static final List<String> PIECES = List.of(
            "null",
            "[]",
            "{}",
            "-1",
            "1e999",
            "99999999999",
            "\"\"",
            "\"\\ud800\"",
            "true",
            "[[[[",
            "\"id\":",
            "\"method\":",
            "file:",
            "\\u0000",
            "\r\n",
            ",");
    private static final String LAST = "{\"jsonrpc\":\"2.0\",\"id\":\"last\",\"method\":\"shutdown\"}";
    /** Messages of a conversation. */
    private static final int MESSAGES = 100;

    private static String request(String id, String method, String params) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"" + method + "\",\"params\":" + params + "}";
    }

    private static String notification(String method, String params) {
        return "{\"jsonrpc\":\"2.0\",\"method\":\"" + method + "\",\"params\":" + params + "}";
    }

    private static byte[] framed(String message) {
        byte[] body = message.getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        whole.writeBytes(("Content-Length: " + body.length + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
        whole.writeBytes(body);
        return whole.toByteArray();
    }

    /** A run is a message: some hundred make a conversation. */
    @Test
    void changedMessagesEndNothing() {
        Logger log = Logger.getLogger("org.eclipse.lsp4j");
        log.setLevel(Level.OFF);
        List<Throwable> thrown = new ArrayList<>();
        Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler((_, failure) -> thrown.add(failure));
        ByteArrayOutputStream conversation = new ByteArrayOutputStream();
        boolean[] isWhole = {true};
        try {
            Fuzzing.runs(1_000, random -> {
                String message = WHOLE.get(random.nextInt(WHOLE.size()));
                String changed = random.nextInt(8) == 0 ? message : Fuzzing.changed(message, PIECES, random);
                byte[] framed = framed(changed);
                if (random.nextInt(200) == 0) { // perhaps in the header: then what follows may be none
                    framed[random.nextInt(framed.length)] = (byte) random.nextInt(256);
                    isWhole[0] = false;
                }
                isWhole[0] &=
                        changed.matches("(?s)(?!.*exit).*\"processId\":null,.*|(?s)(?!.*processId).*"); // else it ends
                conversation.writeBytes(framed);
                if (random.nextInt(MESSAGES) == 0 || conversation.size() > 1 << 16) {
                    String answers = converse(conversation.toByteArray());
                    assertThat(!isWhole[0] || answers.contains("\"id\":\"last\""))
                            .as(answers)
                            .isTrue();
                    conversation.reset();
                    isWhole[0] = true;
                    assertThat(thrown).isEmpty();
                }
            });
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(before);
        }
    }

    private static String converse(byte[] messages) {
        ByteArrayOutputStream in = new ByteArrayOutputStream();
        in.writeBytes(messages);
        in.writeBytes("\r\n\r\n".repeat(2).getBytes(StandardCharsets.US_ASCII));
        in.writeBytes(framed(LAST));
        in.writeBytes(framed("{\"jsonrpc\":\"2.0\",\"method\":\"exit\"}"));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int exit = LintServer.serve(new ByteArrayInputStream(in.toByteArray()), out, "1");
        assertThat(exit).isBetween(0, 1);
        return out.toString(StandardCharsets.UTF_8);
    }
}
