package dev.leakline.cli.common;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Nothing that is printed drives a terminal or the runner of a CI system, and a write that fails is known. */
class TerminalWriterTest {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    private String printed(String text, boolean isColored) {
        PrintWriter out = new PrintWriter(new TerminalWriter(bytes, StandardCharsets.UTF_8, () -> isColored));
        out.print(text);
        out.flush();
        return bytes.toString(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @CsvSource({"0", "7", "8", "d", "1b", "7f", "85", "9b", "ad", "200b", "2028", "202e", "2066", "feff"})
    void whatDrivesATerminalBecomesVisible(String hex) {
        String control = Character.toString(Integer.parseInt(hex, 16));
        assertThat(printed("a" + control + "b", true)).isEqualTo("a\\u%04xb".formatted(Integer.parseInt(hex, 16)));
    }

    @Test
    void coloursLettersAndEndsOfLinesStay() {
        String text = "\u001b[36mgr\u00f6\u00dfe\u001b[0m \u65e5\u672c \ud83d\ude80\tx\ncsv\r\n";
        assertThat(printed(text, true)).isEqualTo(text);
    }

    @Test
    void whereThereAreNoColoursNoneIsLetThrough() {
        assertThat(printed("\u001b[31mred", false)).isEqualTo("\\u001b[31mred");
    }

    @ParameterizedTest
    @CsvSource({
        "'::error::x', '\\u003a:error::x'",
        "'ok\n  ::add-mask::x', 'ok\n  \\u003a:add-mask::x'",
        "'a ##vso[task.x]y', 'a #\\u0023vso[task.x]y'",
        "'##teamcity[x]', '#\\u0023teamcity[x]'",
        "'##[error]x', '#\\u0023[error]x'",
        "'std::vector ## head', 'std::vector ## head'"
    })
    void noLineIsACommandOfARunner(String text, String shown) {
        assertThat(printed(text, false)).isEqualTo(shown);
    }

    @Test
    void aFailedWriteIsRemembered() {
        TerminalWriter full = new TerminalWriter(
                new OutputStream() {
                    @Override
                    public void write(int one) throws IOException {
                        throw new IOException("No space left on device");
                    }
                },
                StandardCharsets.UTF_8,
                () -> false);
        assertThat(full.failure()).isNull();
        full.write("x");
        full.flush();
        assertThat(full.failure()).hasMessage("No space left on device");
    }
}
