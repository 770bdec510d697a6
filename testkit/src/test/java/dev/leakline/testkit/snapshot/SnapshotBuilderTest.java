package dev.leakline.testkit.snapshot;

import static dev.leakline.testkit.snapshot.Books.list;
import static dev.leakline.testkit.snapshot.Books.number;
import static dev.leakline.testkit.snapshot.Books.text;
import static dev.leakline.testkit.snapshot.Sizes.KB;
import static dev.leakline.testkit.snapshot.Sizes.MB;
import static dev.leakline.testkit.snapshot.SnapshotBuilder.snapshot;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leakline.testkit.snapshot.event.StackFrame;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SnapshotBuilderTest {
    @Test
    void anEventSaysWhatWasAskedForAndABlockWhatWasGiven() {
        Object tree = snapshot().alloc("a", 3 * MB + 7, "train.py:41 train").build();

        assertThat(number(event(tree, 1), "size")).isEqualTo(3_145_735);
        assertThat(number(block(tree, 0), "size")).isEqualTo(3_146_240);
        assertThat(number(block(tree, 0), "requested_size")).isEqualTo(3_145_735);
    }

    @Test
    void aSegmentComesBeforeTheAllocationItServes() {
        Object tree = snapshot().alloc("a", 3 * MB).alloc("b", 700).free("a").build();

        assertThat(actions(tree))
                .containsExactly(
                        "segment_alloc", "alloc", "segment_alloc", "alloc", "free_requested", "free_completed");
        assertThat(segments(tree))
                .extracting(segment -> text(segment, "segment_type"))
                .containsExactly("large", "small");
        assertThat(segments(tree))
                .extracting(segment -> number(segment, "total_size"))
                .containsExactly(20 * MB, 2 * MB);
    }

    @Test
    void anAllocationItsSegmentAndItsBlockShareOneListOfFrames() {
        Object tree = snapshot()
                .alloc("a", 20 * MB, "loss.py:9 loss", "train.py:41 train")
                .build();
        List<?> frames = list(event(tree, 1), "frames");

        assertThat(frames)
                .isSameAs(list(event(tree, 0), "frames"))
                .isSameAs(list(block(tree, 0), "frames"))
                .isSameAs(list(segments(tree).getFirst(), "frames"));
        assertThat(frames.getFirst()).isEqualTo(Map.of("name", "loss", "filename", "loss.py", "line", 9));
    }

    @Test
    void twoAllocationsAtOneLineShareFramesButNoList() {
        Object tree = snapshot()
                .alloc("a", 300, "a.py:1 f")
                .alloc("b", 300, "a.py:1 f")
                .build();

        assertThat(list(event(tree, 2), "frames")).isNotSameAs(list(event(tree, 1), "frames"));
        assertThat(list(event(tree, 2), "frames").getFirst())
                .isSameAs(list(event(tree, 1), "frames").getFirst());
    }

    @Test
    void theHeadOfASplitSegmentHasNoStackOfItsSegment() {
        Object tree = snapshot().alloc("a", 3 * MB).build();

        assertThat(list(segments(tree).getFirst(), "frames")).isEmpty();
    }

    @Test
    void aFreeHasTheStackThatTheContextSays() {
        assertThat(stackOfFree(Context.ALL)).isEqualTo("free");
        assertThat(stackOfFree(Context.ALLOC)).isEqualTo("allocate");
        assertThat(stackOfFree(Context.STATE)).isEqualTo("none");
        assertThat(stackOfFree(Context.NONE)).isEqualTo("none");
    }

    @Test
    void aPreexistingBlockHasNoEventUntilItIsFreed() {
        SnapshotBuilder builder =
                snapshot().preexisting("weights", 5 * MB).preexisting("known", 6 * MB, "init.py:3 load");

        assertThat(actions(builder.build())).isEmpty();
        assertThat(list(block(builder.build(), 0), "frames")).isEmpty();
        assertThat(list(block(builder.build(), 1), "frames")).hasSize(1);
        assertThat(actions(builder.free("weights").build())).containsExactly("free_requested", "free_completed");
        assertThatThrownBy(() -> builder.preexisting("late", KB)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aPendingFreeKeepsItsBlockActive() {
        SnapshotBuilder builder =
                snapshot().alloc("a", 9 * MB).stream(0x55_1000L).requestFree("a");

        assertThat(text(block(builder.build(), 0), "state")).isEqualTo("active_pending_free");
        assertThat(number(segments(builder.build()).getFirst(), "allocated_size"))
                .isZero();
        assertThat(number(segments(builder.build()).getFirst(), "active_size")).isEqualTo(9 * MB);
        assertThat(text(block(builder.complete("a").build(), 0), "state")).isEqualTo("inactive");
        assertThat(number(event(builder.build(), 2), "stream")).isZero();
    }

    @Test
    void anEmptiedCacheGoesBackToTheDriver() {
        Object tree = snapshot()
                .alloc("a", 30 * MB)
                .alloc("b", 900)
                .free("a")
                .emptyCache("train.py:7 clean")
                .build();

        assertThat(actions(tree)).endsWith("free_completed", "segment_free");
        assertThat(number(event(tree, 6), "size")).isEqualTo(30 * MB);
        assertThat(segments(tree)).hasSize(1);
    }

    @Test
    void anOutOfMemoryErrorComesAfterTheCacheWasEmptied() {
        Object tree = snapshot()
                .alloc("a", 30 * MB)
                .requestFree("a")
                .oom(500 * MB + 1, 77 * MB)
                .build();

        assertThat(actions(tree)).endsWith("free_requested", "free_completed", "segment_free", "oom");
        assertThat(number(event(tree, 5), "size")).isEqualTo(500 * MB + 512);
        assertThat(number(event(tree, 5), "device_free")).isEqualTo(77 * MB);
        assertThat(((Map<?, ?>) event(tree, 5)).get("addr")).isNull();
    }

    @Test
    void expandableSegmentsGrowByPagesAndShrinkInTheMiddle() {
        SnapshotBuilder builder =
                snapshot().expandableSegments().alloc("a", 15 * MB).alloc("b", 50 * MB);
        builder.alloc("c", 40 * MB).free("b").emptyCache();
        Object tree = builder.build();

        assertThat(actions(tree))
                .containsExactly(
                        "segment_map",
                        "alloc",
                        "segment_map",
                        "alloc",
                        "segment_map",
                        "alloc",
                        "free_requested",
                        "free_completed",
                        "segment_unmap");
        assertThat(number(event(tree, 2), "size")).isEqualTo(60 * MB);
        assertThat(number(event(tree, 8), "size")).isEqualTo(40 * MB);
        assertThat(segments(tree))
                .extracting(segment -> number(segment, "total_size"))
                .containsExactly(20 * MB, 60 * MB);
        Books.check(tree);
        Books.check(builder.alloc("d", 45 * MB).build());
    }

    @Test
    void aSnapshotEventCountsTheActiveBytesOfEveryDevice() {
        Object tree = snapshot()
                .alloc("a", 1)
                .device(1)
                .alloc("b", 5 * MB)
                .snapshotEvent()
                .build();

        assertThat(list(tree, "device_traces"))
                .extracting(trace -> number(((List<?>) trace).getLast(), "size"))
                .containsExactly(512L, 5 * MB);
    }

    @Test
    void aFullRingKeepsTheLastEvents() {
        SnapshotBuilder builder = snapshot().wrapAt(5);
        Object tree = builder.repeat(9, (s, i) -> s.alloc("a" + i, 1000 + i)).build();

        assertThat((List<?>) list(tree, "device_traces").getFirst())
                .extracting(event -> number(event, "size"))
                .containsExactly(1004L, 1005L, 1006L, 1007L, 1008L);
    }

    @Test
    void stepsAreProfilerStepsInAnnotations() {
        Object tree = snapshot().step().alloc("a", 7).afterMicros(500).step().build();

        assertThat(list(tree, "external_annotations"))
                .extracting(annotation -> text(annotation, "name") + " " + text(annotation, "stage"))
                .containsExactly("ProfilerStep#0 START", "ProfilerStep#0 END", "ProfilerStep#1 START");
        assertThat(number(list(tree, "external_annotations").get(1), "time_us"))
                .isEqualTo(number(event(tree, 1), "time_us") + 510);
    }

    @Test
    void hostMemoryIsRoundedToAPowerOfTwo() {
        Object tree = snapshot()
                .hostAlloc("pinned", 5 * MB, "data.py:8 pin")
                .free("pinned")
                .build();

        assertThat(list(tree, "host_traces"))
                .extracting(event -> text(event, "action"))
                .containsExactly("segment_alloc", "alloc", "free_requested", "free_completed");
        assertThat(number(list(tree, "host_segments").getFirst(), "total_size")).isEqualTo(8 * MB);
        assertThat(number(list(tree, "host_segments").getFirst(), "device")).isEqualTo(-1);
    }

    @Test
    void whatTheThreadCarriesIsInItsEvents() {
        Object tree = snapshot().compileContext("0/1").metadata("epoch 3").pool(0, 4).stream(77)
                .alloc("a", 800)
                .annotate("a", "logits", StackFrame.cpp("c10::note"))
                .build();

        assertThat(text(event(tree, 1), "compile_context")).isEqualTo("0/1");
        assertThat(text(event(tree, 1), "user_metadata")).isEqualTo("epoch 3");
        assertThat(((Map<?, ?>) event(tree, 1)).get("pool_id")).hasToString("PyTuple[items=[0, 4]]");
        assertThat(number(event(tree, 1), "stream")).isEqualTo(77);
        assertThat(text(event(tree, 2), "user_metadata")).isEqualTo("logits");
        assertThat(list(event(tree, 2), "frames").getFirst())
                .isEqualTo(Map.of("name", "c10::note", "filename", "??", "line", 0));
    }

    @Test
    void wrongUseIsRefused() {
        SnapshotBuilder builder = snapshot().alloc("a", 1);

        assertThatThrownBy(() -> builder.alloc("a", 1)).hasMessageContaining("alive already");
        assertThatThrownBy(() -> builder.free("b")).hasMessage("\"b\" is not alive; alive are [a]");
        assertThatThrownBy(() -> builder.complete("a")).hasMessageContaining("pending");
        assertThatThrownBy(() -> builder.at("train")).hasMessageContaining("FILE:LINE FUNCTION");
    }

    @Test
    void aWindowsPathIsAPath() {
        assertThat(StackFrame.parse("C:\\job\\train.py:41 <module>"))
                .isEqualTo(new StackFrame("C:\\job\\train.py", 41, "<module>"));
    }

    private static String stackOfFree(Context context) {
        Object tree = snapshot()
                .context(context)
                .alloc("a", 7, "a.py:1 allocate")
                .free("a", "a.py:2 free")
                .build();
        List<?> frames = list(event(tree, 3), "frames");
        return frames == null ? "none" : text(frames.getFirst(), "name");
    }

    private static List<?> segments(Object tree) {
        return list(tree, "segments");
    }

    private static Object block(Object tree, int index) {
        return list(segments(tree).getFirst(), "blocks").get(index);
    }

    private static Object event(Object tree, int index) {
        return ((List<?>) list(tree, "device_traces").getFirst()).get(index);
    }

    private static List<String> actions(Object tree) {
        List<?> trace = (List<?>) list(tree, "device_traces").getFirst();
        return trace.stream().map(event -> text(event, "action")).toList();
    }
}
