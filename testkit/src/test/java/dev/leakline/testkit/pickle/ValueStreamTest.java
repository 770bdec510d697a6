package dev.leakline.testkit.pickle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.testkit.Unpickled;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Isolated("what others allocate meanwhile would count")
class ValueStreamTest {
    @ParameterizedTest
    @EnumSource
    void piecesMakeTheSameFileAsTheTree(Dialect dialect) throws IOException {
        Map<String, Object> tree = Map.of("trace", List.of(11, 2.5, true, PyTuple.of(0, 3), "text"));
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try (ValueStream out = dialect.open(file)) {
            out.beginDict(1);
            out.key("trace");
            out.beginList();
            out.number(11);
            out.number(2.5);
            out.bool(true);
            out.beginTuple(2);
            out.number(0);
            out.number(3);
            out.endTuple();
            out.text("text");
            out.endList();
            out.endDict();
        }

        assertThat(file.toByteArray()).isEqualTo(dialect.bytes(tree));
    }

    @ParameterizedTest
    @EnumSource(names = {"PROTOCOL_2", "PROTOCOL_4", "CPP"})
    void aHandleStandsForOneObject(Dialect dialect) throws IOException {
        Handle frames = new Handle();
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try (ValueStream out = dialect.open(file)) {
            out.beginList();
            for (int i = 0; i < 3; i++) {
                if (!out.refer(frames)) {
                    out.beginList();
                    out.text("frame");
                    out.endList();
                }
            }
            out.endList();
        }
        List<?> read = (List<?>) Unpickled.of(file.toByteArray());

        assertThat(read).hasSize(3).allSatisfy(list -> assertThat(list).isSameAs(read.getFirst()));
    }

    @Test
    void aSharedNodeIsOneObjectAcrossCallsAndAnewInTheNextStream() throws IOException {
        Shared frames = Shared.of(List.of("frame"));
        byte[] first = twoEvents(frames);

        assertThat(twoEvents(frames)).isEqualTo(first);
        List<?> read = (List<?>) Unpickled.of(first);
        assertThat(frames(read, 1)).isEqualTo(List.of("frame")).isSameAs(frames(read, 0));
    }

    @Test
    void jsonRepeatsWhatIsShared() {
        Shared frames = Shared.of(List.of(1));

        assertThat(new String(Dialect.JSON.bytes(List.of(frames, frames)), StandardCharsets.UTF_8))
                .isEqualTo("[[1],[1]]");
    }

    @Test
    void aLongStreamNeedsLittleMemory() throws IOException {
        try (ValueStream out = Dialect.PROTOCOL_4.open(OutputStream.nullOutputStream())) {
            long before = usedAfterCollection();
            out.beginList();
            for (int i = 0; i < 1_000_000; i++) {
                out.value(Map.of("frames", Shared.of(List.of(i)), "context", "N/A" + i));
            }
            assertThat(usedAfterCollection() - before).isLessThan(4 << 20);
            out.endList();
        }
    }

    private static byte[] twoEvents(Shared frames) throws IOException {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try (ValueStream out = Dialect.PROTOCOL_4.open(file)) {
            out.beginList();
            out.value(Map.of("frames", frames));
            out.value(Map.of("frames", frames));
            out.endList();
        }
        return file.toByteArray();
    }

    private static Object frames(List<?> events, int index) {
        return ((Map<?, ?>) events.get(index)).get("frames");
    }

    private static long usedAfterCollection() {
        Runtime runtime = Runtime.getRuntime();
        System.gc();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
