package dev.leakline.read.trace;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import dev.leakline.columns.Action;
import dev.leakline.columns.FrameTable;
import dev.leakline.columns.Recorder;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.columns.SnapshotColumns.Trace;
import dev.leakline.lifetime.LifetimeBuilder;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.lifetime.MemoryCurve;
import dev.leakline.read.Formats;
import dev.leakline.source.Content;
import dev.leakline.source.ReadException;
import dev.leakline.source.ReadException.Code;
import dev.leakline.source.ReadLimits;
import dev.leakline.source.Source;
import dev.leakline.source.TorchVersion;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is read of profiler traces that are made up for it. */
class TraceFormatTest {
    private static final long MB = 1 << 20;
    private static final int BACKWARD_THREAD = 9;

    @Test
    void eventsAreSortedByTimeAndRangesAroundThemMakeTheirStacks() throws Exception {
        SnapshotColumns columns = read(new TraceText()
                .free(60, 512, 3 * MB)
                .alloc(25, 512, 3 * MB)
                .operator(7, 24, 26, "aten::empty")
                .operator(7, 22, 30, "aten::zeros")
                .call(0, 100, "train.py(3): <module>")
                .call(10, 50, "train.py(41): step"));
        assertThat(columns.recorder).isEqualTo(Recorder.PROFILER);
        assertThat(columns.traces).containsExactly(new Trace(0, 0, 2));
        assertThat(columns.events.action(0)).isEqualTo(Action.ALLOC);
        assertThat(columns.events.timeMicros(1)).isEqualTo(60);
        assertThat(stack(columns, 0))
                .containsExactly(":0 aten::empty", ":0 aten::zeros", "train.py:41 step", "train.py:3 <module>");
        assertThat(stack(columns, 1)).containsExactly("train.py:3 <module>");
    }

    @Test
    void whatWasThereBeforeIsToldByTheSums() throws Exception {
        SnapshotColumns columns = read(new TraceText()
                .startingWith(700 * MB)
                .alloc(1, 512, 5 * MB)
                .free(2, 4096, 100 * MB)
                .alloc(3, 8192, 11 * MB));
        Lifetimes lifetimes = LifetimeBuilder.build(columns, 0);
        assertThat(held(columns, lifetimes)).containsExactly(700 * MB, 705 * MB, 605 * MB, 616 * MB);
        assertThat(reserved(columns, lifetimes)).containsExactly(1410 * MB, 1410 * MB, 1210 * MB, 1232 * MB);
        assertThat(lifetimes.unknownFrees()).isEqualTo(1);
        assertThat(columns.counters.counts()).isEmpty();
    }

    @Test
    void impossibleSizesAreCounted() throws Exception {
        for (long impossible : new long[] {(1L << 50) + 1, Long.MAX_VALUE, Long.MIN_VALUE + 1}) {
            SnapshotColumns columns = read(new TraceText().alloc(1, 512, 5 * MB).memory(7, 2, 1024, impossible, 1, 0));
            assertThat(columns.events.size()).isEqualTo(1);
            assertThat(columns.counters.counts().keySet())
                    .as("%d", impossible)
                    .containsExactly("sizes below 0 or above 1125899906842624 bytes, taken for 0");
        }
    }

    @Test
    void sizesOfTheHostAreTakenAsTheyAre() throws Exception {
        SnapshotColumns columns = read(new TraceText().memory(7, 1, 64, 20, 0, -1));
        Lifetimes lifetimes = LifetimeBuilder.build(columns, SnapshotColumns.HOST);
        assertThat(lifetimes.held(0)).isEqualTo(20);
    }

    @Test
    void hipDevicesAreDevices() throws Exception {
        SnapshotColumns columns = read(new TraceText().memory(7, 1, 64, 20, 6, 3));
        assertThat(LifetimeBuilder.devices(columns)).containsExactly(3);
    }

    @Test
    void withoutAddressesAFreeIsThatOfTheYoungestBlockOfItsSize() throws Exception {
        SnapshotColumns columns = read(new TraceText()
                .withoutAddressesAndSums()
                .alloc(1, 0, 3 * MB)
                .alloc(2, 0, 3 * MB)
                .free(3, 0, 3 * MB)
                .free(4, 0, 7 * MB));
        Lifetimes lifetimes = LifetimeBuilder.build(columns, 0);
        assertThat(lifetimes.died(0)).isEqualTo(Lifetimes.NEVER);
        assertThat(lifetimes.died(1)).isEqualTo(2);
        assertThat(held(columns, lifetimes)).containsExactly(7 * MB, 10 * MB, 13 * MB, 10 * MB, 3 * MB);
    }

