package dev.leakline.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class AlternativesTest {
    @Test
    void whatIsOptionalIsThereOrNot() {
        assertThat(Alternatives.of("used {n}[ of {n}]")).containsExactly("used {n} of {n}", "used {n}");
        assertThat(Alternatives.of("a[ b[ c]]")).containsExactly("a b c", "a b", "a");
    }

    @Test
    void ofSeveralOneIsThere() {
        assertThat(Alternatives.of("{n}(K|M|GiB) left")).containsExactly("{n}K left", "{n}M left", "{n}GiB left");
        assertThat(Alternatives.of("x(|[ y] z)")).containsExactly("x", "x y z", "x z");
    }

    @Test
    void bracketsThatAreMeantStay() {
        assertThat(Alternatives.of("GPU\\[{n}\\] (MiB)")).containsExactly("GPU[{n}] (MiB)");
        assertThat(Alternatives.of("| a (b) | c (d) |")).containsExactly("| a (b) | c (d) |");
        assertThat(Alternatives.of("open ( only")).containsExactly("open ( only");
    }

    @Test
    void moreTextsThanAnybodyMeansAreRefused() {
        assertThatThrownBy(() -> Alternatives.of("[a]".repeat(9))).isInstanceOf(IllegalStateException.class);
    }
}
