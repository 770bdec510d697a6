package dev.leakline.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NumbersTest {
    /** Tenths stand where they tell something, and what is less than all never reads as all. */
    @ParameterizedTest
    @CsvSource({
        "0, 0.0%",
        "0.0994, 9.9%",
        "0.0996, 10%",
        "0.5812, 58%",
        "0.9951, 99.5%",
        "0.9999, 99.9%",
        "1, 100%",
        "1.5, 150%",
        "-0.9999, -99.9%"
    })
    void percentsAreRoundedButNeverUpToAll(double share, String percent) {
        assertThat(Numbers.percent(share)).isEqualTo(percent);
    }

    @Test
    void countsHaveTheirThousandsApartAndTheirPlural() {
        assertThat(Numbers.counted(1, "block")).isEqualTo("1 block");
        assertThat(Numbers.counted(12_000, "block")).isEqualTo("12,000 blocks");
    }

    @Test
    void anAmountIsBytesInThings() {
        assertThat(Numbers.amount(3 << 20, 12_000, "block")).isEqualTo("3.00 MiB in 12,000 blocks");
    }

    @Test
    void spansChooseTheirUnit() {
        assertThat(Numbers.span(12)).isEqualTo("12 us");
        assertThat(Numbers.span(3_250)).isEqualTo("3.25 ms");
        assertThat(Numbers.span(90_000_000)).isEqualTo("90.00 s");
        assertThat(Numbers.span(3 * 86_400_000_000L)).isEqualTo("3.00 d");
    }

    @Test
    void aChangeHasItsSign() {
        assertThat(Numbers.change(100, 150)).isEqualTo("+50%");
        assertThat(Numbers.change(100, 97)).isEqualTo("-3.0%");
    }
}
