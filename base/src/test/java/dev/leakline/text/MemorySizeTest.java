package dev.leakline.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MemorySizeTest {
    @ParameterizedTest
    @CsvSource({
        "24GiB, 25769803776",
        "80G, 85899345920",
        "80Gi, 85899345920",
        "80g, 85899345920",
        "81920MiB, 85899345920",
        "81920m, 85899345920",
        "80GB, 80000000000",
        "24e9, 24000000000",
        "2.4e10, 24000000000",
        "79.6GiB, 85469849190",
        "1048576, 1048576",
        "1048576B, 1048576",
        "2048 KiB, 2097152",
        "1TiB, 1099511627776"
    })
    void aSizeIsReadWithItsUnit(String text, long bytes) {
        assertThat(MemorySize.parse(text)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @CsvSource({
        "'', is not a memory size",
        "lots, is not a memory size",
        "-24GiB, is not a memory size",
        "24 gigs, is not a memory size",
        "24ib, is not a memory size",
        "'1,5GiB', is not a memory size",
        "0x10G, is not a memory size",
        "NaN, is not a memory size",
        "24, is the unit missing",
        "0GiB, is the unit missing",
        "8388608TiB, more than any device",
        "1e99, more than any device"
    })
    void anythingElseIsRefused(String text, String says) {
        assertThatThrownBy(() -> MemorySize.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + text + "'")
                .hasMessageContaining(says);
    }
}
