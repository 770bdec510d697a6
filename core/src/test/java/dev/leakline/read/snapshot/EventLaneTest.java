package dev.leakline.read.snapshot;

import static dev.leakline.testkit.snapshot.SnapshotBuilder.snapshot;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leakline.source.ReadException;
import dev.leakline.source.ReadException.Code;
import dev.leakline.source.ReadLimits;
import dev.leakline.testkit.Thoroughness;
import dev.leakline.testkit.pickle.Dialect;
import dev.leakline.testkit.snapshot.Layout;
import dev.leakline.testkit.snapshot.SnapshotBuilder;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The short cut for events gives what the long way gives, which protocol 2 has to take: it remembers things in other words. */
class EventLaneTest {
    private static final long MB = 1 << 20;
    private static final int WINDOW = 1 << 20;

    @Test
    void eventsAcrossTheEdgeOfAWindowAreWhole() throws Exception {
        SnapshotBuilder recording = longRecording();
        List<String> expected = Canonical.of(recording.write(Dialect.PROTOCOL_2));
        byte[] file = recording.write(Dialect.PROTOCOL_4);
        assertThat(file).hasSizeGreaterThan(WINDOW * 5 / 4);
        for (int shift = 0; shift < 150; shift += Thoroughness.of(15, 3)) {
            assertThat(Canonical.of(shifted(file, shift)))
                    .as("shifted by %s bytes", shift)
                    .isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void everyLayoutIsReadAlike(Layout layout) throws Exception {
        SnapshotBuilder recording = longRecording().layout(layout);
        List<String> expected = Canonical.of(recording.write(Dialect.PROTOCOL_2));
        assertThat(Canonical.of(recording.write(Dialect.PROTOCOL_4))).isEqualTo(expected);
        assertThat(Canonical.of(recording.write(Dialect.PROTOCOL_5))).isEqualTo(expected);
    }

    /** Around the lane's room of 4,096 bytes, at five and at two bytes a frame; beyond its frames; the deepest ever seen has 303. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 303, 600, 716, 717, 818, 1700, 1790, 1795, 2047, 2048, 2049, 5000})
    void deepStacksAreReadAlike(int depth) throws Exception {
        SnapshotBuilder distinct = snapshot().repeat(4, (s, i) -> s.alloc("a" + i, MB + i, frames(depth, depth)));
        SnapshotBuilder recursive = snapshot().repeat(4, (s, i) -> s.alloc("a" + i, MB + i, frames(depth, 1)));
        for (SnapshotBuilder recording : List.of(distinct, recursive)) {
            List<String> expected = Canonical.of(recording.write(Dialect.PROTOCOL_2));
            assertThat(Canonical.of(recording.write(Dialect.PROTOCOL_4))).isEqualTo(expected);
            assertThat(expected).anyMatch(line -> line.split(" < ", -1).length == depth);
        }
    }

    @Test
    void aStackBeyondTheLimitIsRefused() throws Exception {
        int most = ReadLimits.DEFAULT.stackDepth();
        byte[] deepest = snapshot().alloc("a", MB, frames(most, 1)).write(Dialect.PROTOCOL_4);
        byte[] deeper = snapshot().alloc("a", MB, frames(most + 1, 1)).write(Dialect.PROTOCOL_4);
        assertThat(Canonical.of(deepest)).anyMatch(line -> line.split(" < ", -1).length == most);
        assertThatThrownBy(() -> Canonical.of(deeper))
                .hasMessageContaining("a stack of more than 65536 frames")
                .extracting(e -> ((ReadException) e).code())
                .isEqualTo(Code.LIMIT);
    }

    /** What stands between two events of the usual shape must not disturb the next. */
    @Test
    void eventsOfOtherShapesInBetweenAreReadAlike() throws Exception {
        SnapshotBuilder recording = snapshot();
        for (int i = 0; i < 60; i++) {
            recording
                    .metadata("x".repeat(i * 9))
                    .compileContext(i % 7 == 0 ? "" : i % 5 + "/" + i)
                    .pool(i % 4 == 0 ? 0 : i * 90L, i % 3)
                    .stream(i % 6 == 0 ? -1L : i)
                    .alloc("a" + i, 700 + i * 40_000L, i % 8 == 0 ? new String[0] : frames(1 + i % 9, 4))
                    .afterMicros(i * 1_000_003L);
        }
        recording.repeat(20, (s, i) -> s.free("a" + i)).oom(5L << 40, 1, "m.py:3 f");
        List<String> expected = Canonical.of(recording.write(Dialect.PROTOCOL_2));
        assertThat(Canonical.of(recording.write(Dialect.PROTOCOL_4))).isEqualTo(expected);
        assertThat(Canonical.of(recording.write(Dialect.JSON))).isEqualTo(expected);
    }

    /** More than a window in protocol 4, most of it events of the usual shape. */
    private static SnapshotBuilder longRecording() {
        SnapshotBuilder recording = snapshot();
        for (int i = 0; i < 6_000; i++) {
            recording.alloc("a" + i, 512 + i * 7L, frames(1 + i % 23, 40));
            if (i >= 50) {
                recording.free("a" + (i - 50), frames(1 + i % 3, 5));
            }
        }
        return recording;
    }

    private static String[] frames(int depth, int distinct) {
        return IntStream.range(0, depth)
                .mapToObj(i -> "model.py:" + (1 + i % distinct) + " layer" + i % distinct)
                .toArray(String[]::new);
    }

    /** The same pickle with so many bytes of operations without effect behind the word of its protocol; not 1. */
    private static byte[] shifted(byte[] file, int bytes) {
        ByteArrayOutputStream shifted = new ByteArrayOutputStream();
        shifted.write(file, 0, 2);
        shifted.writeBytes(bytes % 2 == 0 ? new byte[0] : new byte[] {'K', 1, '0'});
        for (int i = bytes % 2 == 0 ? 0 : 3; i < bytes; i += 2) {
            shifted.writeBytes(new byte[] {'N', '0'});
        }
        shifted.write(file, 2, file.length - 2);
        return shifted.toByteArray();
    }
}
