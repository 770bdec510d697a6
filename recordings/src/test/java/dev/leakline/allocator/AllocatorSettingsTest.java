package dev.leakline.allocator;

import static dev.leakline.text.ByteSize.MIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leakline.primitive.Ints;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AllocatorSettingsTest {
    @Test
    void anEmptyTextMeansTheDefaults() {
        assertThat(AllocatorSettings.parse("")).isEqualTo(AllocatorSettings.DEFAULTS);
        assertThat(AllocatorSettings.DEFAULTS.conf()).isEmpty();
        assertThat(AllocatorSettings.DEFAULTS.maxNonSplitRounding()).isEqualTo(20 * MIB);
    }

    @Test
    void allKeysThatMoveBlocksAreUnderstood() {
        AllocatorSettings settings = AllocatorSettings.parse("max_split_size_mb:64, garbage_collection_threshold:0.625,"
                + "expandable_segments:True,max_non_split_rounding_mb:30,large_segment_size_mb:32,"
                + "per_process_memory_fraction:0.75,roundup_power2_divisions:8");
        assertThat(settings)
                .isEqualTo(AllocatorSettings.DEFAULTS
                        .withMaxSplitSize(64 * MIB)
                        .withGarbageCollectionThreshold(0.625)
                        .withExpandableSegments(true)
                        .withMaxNonSplitRounding(30 * MIB)
                        .withLargeSegmentSize(32 * MIB)
                        .withPerProcessMemoryFraction(0.75)
                        .withRoundupDivisions(8));
    }

    @Test
    void keysWithoutEffectOnBlocksAreKept() {
        String text = "backend:native,graph_capture_record_stream_reuse:True,pinned_free_catch_all:False,"
                + "pinned_max_cached_size_mb:0,pinned_max_round_threshold_mb:3,pinned_num_register_threads:8,"
                + "pinned_reserve_segment_size_mb:7,pinned_use_background_threads:True,pinned_use_cuda_host_register:True,"
                + "pinned_use_hip_host_register:False,release_lock_on_cudamalloc:True,release_lock_on_hipmalloc:False,"
                + "throw_on_cudamalloc_oom:True";
        assertThat(AllocatorSettings.parse(text).conf()).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "4|4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4",
                "[1:4,256:8,>:2]|4,0,0,0,0,0,0,0,8,2,2,2,2,2,2,2",
                "[256:1,512:2,1024:4,>:8]|1,1,1,1,1,1,1,1,1,2,4,8,8,8,8,8",
                "[16:2]|2,2,2,2,2,0,0,0,0,0,0,0,0,0,0,0",
                "[16384:0,32768:2]|0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,2",
                "[1:0,>:2]|0,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2",
                "[16384:16,32768:4]|16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,4",
                "[64:4,128:0,>:2]|4,4,4,4,4,4,4,0,2,2,2,2,2,2,2,2"
            })
    void divisionsAreSetForASizeOrAListOfThem(String divisions, String table) {
        AllocatorSettings settings = AllocatorSettings.parse("roundup_power2_divisions:" + divisions);
        assertThat(settings.roundupDivisions().toString()).isEqualTo("[" + table.replace(",", ", ") + "]");
        assertThat(settings.conf()).isEqualTo("roundup_power2_divisions:" + divisions);
    }

    @Test
    void whatIsWrittenIsReadAsTheSame() {
        Random random = new Random(99);
        for (int run = 0; run < 2000; run++) {
            int[] table = new int[16];
            int kinds = 1 + random.nextInt(3);
            for (int entry = 0; entry < 16; entry++) {
                table[entry] = entry > 0 && random.nextInt(4) > 0
                        ? table[entry - 1]
                        : new int[] {0, 1, 4}[random.nextInt(kinds)];
            }
            AllocatorSettings settings = AllocatorSettings.DEFAULTS
                    .withRoundupDivisions(Ints.of(table))
                    .withMaxSplitSize((20 + random.nextInt(50)) * MIB)
                    .withGarbageCollectionThreshold(0.01 + random.nextInt(90) / 100.0);
            assertThat(AllocatorSettings.parse(settings.conf())).isEqualTo(settings);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "max_split_size_mb:abc|max_split_size_mb|at least 20, found 'abc'",
                "max_split_size_mb:19|max_split_size_mb|at least 20, found '19'",
                "max_split_size_mb:-1|max_split_size_mb|found '-1'",
                "large_segment_size_mb:123456789012345678|large_segment_size_mb|found '123456789012345678'",
                "large_segment_size_mb:1234567890123456789|large_segment_size_mb|found '1234567890123456789'",
                "garbage_collection_threshold:1|garbage_collection_threshold|between 0 and 1, found '1'",
                "garbage_collection_threshold:nan|garbage_collection_threshold|found 'nan'",
                "garbage_collection_threshold:NaN|garbage_collection_threshold|found 'NaN'",
                "per_process_memory_fraction:1.5|per_process_memory_fraction|from 0 to 1, found '1.5'",
                "expandable_segments:true|expandable_segments|True or False, exactly, found 'true'",
                "foo:3|foo|a key known to PyTorch, found 'foo:3'",
                "max_split_size_mb|max_split_size_mb|key:value",
                "roundup_power2_divisions:3|roundup_power2_divisions|a power of two",
                "roundup_power2_divisions:0|roundup_power2_divisions|a power of two",
                "roundup_power2_divisions:[|roundup_power2_divisions|a ']' for its '['",
                "roundup_power2_divisions:[]|roundup_power2_divisions|a power of two",
                "roundup_power2_divisions:[3:4]|roundup_power2_divisions|found '3:4'",
                "roundup_power2_divisions:[256]|roundup_power2_divisions|found '256'",
                "roundup_power2_divisions:[256:3]|roundup_power2_divisions|found '3'",
                "max_non_split_rounding_mb:20|max_non_split_rounding_mb|at least 21",
                "large_segment_size_mb:10|large_segment_size_mb|at least 11",
                "pinned_num_register_threads:3|pinned_num_register_threads|a power of two, at most 128",
                "pinned_num_register_threads:256|pinned_num_register_threads|a power of two, at most 128",
                "backend:other|backend|native or cudaMallocAsync",
                "release_lock_on_cudamalloc:1|release_lock_on_cudamalloc|True or False"
            })
    void mistakesAreNamedWithTheirKeyAndWhatWasExpected(String text, String key, String expected) {
        assertThatThrownBy(() -> AllocatorSettings.parse("expandable_segments:True," + text))
                .isInstanceOfSatisfying(
                        SettingsException.class, e -> assertThat(e.key()).isEqualTo(key))
                .hasMessageContaining(expected);
    }

    @Test
    void anOlderVersionKnowsFewerKeys() {
        assertThatThrownBy(() -> AllocatorSettings.parse("expandable_segments:True", AllocatorRules.TORCH_2_0))
                .hasMessageContaining("added in 2.1");
        assertThatThrownBy(() -> AllocatorSettings.parse("max_split_size_mb:20", AllocatorRules.TORCH_2_6))
                .hasMessageContaining("at least 21");
        assertThatThrownBy(() -> AllocatorSettings.parse("roundup_bypass_threshold_mb:3", AllocatorRules.TORCH_2_0))
                .isInstanceOf(SettingsException.class);
        assertThat(AllocatorSettings.parse("roundup_bypass_threshold_mb:3", AllocatorRules.TORCH_1_13)
                        .conf())
                .isEqualTo("roundup_bypass_threshold_mb:3");
    }

    /** 2.6.0 overwrites the last entry that the list names; 2.14.1 does not. */
    @Test
    void theRestOfAListOfDivisionsBeganWithTheLastEntryOnce() {
        String text = "roundup_power2_divisions:[1:4,256:8,>:2]";
        assertThat(AllocatorSettings.parse(text, AllocatorRules.TORCH_2_6)
                        .roundupDivisions()
                        .get(8))
                .isEqualTo(2);
        assertThat(AllocatorSettings.parse(text).roundupDivisions().get(8)).isEqualTo(8);
    }

    @Test
    void aSnapshotsSettingsAreItsMapAndForTheRestItsText() {
        Map<String, Object> map = new HashMap<>();
        map.put("PYTORCH_CUDA_ALLOC_CONF", "max_split_size_mb:100,max_non_split_rounding_mb:30,backend:native");
        map.put("max_split_size", 48 * MIB);
        map.put("garbage_collection_threshold", 0.6);
        map.put("expandable_segments", true);
        Map<String, Object> divisions = new HashMap<>();
        for (int entry = 0; entry < 16; entry++) {
            divisions.put(String.valueOf(1 << entry), entry < 3 ? 4L : 0L);
        }
        map.put("roundup_power2_divisions", divisions);
        assertThat(AllocatorSettings.of(map).conf())
                .isEqualTo("expandable_segments:True,max_split_size_mb:48,roundup_power2_divisions:[4:4],"
                        + "garbage_collection_threshold:0.6,max_non_split_rounding_mb:30,backend:native");
    }

    @Test
    void aSnapshotWithoutLimitsSaysMinusOne() {
        assertThat(AllocatorSettings.of(Map.of(
                        "PYTORCH_CUDA_ALLOC_CONF",
                        "",
                        "max_split_size",
                        -1L,
                        "garbage_collection_threshold",
                        0.0,
                        "expandable_segments",
                        false)))
                .isEqualTo(AllocatorSettings.DEFAULTS);
        assertThat(AllocatorSettings.of(Map.of())).isEqualTo(AllocatorSettings.DEFAULTS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"unheard_of:3", "max_split_size_mb:x", "[", "::::"})
    void aSnapshotsTextThatNobodyUnderstandsIsPassedOver(String text) {
        assertThat(AllocatorSettings.of(Map.of(
                        "PYTORCH_CUDA_ALLOC_CONF",
                        text,
                        "max_split_size",
                        "much",
                        "garbage_collection_threshold",
                        7L,
                        "expandable_segments",
                        3L)))
                .isEqualTo(AllocatorSettings.DEFAULTS);
    }
}