    @Test
    void timesCountFromTheBaseThatMayComeAfterTheEvents() throws Exception {
        String base = "\"baseTimeNanoseconds\": 1751410836000000000";
        SnapshotColumns columns =
                read(new TraceText().alloc(1_428_625_746_340.715, 512, MB).with(base, false));
        assertThat(columns.events.timeMicros(0)).isEqualTo(1_751_410_836_000_000L + 1_428_625_746_340L);
        assertThat(TorchVersion.of(columns)).isEqualTo("2.4 or later");
    }

    @Test
    void aMarkedRangeThatEndsAmongTheCallsIsTakenOutFromAmongThem() throws Exception {
        SnapshotColumns columns = read(new TraceText()
                .call(0, 100, "train.py(3): main")
                .call(10, 14, "torch/autograd/profiler.py(7): __enter__")
                .mark(12, 52, "forward")
                .alloc(20, 512, MB)
                .call(50, 60, "torch/autograd/profiler.py(9): __exit__")
                .alloc(55, 1024, MB));
        assertThat(stack(columns, 0)).containsExactly(":0 record_function: forward", "train.py:3 main");
        assertThat(stack(columns, 1)).containsExactly("torch/autograd/profiler.py:9 __exit__", "train.py:3 main");
    }

    @Test
    void callsThatTouchFollowEachOther() throws Exception {
        SnapshotColumns columns = read(new TraceText()
                .call(0, 100, "train.py(3): main")
                .call(10, 20, "train.py(7): one")
                .call(20, 30, "train.py(9): two")
                .alloc(20, 512, MB));
        assertThat(stack(columns, 0)).containsExactly("train.py:9 two", "train.py:3 main");
    }

    @Test
    void aBackwardPassHasTheModulesOfItsOperatorAndTheThreadThatWaits() throws Exception {
        SnapshotColumns columns = read(new TraceText()
                .call(0, 100, "train.py(3): step")
                .call(5, 20, "nn.Module: Linear_0")
                .operator(7, 10, 15, "aten::addmm", 31, 0)
                .call(40, 90, "torch/_tensor.py(566): backward")
                .operator(BACKWARD_THREAD, 50, 60, "autograd::engine::evaluate_function: AddmmBackward0", 31, 1)
                .operator(BACKWARD_THREAD, 52, 58, "aten::mm")
                .memory(BACKWARD_THREAD, 55, 512, MB, 1, 0)
                .operator(
                        BACKWARD_THREAD, 70, 80, "autograd::engine::evaluate_function: torch::autograd::AccumulateGrad")
                .memory(BACKWARD_THREAD, 75, 1024, MB, 1, 0));
        assertThat(stack(columns, 0))
                .containsExactly(
                        ":0 aten::mm",
                        ":0 autograd::engine::evaluate_function: AddmmBackward0",
                        ":0 nn.Module: Linear_0",
                        "torch/_tensor.py:566 backward",
                        "train.py:3 step");
        assertThat(stack(columns, 1))
                .containsExactly(
                        ":0 autograd::engine::evaluate_function: torch::autograd::AccumulateGrad",
                        "torch/_tensor.py:566 backward",
                        "train.py:3 step");
    }

    @Test
    void callStacksOfOldTracesAreRead() throws Exception {
        String stack = "\"Call stack\": \"/app/model.py(46): forward;/app/train.py(50): <module>\"";
        SnapshotColumns columns = read(new TraceText()
                .withoutAddressesAndSums()
                .range("Operator", 7, 10, 30, "aten::conv2d", stack)
                .range("Operator", 7, 12, 20, "aten::empty", stack)
                .alloc(15, 0, MB));
        assertThat(stack(columns, 0))
                .containsExactly(
                        ":0 aten::empty", ":0 aten::conv2d", "/app/model.py:46 forward", "/app/train.py:50 <module>");
    }

    @Test
    void objectsOfAnotherAddressAreOneFrame() throws Exception {
        SnapshotColumns columns = read(new TraceText()
                .call(0, 10, "<built-in method zeros of type object at 0x7f01>")
                .alloc(5, 512, MB)
                .call(20, 30, "<built-in method zeros of type object at 0x7f02>")
                .alloc(25, 1024, MB));
        assertThat(columns.events.stack(0)).isEqualTo(columns.events.stack(1));
        assertThat(stack(columns, 0)).containsExactly(":0 <built-in method zeros of type>");
    }

