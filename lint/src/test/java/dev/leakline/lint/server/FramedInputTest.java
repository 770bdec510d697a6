package dev.leakline.lint.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is no message is skipped, and the next one is read. */
class FramedInputTest {
    private static final String NEXT = "Content-Length: 7\r\n\r\n{\"a\":1}";

    private static String read(String text) throws IOException {
        return new String(
                new FramedInput(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8))).readAllBytes(),
                StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\r\n\r\n",
                "nonsense\n",
                "Content-Length: abc\r\n\r\n{}",
                "Content-Length: -5\r\n\r\n{}",
                "Content-Length: 0\r\n\r\n",
                "Content-Length: 99999999999\r\n\r\n{}",
                "Content-Length: 1000000000\r\n\r\n{}"
            })
    void theNextMessageIsRead(String nonsense) throws IOException {
        assertThat(read(nonsense + NEXT + NEXT)).isEqualTo(NEXT + NEXT);
    }

    @Test
    void whatIsNestedWithoutEndIsSkipped() throws IOException {
        String deep = "[".repeat(200_000) + "]".repeat(200_000);
        assertThat(read("Content-Length: " + deep.length() + "\r\n\r\n" + deep + NEXT))
                .isEqualTo(NEXT);
        String quoted = "\"" + "[".repeat(1000) + "\\\"\"";
        String message = "Content-Length: " + quoted.length() + "\r\n\r\n" + quoted;
        assertThat(read(message)).isEqualTo(message);
    }

    @Test
    void aMessageThatIsCutIsNone() throws IOException {
        assertThat(read(NEXT.substring(0, NEXT.length() - 1))).isEmpty();
    }
}
