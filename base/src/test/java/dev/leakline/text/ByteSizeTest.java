package dev.leakline.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.quicktheories.QuickTheory.qt;
import static org.quicktheories.generators.SourceDSL.longs;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ByteSizeTest {
    @ParameterizedTest
    @CsvSource({
        "0,0 B",
        "512,512 B",
        "1023,1023 B",
        "1024,1.00 KiB",
        "10239,10.0 KiB",
        "102348,99.9 KiB",
        "102400,100 KiB",
        "1023487,999 KiB",
        "1023488,0.98 MiB",
        "3145728,3.00 MiB",
        "84073985638,78.3 GiB",
        "-5242880,-5.00 MiB",
        "-700,-700 B",
        "9223372036854775807,8.00 EiB",
        "-9223372036854775808,-8.00 EiB"
    })
    void aSizeHasThreeDigits(long bytes, String text) {
        assertThat(ByteSize.format(bytes)).isEqualTo(text);
    }

    @Test
    void everySizeIsShort() {
        qt().withFixedSeed(7)
                .forAll(longs().all())
                .checkAssert(bytes -> assertThat(ByteSize.format(bytes))
                        .matches("-?(\\d{1,4} B|\\d\\.\\d\\d [KMGTPE]iB|\\d\\d\\.\\d [KMGTPE]iB|\\d{3} [KMGTPE]iB)"));
    }
}