    @Test
    void threadsMayBeNamedByText() throws Exception {
        SnapshotColumns columns = read(new TraceText()
                .raw(
                        "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"aten::add\", \"pid\": 70, \"tid\": \"7\", \"ts\": 1, \"dur\": 5}")
                .alloc(3, 512, MB));
        assertThat(stack(columns, 0)).containsExactly(":0 aten::add");
    }

    @Test
    void stepsOfTheProfilerAreMarksAndNoFrames() throws Exception {
        SnapshotColumns columns =
                read(new TraceText().mark(0, 50, "ProfilerStep#3").alloc(10, 512, MB));
        assertThat(stack(columns, 0)).isEmpty();
        assertThat(columns.annotations.size()).isEqualTo(2);
        assertThat(columns.strings.get(columns.annotations.name(0))).isEqualTo("ProfilerStep#3");
        assertThat(columns.annotations.timeMicros(1)).isEqualTo(50);
    }

    @Test
    void whatTheSumsShowBeyondTheEventsIsAnotherThreads() throws Exception {
        SnapshotColumns columns = read(new TraceText()
                .startingWith(40 * MB)
                .alloc(1, 512, 2 * MB)
                .unseen(13 * MB)
                .alloc(2, 1024, 3 * MB)
                .free(3, 4096, 9 * MB)
                .unseen(-4 * MB)
                .free(4, 512, 2 * MB));
        Lifetimes lifetimes = LifetimeBuilder.build(columns, 0);
        assertThat(held(columns, lifetimes))
                .containsExactly(40 * MB, 42 * MB, 51 * MB, 55 * MB, 58 * MB, 49 * MB, 45 * MB, 43 * MB);
        assertThat(lifetimes.unknownFrees()).isZero();
        assertThat(columns.counters.counts())
                .isEqualTo(
                        Map.of("memory of threads that the profiler does not record (known only from the totals)", 3L));
    }

    @Test
    void aBareListOfEventsIsATrace() throws Exception {
        String list = new TraceText().alloc(1, 512, MB).list();
        assertThat(read(list.getBytes(UTF_8)).columns().events.size()).isEqualTo(1);
    }

    @Test
    void eventsMayComeFarBehindOtherThings() throws Exception {
        String notes = "\"metadata\": {\"packages\": [\"" + "numpy==2.1.0\", \"".repeat(2000) + "\"]}";
        byte[] trace = ("{" + notes + ", \"traceEvents\": "
                        + new TraceText().alloc(1, 512, MB).list() + "}")
                .getBytes(UTF_8);
        assertThat(read(trace).columns().events.size()).isEqualTo(1);
    }

    @Test
    void propertiesOfAnEventMayComeInAnyOrder() throws Exception {
        SnapshotColumns columns = read(new TraceText()
                .raw(
                        "{\"args\": {\"Addr\": 512, \"Bytes\": 1048576, \"Device Id\": 0, \"Device Type\": 1}, \"ts\": 3, \"tid\": 7,"
                                + " \"pid\": 70, \"name\": \"[memory]\", \"ph\": \"i\"}"));
        assertThat(columns.events.size(0)).isEqualTo(MB);
    }

    @Test
    void memoryOfTheDeviceIsRead() throws Exception {
        String devices = "\"deviceProperties\": [{\"id\": 0, \"name\": \"card\", \"totalGlobalMem\": 85899345920}]";
        SnapshotColumns columns = read(new TraceText().alloc(1, 512, MB).with(devices, true));
        assertThat(columns.deviceBytes).isEqualTo(Map.of(0, 85_899_345_920L));
    }

    @Test
    void aRequestThatFailedIsOne() throws Exception {
        SnapshotColumns columns = read(
                new TraceText()
                        .alloc(1, 512, MB)
                        .raw(
                                "{\"ph\": \"i\", \"name\": \"[OutOfMemory]\", \"pid\": 70, \"tid\": 7, \"ts\": 2, \"args\": {\"Bytes\": 4194304,"
                                        + " \"Device Type\": 1, \"Device Id\": 0, \"Total Allocated\": 1048576, \"Total Reserved\": 2097152}}"));
        assertThat(columns.events.action(1)).isEqualTo(Action.OOM);
        assertThat(columns.events.deviceFree(1)).isNegative();
        assertThat(columns.counters.counts()).isEmpty();
    }

    @Test
    void whatIsCutOffIsReportedWithTheByteAndTheRestKept() throws Exception {
        byte[] whole = new TraceText().alloc(1, 512, MB).alloc(2, 1024, MB).bytes();
        Content.Recording file = read(java.util.Arrays.copyOf(whole, whole.length - 60));
        assertThat(file.columns().events.size()).isEqualTo(1);
        assertThat(file.truncation()).isNotNull().hasMessageContaining("truncated after byte");
    }

