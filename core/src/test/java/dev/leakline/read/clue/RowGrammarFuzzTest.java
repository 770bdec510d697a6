package dev.leakline.read.clue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.source.Clue;
import dev.leakline.testkit.Thoroughness;
import dev.leakline.text.DataFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
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
    private static final int RUNS_ON_PUSH = 5_000;
    private static final int RUNS = 1_000_000;

    @Test
    void changedLinesAreReadOrNot() {
        List<String> seeds = DataFile.read(RowGrammarFuzzTest.class, "tables.txt")
                .lines()
                .filter(line -> line.matches("(?:row|each|open) : .*"))
                .map(line -> line.replaceFirst("^\\w+ : ", ""))
                .toList();
        assertThat(seeds).hasSizeGreaterThan(50);
        Random random = new Random(7);
        List<Clue> found = new ArrayList<>();
        KnownRows rows = new KnownRows(found::add);
        long all = 0;
        for (int i = 0; i < Thoroughness.of(RUNS_ON_PUSH, RUNS); i++) {
            String line = changed(filled(seeds.get(random.nextInt(seeds.size())), random), random);
            rows.take(line, i);
            assertThat(found).as(line).allMatch(clue -> clue.bytes() >= 0);
            all += found.size();
            found.clear();
        }
        assertThat(all).as("lines that are still rows").isPositive();
    }

    /** Found by the millionth of such lines. */
    @Test
    void commasThatPartNoThousandsAreNoPoints() {
        assertThat(Amounts.of("1,2,34 b")).isEqualTo(1234);
        assertThat(Amounts.of("1,5 k")).isEqualTo(1536);
    }

    /** A row with something in its slots. */
    private static String filled(String row, Random random) {
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

    private static String changed(String line, Random random) {
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
