package dev.leakline.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.read.figures.LinePattern;
import dev.leakline.source.Clue;
import dev.leakline.source.Content;
import dev.leakline.source.ReadLimits;
import dev.leakline.testkit.Fuzzing;
import dev.leakline.text.DataFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Lines like those of the tables that are known, changed at random: none throws, and what is found of them can be. */
class RowGrammarFuzzTest {
    private static final String[] PIECES = {
        "0",
        "1",
        "7.5",
        "12,345",
        "99999999999999999999",
        "-1",
        "1e9",
        " ",
        "    ",
        "\t",
        "|",
        "%",
        "GiB",
        "MiB",
        "k",
        "B",
        "/",
        ":",
        "=",
        "(",
        ")",
        "[",
        "]",
        "N/A",
        "nan",
        "W",
        "C",
        "train.py",
        "\u00e9",
        "\ud83d",
        "\u001b[31m",
        "total",
        "used",
        "free",
        "\0"
    };
    private static final int TEXTS_ON_PUSH = 1_000;
    /** Lines of a text, at most. */
    private static final int LINES = 6;

    @Test
    void changedLinesAreReadOrNot() throws IOException {
        List<String> seeds = DataFile.read(LinePattern.class, "tables.txt")
                .lines()
                .filter(line -> line.matches("(?:row|each|open) : .*"))
                .map(line -> line.replaceFirst("^\\w+ : ", ""))
                .toList();
        assertThat(seeds).hasSizeGreaterThan(50);
        Formats formats = new Formats(ReadLimits.DEFAULT, _ -> {});
        long[] all = new long[1];
        Fuzzing.runs(TEXTS_ON_PUSH, random -> {
            String text = Stream.generate(() ->
                            changed(filled(seeds.get(random.nextInt(seeds.size())), random), random))
                    .limit(random.nextInt(1, LINES + 1))
                    .collect(Collectors.joining("\n", "a log\n", "\n"));
            Content content = formats.read(() -> new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), true);
            assertThat(content).as(text).isInstanceOf(Content.Figures.class);
            List<Clue> found = ((Content.Figures) content).clues();
            assertThat(found).as(text).allMatch(clue -> clue.bytes() >= 0);
            all[0] += found.size();
        });
        assertThat(all[0]).as("notes of lines that are still rows").isPositive();
    }

    /** A row with something in its slots. */
    private static String filled(String row, RandomGenerator random) {
        StringBuilder line = new StringBuilder();
        for (String part : row.split("(?<=})|(?=\\{)", -1)) {
            line.append(
                    part.startsWith("{")
                            ? random.nextInt(4) == 0
                                    ? PIECES[random.nextInt(PIECES.length)]
                                    : String.valueOf(random.nextInt(100_000))
                            : part);
        }
        return line.toString().replaceAll("\\\\(.)", "$1").replaceAll("\\(([^()|]*)\\|[^()]*\\)", "$1");
    }

    private static String changed(String line, RandomGenerator random) {
        StringBuilder text = new StringBuilder(line);
        for (int changes = random.nextInt(4); changes > 0; changes--) {
            int at = random.nextInt(text.length() + 1);
            int to = Math.min(text.length(), at + random.nextInt(6));
            switch (random.nextInt(3)) {
                case 0 -> text.delete(at, to);
                case 1 -> text.insert(at, text.substring(at, to).repeat(1 + random.nextInt(20)));
                default -> text.insert(at, PIECES[random.nextInt(PIECES.length)]);
            }
        }
        return text.toString();
    }
}
