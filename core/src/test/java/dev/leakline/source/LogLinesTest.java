package dev.leakline.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogLinesTest {
    private static final List<String> PIECES = List.of(
            "word ",
            "another, ",
            "a",
            " ",
            "\t",
            "\\",
            "\\\\",
            "\\n",
            "\\u0041",
            "\\x41",
            "\u001b[31m",
            "\0",
            "\r",
            "\n",
            "x".repeat(300),
            "y z ".repeat(3000));

    /** Small letters stand for themselves; all else may stand for another character, or for none. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5})
    void offsetsAreThoseOfTheCharacters(int seed) throws IOException {
        Random random = new Random(seed);
        StringBuilder input = new StringBuilder();
        for (int i = 0; i < 2000; i++) {
            input.append(PIECES.get(random.nextInt(PIECES.size())));
        }
        LogLines lines = new LogLines(new StringReader(input.toString()), 1);
        long last = -1;
        while (lines.next()) {
            for (int i = 0; i < lines.length(); i++) {
                assertThat(lines.offset(i)).isGreaterThan(last);
                last = lines.offset(i);
                if (lines.text()[i] >= 'a') {
                    assertThat(input.charAt((int) last)).isEqualTo(lines.text()[i]);
                }
            }
        }
    }
}
