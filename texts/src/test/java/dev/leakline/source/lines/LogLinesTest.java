package dev.leakline.source.lines;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
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

    /** Of which lines are made that come again, with other numbers. */
    private static final List<String> PARTS = List.of(
            "step N",
            " loss N.N",
            "layerN",
            "v1.N",
            "N",
            "\\N",
            "\\n",
            "\\x5cn",
            "\\u005cn",
            "\t",
            "\u00a0",
            "\0",
            "\u00e9",
            "\u001b[3Nm",
            "[rankN]: ",
            " ");

    private final Random random = new Random(11);

    /** A line of a form that is expected is taken over at once; alone it is not. */
    @Test
    void linesAreTheSameWhateverStandsBefore() throws IOException {
        for (int i = 0; i < 300; i++) {
            List<String> lines = repeated(2 + random.nextInt(4));
            LogLines together = lines(String.join("\n", lines) + "\n");
            long begin = 0;
            for (String line : lines) {
                LogLines alone = lines(line + "\n");
                assertThat(alone.next()).isEqualTo(together.next());
                assertThat(shown(together, begin)).as("%s of %s", line, lines).isEqualTo(shown(alone, 0));
                begin += line.length() + 1;
            }
        }
    }

    @Test
    void linesOfOneFormDifferOnlyInDigitsOfNumbers() throws IOException {
        int distinct = 0;
        for (int i = 0; i < 300; i++) {
            LogLines lines = lines(String.join("\n", repeated(3)) + "\n");
            Map<Long, String> forms = new HashMap<>();
            while (lines.next()) {
                String form = NUMBER.matcher(new String(lines.text(), 0, lines.length()))
                        .replaceAll(number -> "0".repeat(number.group().length()));
                assertThat(forms.putIfAbsent(lines.form(), form)).isIn(null, form);
            }
            distinct += forms.size();
        }
        assertThat(distinct).isLessThan(300 * 30 / 2);
    }

    /** A digit, and those that follow, behind no word; {@code 1.5} is two numbers. */
    private static final Pattern NUMBER = Pattern.compile("(?<![A-Za-z_][0-9.]{0,40})[0-9]");

    /** A few lines by turns, each time with other numbers. */
    private List<String> repeated(int kinds) {
        List<String> some = random.ints(kinds, 0, 1 << 12).mapToObj(this::line).toList();
        return IntStream.range(0, 30)
                .mapToObj(i -> some.get(random.nextInt(8) == 0 ? 0 : i % kinds))
                .map(line -> DIGIT.matcher(line).replaceAll(_ -> "" + random.nextInt(10)))
                .toList();
    }

    private String line(int seed) {
        return new Random(seed)
                .ints(1 + seed % 7, 0, PARTS.size())
                .mapToObj(PARTS::get)
                .collect(Collectors.joining("", "", seed % 5 == 0 ? "\r" : ""));
    }

    private static final Pattern DIGIT = Pattern.compile("N");

    private static LogLines lines(String text) {
        return new LogLines(new ByteArrayInputStream(text.getBytes(StandardCharsets.ISO_8859_1)));
    }

    private static LogPiece piece(LogLines lines) {
        LogPiece piece = new LogPiece();
        piece.copy(lines, Speaker.NOBODY, LineForms.NONE);
        return piece;
    }

    private static String shown(LogLines lines, long begin) {
        LogPiece piece = piece(lines);
        String offsets = IntStream.range(0, lines.length())
                .mapToObj(i -> " " + (piece.offset(i) - begin))
                .collect(Collectors.joining());
        return new String(lines.text(), 0, lines.length()) + offsets;
    }

    /** Small letters stand for themselves; all else may stand for another character, or for none. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5})
    void offsetsAreThoseOfTheCharacters(int seed) throws IOException {
        Random random = new Random(seed);
        StringBuilder input = new StringBuilder();
        for (int i = 0; i < 2000; i++) {
            input.append(PIECES.get(random.nextInt(PIECES.size())));
        }
        LogLines lines = lines(input.toString());
        long last = -1;
        while (lines.next()) {
            LogPiece piece = piece(lines);
            for (int i = 0; i < lines.length(); i++) {
                assertThat(piece.offset(i)).isGreaterThan(last);
                last = piece.offset(i);
                if (lines.text()[i] >= 'a') {
                    assertThat(input.charAt((int) last)).isEqualTo(lines.text()[i]);
                }
            }
        }
    }
}