    @Test
    void compressedTracesAreRead() throws Exception {
        byte[] zstd = Zstd.compress(new TraceText().alloc(1, 512, MB).bytes());
        assertThat(read(zstd).format()).isEqualTo("JSON, zstd");
    }

    @Test
    void aTraceWithoutMemoryTellsHowToRecordIt() {
        assertThatThrownBy(() -> read(new TraceText().call(0, 10, "train.py(3): main")))
                .isInstanceOf(ReadException.class)
                .hasMessageContaining("profile_memory=True");
    }

    @Test
    void eventsThatSayTooLittleAreCounted() throws Exception {
        SnapshotColumns columns = read(new TraceText()
                .alloc(1, 512, MB)
                .raw(
                        "{\"ph\": \"i\", \"name\": \"[memory]\", \"pid\": 70, \"tid\": 7, \"args\": {\"Bytes\": 7, \"Device Type\": 1}}")
                .raw(
                        "{\"ph\": \"i\", \"name\": \"[memory]\", \"ts\": 3, \"args\": {\"Bytes\": 7, \"Device Type\": 1, \"Device Id\": 99999}}")
                .raw(
                        "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"aten::add\", \"pid\": 70, \"tid\": 7, \"ts\": 1}")
                .raw("[{}, 3]"));
        assertThat(columns.counters.counts())
                .isEqualTo(Map.of(
                        "[memory] without a time or a size", 1L,
                        "[memory] without a valid device", 1L,
                        "range without times or thread", 1L));
    }

    @Test
    void callsThatLieTooDeepAreRefused() {
        TraceText trace = new TraceText();
        for (int i = 0; i < 20; i++) {
            trace.call(i, 100 - i, "train.py(3): recurse");
        }
        trace.alloc(50, 512, MB);
        refuses(trace, new TraceLimits(9, 99, 9, 10, 99), "more than 10 nested calls");
    }

    @Test
    void moreThanTheLimitsAllowIsRefused() {
        TraceText trace = new TraceText()
                .call(0, 90, "train.py(3): main")
                .call(1, 80, "train.py(4): step")
                .operator(BACKWARD_THREAD, 0, 70, "aten::add")
                .alloc(50, 512, MB)
                .alloc(60, 1024, MB);
        refuses(trace, new TraceLimits(1, 99, 9, 9, 99), "more than 1 memory events");
        refuses(trace, new TraceLimits(9, 1, 9, 9, 99), "more than 1 ranges");
        refuses(trace, new TraceLimits(9, 99, 1, 9, 99), "more than 1 threads");
        refuses(trace, new TraceLimits(9, 99, 9, 9, 1), "more than 1 frames in total");
    }

    private static void refuses(TraceText trace, TraceLimits limits, String message) {
        TraceFormat reader = new TraceFormat(ReadLimits.DEFAULT, limits, _ -> {});
        assertThatThrownBy(() -> reader.read(Source.of(new ByteArrayInputStream(trace.bytes()), ReadLimits.DEFAULT)))
                .isInstanceOfSatisfying(
                        ReadException.class, e -> assertThat(e.code()).isEqualTo(Code.LIMIT))
                .hasMessageContaining(message);
    }

    private static SnapshotColumns read(TraceText trace) throws IOException {
        return read(trace.bytes()).columns();
    }

    private static Content.Recording read(byte[] bytes) throws IOException {
        return (Content.Recording) new Formats(ReadLimits.DEFAULT, _ -> {}).read(new ByteArrayInputStream(bytes));
    }

    private static List<String> stack(SnapshotColumns columns, int event) {
        FrameTable frames = columns.frames;
        List<String> stack = new ArrayList<>();
        for (int depth = 0; depth < columns.stacks.depth(columns.events.stack(event)); depth++) {
            int frame = columns.stacks.frame(columns.events.stack(event), depth);
            stack.add(frames.file(frame) + ":" + frames.line(frame) + " " + frames.function(frame));
        }
        return stack;
    }

    private static List<Long> held(SnapshotColumns columns, Lifetimes lifetimes) {
        MemoryCurve curve = new MemoryCurve(columns, lifetimes);
        List<Long> held = new ArrayList<>();
        do {
            held.add(curve.held());
        } while (curve.next());
        return held;
    }

    private static List<Long> reserved(SnapshotColumns columns, Lifetimes lifetimes) {
        MemoryCurve curve = new MemoryCurve(columns, lifetimes);
        List<Long> reserved = new ArrayList<>();
        do {
            reserved.add(curve.reserved());
        } while (curve.next());
        return reserved;
    }
}
