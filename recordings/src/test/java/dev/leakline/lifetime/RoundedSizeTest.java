package dev.leakline.lifetime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sizes that the real allocator of torch 2.14.1 gave, by default and under {@code roundup_power2_divisions:[1:4,256:8,>:2]}. */
class RoundedSizeTest {
    @ParameterizedTest
    @CsvSource({
        "0,512",
        "1,512",
        "511,512",
        "512,512",
        "513,1024",
        "1048575,1048576",
        "1048577,1049088",
        "10485759,10485760",
        "10485761,10486272",
        "104869945,104870400"
    })
    void byDefaultItIsAMultipleOf512(long requested, long rounded) {
        assertThat(new RoundedSize(Map.of()).of(requested)).isEqualTo(rounded);
        assertThat(new RoundedSize(Map.of("roundup_power2_divisions", divisions(0, 0, 0))).of(requested))
                .isEqualTo(rounded);
    }

    @ParameterizedTest
    @CsvSource({
        "900,1024",
        "1228800,1310720",
        "1331200,1572864",
        "5242881,5243392",
        "314572801,335544320",
        "734003201,805306368",
        "1048576,1048576",
        "536870912,536870912"
    })
    void withDivisionsItIsAFractionOfAPowerOfTwo(long requested, long rounded) {
        Map<String, Object> settings = Map.of("roundup_power2_divisions", divisions(4, 8, 2));
        assertThat(new RoundedSize(settings).of(requested)).isEqualTo(rounded);
    }

    @Test
    void aTableOfDivisionsMeansTheSameAsASnapshotsSettings() {
        RoundedSize rounding = new RoundedSize(Map.of("roundup_power2_divisions", divisions(4, 8, 2)));
        RoundedSize same = RoundedSize.of(rounding.divisions());
        assertThat(rounding.divisions().toString()).isEqualTo("[4, 0, 0, 0, 0, 0, 0, 0, 8, 2, 2, 2, 2, 2, 2, 2]");
        for (long requested = 1; requested < 1L << 40; requested = requested * 3 / 2 + 1) {
            assertThat(same.of(requested)).isEqualTo(rounding.of(requested));
        }
    }

    /** The last entry is for all that is larger; up to 512 bytes a division, sizes are not divided. */
    @Test
    void theTableEndsAt32GibAndStartsAboveSmallSizes() {
        RoundedSize rounding = new RoundedSize(Map.of("roundup_power2_divisions", divisions(4, 8, 2)));
        assertThat(rounding.of(2048)).isEqualTo(2048);
        assertThat(rounding.of(2049)).isEqualTo(2560);
        assertThat(rounding.of((1L << 36) + 1)).isEqualTo(3L << 35);
    }

    @Test
    void settingsThatNoAllocatorHasAreIgnored() {
        for (Object nonsense : new Object[] {3L, -4L, 128L, 1L, "4", 4.0}) {
            Map<String, Object> settings = Map.of("roundup_power2_divisions", Map.of("1", nonsense));
            assertThat(new RoundedSize(settings).of(1_228_800)).isEqualTo(1_228_800);
        }
        assertThat(new RoundedSize(Map.of("roundup_power2_divisions", 4L)).of(1_228_801))
                .isEqualTo(1_229_312);
    }

    private static Map<String, Object> divisions(long first, long at256, long beyond) {
        Map<String, Object> table = new HashMap<>();
        for (int entry = 0; entry < 16; entry++) {
            int mebibytes = 1 << entry;
            table.put(
                    "" + mebibytes, mebibytes == 1 ? first : mebibytes == 256 ? at256 : mebibytes > 256 ? beyond : 0L);
        }
        return table;
    }
}
