package dev.leakline.read.figures;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PlainSizeTest {
    /** Several commas, of which a line of the fuzzer had two that part no thousands, are no decimal points. */
    @Test
    void commasArePointsWhereThereIsOneThatPartsNoThousands() {
        assertThat(PlainSize.of("1,2,34", "b")).isEqualTo(1234);
        assertThat(PlainSize.of("1,5", "k")).isEqualTo(1536);
        assertThat(PlainSize.of("12,345", "b")).isEqualTo(12_345);
    }
}
