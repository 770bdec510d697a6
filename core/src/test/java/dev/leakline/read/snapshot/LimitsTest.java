package dev.leakline.read.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.leakline.read.Formats;
import dev.leakline.source.Content;
import dev.leakline.source.ReadException;
import dev.leakline.source.ReadException.Code;
import dev.leakline.source.ReadLimits;
import dev.leakline.testkit.pickle.Dialect;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Small files that claim much: what they would cost is refused, not paid. */
class LimitsTest {
    private static final int FAR_TOO_MANY = 20_000;

    @Test
    void devices_refusedBeyondTheirLimitInTraces() throws IOException {
        Map<String, Object> file = Map.of("device_traces", Collections.nCopies(FAR_TOO_MANY, List.of()));
        assertThat(refusal(file).code()).isEqualTo(Code.LIMIT);
    }

    @Test
    void devices_refusedBeyondTheirLimitInSegments() throws IOException {
        Map<String, Object> file = Map.of("segments", List.of(segment(FAR_TOO_MANY, List.of())));
        assertThat(refusal(file)).hasMessageContaining("device 20000");
    }

    @Test
    void blocks_refusedWhereTwoSegmentsShareThem() throws IOException {
        List<Object> blocks = List.of(Map.of("size", 512, "state", "inactive"));
        Map<String, Object> file = Map.of("segments", List.of(segment(0, blocks), segment(1, blocks)));
        assertThat(refusal(file)).hasMessageContaining("two segments have the same blocks");
    }

    @Test
    void settings_notCopiedForEveryReferenceToOneTable() throws IOException {
        Map<String, Object> table = new TreeMap<>();
        for (int i = 0; i < FAR_TOO_MANY; i++) {
            table.put("setting " + i, i);
        }
        Map<String, Object> settings = new TreeMap<>();
        for (int i = 0; i < FAR_TOO_MANY; i++) {
            settings.put("table " + i, table);
        }
        Map<String, Object> file = Map.of("segments", List.of(), "allocator_settings", settings);
        Map<String, Object> read = read(file).columns().settings;
        assertThat(read.values().stream()
                        .mapToInt(value -> value instanceof Map<?, ?> map ? map.size() : 1)
                        .sum())
                .isLessThanOrEqualTo(2 * FAR_TOO_MANY);
    }

    private static Map<String, Object> segment(int device, List<Object> blocks) {
        return Map.of("device", device, "address", 4096, "total_size", 2048, "blocks", blocks);
    }

    private static Content.Recording read(Map<String, Object> file) throws IOException {
        byte[] bytes = Dialect.PROTOCOL_4.bytes(file);
        return new Formats(ReadLimits.DEFAULT, _ -> {}).readRecording(new ByteArrayInputStream(bytes));
    }

    private static ReadException refusal(Map<String, Object> file) {
        return catchThrowableOfType(ReadException.class, () -> read(file));
    }
}
