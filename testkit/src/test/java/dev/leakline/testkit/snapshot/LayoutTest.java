package dev.leakline.testkit.snapshot;

import static dev.leakline.testkit.snapshot.Books.list;
import static dev.leakline.testkit.snapshot.Sizes.MB;
import static dev.leakline.testkit.snapshot.SnapshotBuilder.snapshot;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.testkit.Unpickled;
import dev.leakline.testkit.pickle.Dialect;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The keys by version are those of the format note's tables. */
class LayoutTest {
    @ParameterizedTest
    @CsvSource({
        "V2_0, segments device_traces",
        "V2_2, segments device_traces",
        "V2_4, segments device_traces allocator_settings",
        "V2_6, segments device_traces allocator_settings external_annotations",
        "V2_12, segments device_traces allocator_settings external_annotations",
        "V2_14, segments device_traces allocator_settings external_annotations host_segments host_traces",
    })
    void topLevel(Layout layout, String keys) {
        assertThat(keys(written(layout))).isEqualTo(words(keys));
    }

    @ParameterizedTest
    @CsvSource({
        "V2_0, frames action addr size stream",
        "V2_1, action addr size stream frames",
        "V2_2, action addr size stream time_us frames",
        "V2_6, action addr size stream time_us frames",
        "V2_8, action addr size stream time_us compile_context frames",
        "V2_10, action addr size stream time_us compile_context user_metadata frames",
        "V2_12, action addr size stream time_us compile_context user_metadata pool_id frames",
    })
    void events(Layout layout, String keys) {
        assertThat(keys(firstEvent(written(layout)))).isEqualTo(words(keys));
    }

    @ParameterizedTest
    @CsvSource({
        "V1_13, size state history",
        "V2_0, size requested_size state history",
        "V2_1, address size requested_size state frames",
        "V2_14, address size requested_size state frames",
    })
    void blocks(Layout layout, String keys) {
        assertThat(keys(list(firstSegment(layout), "blocks").getFirst())).isEqualTo(words(keys));
    }

    @ParameterizedTest
    @CsvSource({
        "V1_13, device address total_size allocated_size active_size stream segment_type blocks",
        "V2_0, device address total_size allocated_size active_size requested_size stream segment_type blocks",
        "V2_1, device address total_size allocated_size active_size requested_size stream segment_type segment_pool_id"
                + " is_expandable frames blocks",
    })
    void segments(Layout layout, String keys) {
        assertThat(keys(firstSegment(layout))).isEqualTo(words(keys));
    }

    @Test
    void theCppWriterOrdersAnEventsKeysInItsOwnWay() {
        Object tree = Unpickled.of(recording(Layout.V2_14).write(Dialect.CPP));

        assertThat(keys(firstEvent(tree)))
                .isEqualTo(words("action addr size stream compile_context user_metadata time_us pool_id frames"));
    }

    @ParameterizedTest
    @EnumSource
    void everyVersionIsWrittenInEveryDialect(Layout layout) {
        Object tree = recording(layout).build();
        for (Dialect dialect : List.of(Dialect.PROTOCOL_2, Dialect.PROTOCOL_4, Dialect.PROTOCOL_5)) {
            assertThat(Unpickled.of(recording(layout).write(dialect))).hasToString(tree.toString());
        }
    }

    @Test
    void aHistoryNamesTheTenantsByAddress() {
        SnapshotBuilder builder = snapshot().layout(Layout.V2_0);
        Object tree = builder.alloc("a", 3 * MB, "a.py:1 a")
                .alloc("b", 2 * MB, "b.py:2 b")
                .free("b")
                .free("a")
                .build();
        List<?> history = list(list(list(tree, "segments").getFirst(), "blocks").getFirst(), "history");

        assertThat(history)
                .extracting(tenant -> Books.number(tenant, "real_size"))
                .containsExactly(3 * MB, 2 * MB);
    }

    @Test
    void freesIn2_0CarryTheStackOfTheAllocation() {
        Object tree = snapshot()
                .layout(Layout.V2_0)
                .alloc("a", 7, "a.py:1 allocate")
                .free("a", "a.py:2 free")
                .build();
        Object free = ((List<?>) list(tree, "device_traces").getFirst()).getLast();

        assertThat(Books.text(list(free, "frames").getFirst(), "name")).isEqualTo("allocate");
    }

    private static SnapshotBuilder recording(Layout layout) {
        return snapshot()
                .layout(layout)
                .step()
                .alloc("a", 3 * MB, "train.py:41 train")
                .free("a")
                .alloc("b", 5 * MB, "train.py:42 train")
                .hostAlloc("c", 999)
                .emptyCache();
    }

    private static Object written(Layout layout) {
        return Unpickled.of(recording(layout).write(Dialect.PROTOCOL_4));
    }

    private static Object firstSegment(Layout layout) {
        Object tree = written(layout);
        return (tree instanceof List<?> segments ? segments : list(tree, "segments")).getFirst();
    }

    private static Object firstEvent(Object tree) {
        return ((List<?>) list(tree, "device_traces").getFirst()).getFirst();
    }

    private static List<?> keys(Object dict) {
        return List.copyOf(((Map<?, ?>) dict).keySet());
    }

    private static List<String> words(String words) {
        return List.of(words.split(" ", -1));
    }
}
