package dev.leakline.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.quicktheories.QuickTheory.qt;
import static org.quicktheories.generators.SourceDSL.strings;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PrintableTest {
    @ParameterizedTest
    @CsvSource({
        "0", "7", "a", "d", "1b", "7f", "85", "9b", "ad", "200b", "200f", "2028", "2029", "202e", "2066", "feff", "e000"
    })
    void whatDrivesATerminalOrDisguisesItselfIsShown(String hex) {
        int point = Integer.parseInt(hex, 16);
        assertThat(Printable.of("a" + Character.toString(point) + "b")).isEqualTo(String.format("a\\u%04xb", point));
    }

    @Test
    void lettersOfAllScriptsStay() {
        String text = "/home/j\u00fcrgen/\u6a21\u578b/\u043c\u043e\u0434\u0435\u043b\u044c \ud83d\ude80.py\\n";
        assertThat(Printable.of(text)).isSameAs(text);
    }

    @Test
    void aLongTextIsCut() {
        assertThat(Printable.of("abcdefghij", 10)).isEqualTo("abcdefghij");
        assertThat(Printable.of("abcdefghijk", 10)).isEqualTo("abcdefg...");
        assertThat(Printable.of("abcdefghijk", 2)).isEqualTo("...");
    }

    @Test
    void aCharacterCutInTwoIsShownAsWhatIsLeft() {
        assertThat(Printable.of("\ud83d\ude80\ud83d\ude80\ud83d\ude80", 4)).isEqualTo("\\ud83d...");
    }

    @Test
    void noTextHasControlCharacters() {
        qt().withFixedSeed(7)
                .forAll(strings().allPossible().ofLengthBetween(0, 60))
                .checkAssert(text -> assertThat(Printable.of(text).codePoints())
                        .noneMatch(point -> Character.isISOControl(point)
                                || Character.getType(point) == Character.FORMAT
                                || Character.getType(point) == Character.SURROGATE));
    }
}
