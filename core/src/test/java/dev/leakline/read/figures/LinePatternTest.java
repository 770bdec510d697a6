package dev.leakline.read.figures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leakline.read.Formats;
import dev.leakline.source.Content;
import dev.leakline.source.ReadException;
import dev.leakline.source.ReadLimits;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Figures that somebody's own pattern finds. */
class LinePatternTest {
    /** Takes time that doubles with each letter: the reference keeps Java from remembering where it has been. */
    private static final String SLOW = "^(?<mem>\\d+)(x?)(?:a|aa)+\\2$";

    @ParameterizedTest
    @CsvSource({
        "'heap (?<bytes>\\d+)', 'heap 513', 513",
        "'heap (?<mem>[\\d.]+\\w+)', 'heap 1.5GB', 1610612736",
        "'heap (?<mem>[\\d.]+) ?(?<unit>\\w+)', 'heap 1.5 MiB', 1572864",
        "'(?<mem>[\\d.]+)(?<unit>[MG]) used', '1.5M used', 1572864"
    })
    void figuresAndUnits(String pattern, String line, long bytes) throws IOException {
        assertThat(of(pattern, "x\n" + line + "\n")).containsExactly("LOG ALLOCATED INDEX -1/-1 'pattern' 0=" + bytes);
    }

    @Test
    void stepsOfThePatternComeBeforeThoseOfTheLine() throws IOException {
        assertThat(of("s(?<step>\\d+) e(?<epoch>\\d+) h=(?<bytes>\\d+)", "step 9 s3 e1 h=5\nstep 9 s4 e1 h=6\n"))
                .containsExactly("LOG ALLOCATED STEP -1/-1 'pattern' 3=5 4=6");
        assertThat(of("h=(?<bytes>\\d+)", "step 9 h=5\nstep 10 h=6\n"))
                .containsExactly("LOG ALLOCATED STEP -1/-1 'pattern' 9=5 10=6");
    }

    @Test
    void noOtherFiguresAreRead() throws IOException {
        assertThat(of("h=(?<bytes>\\d+)", "mem=7MB h=5\nmem=8MB\n[rank3]: h=9\n"))
                .containsExactly(
                        "LOG ALLOCATED INDEX -1/-1 'pattern' 0=5", "LOG ALLOCATED INDEX -1/-1 'rank 3, pattern' 0=9");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mem=(\\d+)",
                "(?<bytes>\\d+) (?<mem>\\d+)",
                "(?<memory>\\d+)",
                "(?<mem>\\d+",
                "(?<mem>\\d+) (?<loss>\\d+)"
            })
    void wrongPatternsAreRefused(String expression) {
        assertThatThrownBy(() -> LinePattern.of(expression))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + expression + "'");
    }

    @Test
    void aLineThatTakesTooLongIsLeftOut() throws IOException {
        Content.Figures file = read(SLOW, "5\n6" + "a".repeat(40) + "b\n7a\n");
        assertThat(FigureTexts.shown(file)).containsExactly("LOG ALLOCATED INDEX -1/-1 'pattern' 0=7340032");
        assertThat(file.measurements().unused())
                .contains("1 lines were skipped because the pattern is too slow on them");
    }

    @Test
    void aPatternThatTakesTooLongEverywhereEndsTheReading() {
        assertThatThrownBy(() -> of(SLOW, ("6" + "a".repeat(40) + "b\n").repeat(10_000)))
                .isInstanceOf(ReadException.class)
                .hasMessageContaining("the pattern is too slow")
                .hasMessageContaining("line 101");
    }

    @Test
    void alternativesInRepetitionsDoNotOverflowTheStack() throws IOException {
        assertThat(of("(?<mem>\\d+)(?:b|a)*$", "6" + "a".repeat(8_000) + "c\n7a\n"))
                .containsExactly("LOG ALLOCATED INDEX -1/-1 'pattern' 0=7340032");
    }

    private static List<String> of(String pattern, String text) throws IOException {
        return FigureTexts.shown(read(pattern, text));
    }

    private static Content.Figures read(String pattern, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return (Content.Figures)
                new Formats(ReadLimits.DEFAULT, _ -> {}, LinePattern.of(pattern)).read(new ByteArrayInputStream(bytes));
    }
}
