package dev.leakline.read.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.leakline.columns.SnapshotColumns;
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
import java.util.stream.IntStream;
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

    @Test
    void sizes_countedWhereNoMemoryHasThem() throws IOException {
        for (long impossible : new long[] {-1, Long.MIN_VALUE, (1L << 50) + 1, Long.MAX_VALUE}) {
            List<Object> events = List.of(
                    event("alloc", 4096, 1L << 50), event("alloc", 8192, impossible), event("oom", 0, impossible));
            Map<String, Object> segment =
                    new TreeMap<>(segment(0, List.of(Map.of("size", impossible, "state", "inactive"))));
            segment.put("total_size", impossible);
            for (Dialect dialect : List.of(Dialect.PROTOCOL_2, Dialect.PROTOCOL_4, Dialect.JSON)) {
                SnapshotColumns columns = read(
                                Map.of("segments", List.of(segment), "device_traces", List.of(events)), dialect)
                        .columns();
                assertThat(columns.events.size(0)).isEqualTo(1L << 50);
                assertThat(columns.events.size(1)).isZero();
                assertThat(columns.events.deviceFree(2)).isZero();
                assertThat(columns.segments.row(0).totalSize()).isZero();
                assertThat(columns.blocks.size(0)).isZero();
                assertThat(columns.counters.counts())
                        .as(dialect + " " + impossible)
                        .containsEntry("sizes below 0 or above 1125899906842624 bytes, taken for 0", 5L);
            }
        }
    }

    @Test
    void sizes_refusedWhereTheirSumsCouldRunOver() {
        List<Object> events = IntStream.range(0, 1025)
                .<Object>mapToObj(i -> event("alloc", 4096 + i, 1L << 50))
                .toList();
        assertThat(refusal(Map.of("segments", List.of(), "device_traces", List.of(events))))
                .hasMessageContaining("sizes of more than")
                .extracting(ReadException::code)
                .isEqualTo(Code.LIMIT);
    }

    @Test
    void events_refusedWhereTwoDevicesShareThem() {
        List<Object> events = List.of(event("alloc", 4096, 512));
        assertThat(refusal(Map.of("segments", List.of(), "device_traces", List.of(events, events))))
                .hasMessageContaining("two devices have the same events");
    }

    private static Map<String, Object> event(String action, long address, long size) {
        return new TreeMap<>(Map.of(
                "action",
                action,
                "oom".equals(action) ? "device_free" : "addr",
                "oom".equals(action) ? size : address,
                "size",
                size,
                "stream",
                0));
    }

    private static Map<String, Object> segment(int device, List<Object> blocks) {
        return Map.of("device", device, "address", 4096, "total_size", 2048, "blocks", blocks);
    }

    private static Content.Recording read(Map<String, Object> file) throws IOException {
        return read(file, Dialect.PROTOCOL_4);
    }

    private static Content.Recording read(Map<String, Object> file, Dialect dialect) throws IOException {
        byte[] bytes = dialect.bytes(file);
        return (Content.Recording) new Formats(ReadLimits.DEFAULT, _ -> {}).read(new ByteArrayInputStream(bytes));
    }

    private static ReadException refusal(Map<String, Object> file) {
        return catchThrowableOfType(ReadException.class, () -> read(file));
    }
}
