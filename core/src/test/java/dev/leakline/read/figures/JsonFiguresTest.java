package dev.leakline.read.figures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leakline.OutsideData;
import dev.leakline.columns.MemorySeries.Quantity;
import dev.leakline.columns.ProfiledCall;
import dev.leakline.read.Formats;
import dev.leakline.source.Content;
import dev.leakline.source.ReadException;
import dev.leakline.source.ReadLimits;
import dev.leakline.testkit.snapshot.Wrapping;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Figures in JSON: profiles, telemetry, statistics, timelines, whatever shape they are in. */
class JsonFiguresTest {
    private static final String CALL = """
            {"function_name": "leak", "execution_time": 0.25, "memory_before": %s, "memory_after": %s, "memory_peak": %s,
             "memory_allocated": 20971520, "memory_freed": 0, "memory_diff": 20971520, "peak_memory_usage": 125829120,
             "tensors_created": 3, "tensors_deleted": 0, "call_count": 1}""".formatted(
                    sample("1795238687.5", 104857601, "before_leak"),
                    sample("1795238687.75", 125829121, "after_leak"),
                    sample("1795238687.75", 125829122, "peak_leak"));

    private static final String EVENT = """
            {"schema_version": 2, "timestamp_ns": 1795238698592703232, "event_type": "sample", "collector": "gpumemprof.cuda_tracker",
             "sampling_interval_ms": 50, "pid": 1904, "host": "vm", "device_id": 0, "allocator_allocated_bytes": 199229441,
             "allocator_reserved_bytes": 406847489, "allocator_active_bytes": 199229442, "allocator_inactive_bytes": null,
             "allocator_change_bytes": 1048577, "device_used_bytes": 406847490, "device_free_bytes": 666894336, "device_total_bytes": 1073741824,
             "context": "Large allocation: 512.00 MB", "metadata": {"backend": "cuda", "supports_device_total": true}}""";

    private static final String TELEMETRY = """
            TELEMETRY ALLOCATED TIME 0/1904 '' 1795238698592703=199229441
            TELEMETRY RESERVED TIME 0/1904 '' 1795238698592703=406847489
            TELEMETRY ACTIVE TIME 0/1904 '' 1795238698592703=199229442
            TELEMETRY DEVICE_USED TIME 0/1904 '' 1795238698592703=406847490
            TELEMETRY DEVICE_FREE TIME 0/1904 '' 1795238698592703=666894336
            TELEMETRY DEVICE_TOTAL TIME 0/1904 '' 1795238698592703=1073741824""";

    private static String sample(String time, long allocated, String operation) {
        return """
            {"timestamp": %s, "allocated_memory": %d, "reserved_memory": 41943041, "max_memory_allocated": 25165825,
             "max_memory_reserved": 41943042, "active_memory": 3145729, "inactive_memory": 4097, "cpu_memory": 1876582401, "device_id": 1,
             "operation": "%s", "stack_trace": null}""".formatted(time, allocated, operation);
    }

    // ---- gpumemprof's profiles

    @Test
    void savedResultsAreCallsAndSamples() throws IOException {
        Content.Figures file =
                FigureTexts.read("{\"summary\": {\"device\": \"cuda:0\", \"peak_memory_usage\": 5},\n \"results\": ["
                        + CALL + "], \"snapshots\": [" + sample("1795238692.5", 197132289, "monitor") + "]}");
        assertThat(file.format()).isEqualTo("function profile with profiler's samples, JSON");
        assertCall(file.measurements().calls());
        assertThat(FigureTexts.shown(file))
                .containsExactly(
                        "PROFILER ALLOCATED TIME 1/-1 '' 1795238692500000=197132289",
                        "PROFILER RESERVED TIME 1/-1 '' 1795238692500000=41943041",
                        "PROFILER PEAK_ALLOCATED TIME 1/-1 '' 1795238692500000=25165825",
                        "PROFILER PEAK_RESERVED TIME 1/-1 '' 1795238692500000=41943042",
                        "PROFILER ACTIVE TIME 1/-1 '' 1795238692500000=3145729",
                        "PROFILER INACTIVE_SPLIT TIME 1/-1 '' 1795238692500000=4097",
                        "PROFILER HOST_USED TIME 1/-1 '' 1795238692500000=1876582401");
    }

    @Test
    void theVisualizersFileAndABareListAreTheSame() throws IOException {
        assertCall(
                FigureTexts.read("{\"metadata\": {\"num_results\": 1}, \"results\": [" + CALL + "], \"snapshots\": []}")
                        .measurements()
                        .calls());
        assertCall(FigureTexts.read("[" + CALL + "]").measurements().calls());
        assertCall(FigureTexts.read(CALL).measurements().calls());
    }

    private static void assertCall(List<ProfiledCall> calls) {
        assertThat(calls).hasSize(1);
        ProfiledCall call = calls.getFirst();
        assertThat(call.function()).isEqualTo("leak");
        assertThat(call.seconds()).isEqualTo(0.25);
        assertThat(call.before())
                .isEqualTo(new ProfiledCall.Sample(
                        1795238687.5,
                        104857601,
                        41943041,
                        25165825,
                        41943042,
                        3145729,
                        4097,
                        1876582401,
                        1,
                        "before_leak"));
        assertThat(call.after().allocated()).isEqualTo(125829121);
        assertThat(call.peak().operation()).isEqualTo("peak_leak");
        assertThat(call.difference()).isEqualTo(20971520);
        assertThat(call.tensorsCreated()).isEqualTo(3);
        assertThat(call.calls()).isEqualTo(1);
    }

    @Test
    void allParityCasesAreRead() throws IOException {
        Content.Figures file =
                FigureTexts.read(Files.readAllBytes(OutsideData.path("gpumemprof-parity/inputs.json.gz")));
        assertThat(file.format()).isEqualTo("function profile, JSON, gzip");
        assertThat(file.measurements().calls()).hasSize(1681);
        Content.Figures gaps =
                FigureTexts.read(Files.readAllBytes(OutsideData.path("gpumemprof-parity/gap_inputs.json.gz")));
        assertThat(gaps.format()).isEqualTo("telemetry, JSON, gzip");
    }

    // ---- telemetry

    @Test
    void telemetryIsReadInEveryWrapping() throws IOException {
        for (String text : List.of("[%s]", "%s", "{\"session\": \"a\", \"events\": [%s]}", "\n%s\n")) {
            assertThat(String.join("\n", FigureTexts.of(text.formatted(EVENT))))
                    .as(text)
                    .isEqualTo(TELEMETRY);
        }
        assertThat(FigureTexts.read(Wrapping.gzip("[%s]".formatted(EVENT).getBytes(StandardCharsets.UTF_8)))
                        .format())
                .isEqualTo("telemetry, JSON, gzip");
    }

    @Test
    void laterSchemasHaveNullsAndRanks() throws IOException {
        String event = EVENT.replace(
                        "\"schema_version\": 2",
                        "\"schema_version\": 4, \"session_id\": \"s1\", \"rank\": 3, \"world_size\": 8")
                .replace("199229441", "null")
                .replace("406847490", "null");
        assertThat(FigureTexts.of("[" + event + "]"))
                .containsExactly(
                        "TELEMETRY RESERVED TIME 0/1904 'rank 3' 1795238698592703=406847489",
                        "TELEMETRY ACTIVE TIME 0/1904 'rank 3' 1795238698592703=199229442",
                        "TELEMETRY DEVICE_FREE TIME 0/1904 'rank 3' 1795238698592703=666894336",
                        "TELEMETRY DEVICE_TOTAL TIME 0/1904 'rank 3' 1795238698592703=1073741824");
    }

    @Test
    void trackersOfTheHostSpeakOfTheHost() throws IOException {
        assertThat(FigureTexts.of("["
                        + EVENT.replace("cuda_tracker", "cpu_tracker").replace("\"device_id\": 0", "\"device_id\": -1")
                        + "]"))
                .containsExactly("TELEMETRY HOST_USED TIME -1/1904 '' 1795238698592703=199229441");
    }

    @Test
    void legacyEventsAndThoseOfBundles() throws IOException {
        assertThat(FigureTexts.of("""
                [{"timestamp": 1795238698.5, "type": "sample", "event_type": "sample", "memory_mb": 1.5, "device": "cuda:2"},
                 {"timestamp": 1795238699.5, "event_type": "allocation", "memory_allocated": 3145728, "memory_reserved": 4194304,
                  "memory_change": 1572864, "device_id": 2, "context": null, "metadata": null, "active_memory": 3145729,
                  "inactive_memory": 5, "device_used": 4194305, "device_free": 7, "device_total": 1073741825, "backend": "cuda"}]"""))
                .containsExactly(
                        "TELEMETRY ALLOCATED TIME 2/-1 '' 1795238698500000=1572864 1795238699500000=3145728",
                        "TELEMETRY RESERVED TIME 2/-1 '' 1795238699500000=4194304",
                        "TELEMETRY ACTIVE TIME 2/-1 '' 1795238699500000=3145729",
                        "TELEMETRY INACTIVE_SPLIT TIME 2/-1 '' 1795238699500000=5",
                        "TELEMETRY DEVICE_USED TIME 2/-1 '' 1795238699500000=4194305",
                        "TELEMETRY DEVICE_FREE TIME 2/-1 '' 1795238699500000=7",
                        "TELEMETRY DEVICE_TOTAL TIME 2/-1 '' 1795238699500000=1073741825");
    }

    @Test
    void filesOfBundles() throws IOException {
        assertThat(
                        FigureTexts.of(
                                "{\"timestamps\": [1795238698.5, 1795238699.5], \"allocated\": [512, 1024], \"reserved\": [2097152, 2097152]}"))
                .containsExactly(
                        "TELEMETRY ALLOCATED TIME -1/-1 '' 1795238698500000=512 1795238699500000=1024",
                        "TELEMETRY RESERVED TIME -1/-1 '' 1795238698500000=2097152 1795238699500000=2097152");
        assertThat(FigureTexts.of("""
                {"backend": "cuda", "allocated_bytes": 300, "reserved_bytes": 400, "peak_bytes": 350, "total_bytes": 1000, "utilization_ratio": 0.3,
                 "fragmentation_ratio": 0.1, "num_ooms": 2, "risk_flags": {"oom_occurred": true}, "suggestions": ["a"]}"""))
                .containsExactly(
                        "TELEMETRY ALLOCATED INDEX -1/-1 '' 0=300",
                        "TELEMETRY RESERVED INDEX -1/-1 '' 0=400",
                        "TELEMETRY PEAK_ALLOCATED INDEX -1/-1 '' 0=350",
                        "TELEMETRY DEVICE_TOTAL INDEX -1/-1 '' 0=1000",
                        "TELEMETRY OUT_OF_MEMORY INDEX -1/-1 '' 0=2");
        assertThat(FigureTexts.of("""
                {"reason": "torch.cuda.OutOfMemoryError", "exception_message": "CUDA out of memory. Tried to allocate 2.00 GiB", "backend": "cuda",
                 "custom_metadata": {"tracker_stats": {"peak_memory": 11}, "sample_allocated_bytes": 10, "sample_reserved_bytes": 20}}"""))
                .containsExactly(
                        "TELEMETRY PEAK_ALLOCATED INDEX -1/-1 '' 0=11",
                        "TELEMETRY ALLOCATED INDEX -1/-1 '' 0=10",
                        "TELEMETRY RESERVED INDEX -1/-1 '' 0=20");
    }

    @Test
    void aBundleIsReadByItsFolder(@TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("manifest.json"), "{\"schema_version\": 1, \"bundle_name\": \"oom_dump\"}");
        Files.writeString(folder.resolve("events.json"), "[" + EVENT + "]");
        Content content = new Formats(ReadLimits.DEFAULT, _ -> {}).read(() -> Formats.open(folder), false);
        assertThat(String.join("\n", FigureTexts.shown((Content.Figures) content)))
                .isEqualTo(TELEMETRY);
    }

    @Test
    void segmentsOfASinkAreReadInTheirOrderUpToTheLastWholeLine(@TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("manifest.json"), "{\"schema_version\": 1, \"segments\": []}");
        Files.writeString(folder.resolve("segment-000011.jsonl"), at(30) + "\n" + at(40).substring(0, 200));
        Files.writeString(folder.resolve("segment-000010.jsonl"), at(10) + "\n" + at(20) + "\n");
        Files.writeString(folder.resolve("rollups.jsonl"), at(50) + "\n");
        Content content = new Formats(ReadLimits.DEFAULT, _ -> {}).read(() -> Formats.open(folder), false);
        assertThat(FigureTexts.values(FigureTexts.only((Content.Figures) content, Quantity.ALLOCATED)))
                .containsExactly(10L, 20L, 30L);
    }

    private static String at(long allocated) {
        return ("{\"schema_version\": 4, \"timestamp_ns\": %d000000000, \"event_type\": \"sample\", \"collector\": \"stormlog.cuda_tracker\","
                        + " \"sampling_interval_ms\": 100, \"pid\": 7, \"host\": \"vm\", \"session_id\": \"s\", \"rank\": 0, \"device_id\": 0,"
                        + " \"allocator_allocated_bytes\": %d, \"allocator_reserved_bytes\": 2097152, \"device_used_bytes\": null, \"metadata\": {}}")
                .formatted(1795238698 + allocated, allocated);
    }

    @Test
    void statisticsOfATrackerLeaveSumsOut() throws IOException {
        assertThat(FigureTexts.of("""
                {"peak_memory": 512, "total_allocations": 7, "total_allocation_bytes": 99, "alert_count": 0, "last_memory_check": 1795238698.5,
                 "current_memory_allocated": 256, "current_memory_reserved": 2097152, "memory_utilization_percent": 12.5,
                 "average_allocation_size": 14, "allocations_per_second": 0.5, "bytes_allocated_per_second": 4.5}"""))
                .containsExactly(
                        "TELEMETRY PEAK_ALLOCATED TIME -1/-1 '' 1795238698500000=512",
                        "TELEMETRY ALLOCATED TIME -1/-1 '' 1795238698500000=256",
                        "TELEMETRY RESERVED TIME -1/-1 '' 1795238698500000=2097152");
    }

    // ---- torch.cuda.memory_stats()

    @Test
    void memoryStatsFlatAndNested() throws IOException {
        String flat = """
                {"active.all.current": 4, "active_bytes.all.current": 1001, "allocated_bytes.all.allocated": 9, "allocated_bytes.all.current": 1002,
                 "allocated_bytes.all.peak": 1003, "allocated_bytes.large_pool.current": 8, "inactive_split_bytes.all.current": 1004, "num_alloc_retries": 5,
                 "num_ooms": 6, "requested_bytes.all.current": 1005, "reserved_bytes.all.current": 1006, "reserved_bytes.all.peak": 1007}""";
        List<String> series = List.of(
                "MEMORY_STATS ACTIVE INDEX -1/-1 '' 0=1001",
                "MEMORY_STATS ALLOCATED INDEX -1/-1 '' 0=1002",
                "MEMORY_STATS PEAK_ALLOCATED INDEX -1/-1 '' 0=1003",
                "MEMORY_STATS INACTIVE_SPLIT INDEX -1/-1 '' 0=1004",
                "MEMORY_STATS RETRIES INDEX -1/-1 '' 0=5",
                "MEMORY_STATS OUT_OF_MEMORY INDEX -1/-1 '' 0=6",
                "MEMORY_STATS REQUESTED INDEX -1/-1 '' 0=1005",
                "MEMORY_STATS RESERVED INDEX -1/-1 '' 0=1006",
                "MEMORY_STATS PEAK_RESERVED INDEX -1/-1 '' 0=1007");
        assertThat(FigureTexts.of(flat)).isEqualTo(series);
        assertThat(
                        FigureTexts.of(
                                "{\"allocated_bytes\": {\"all\": {\"current\": 1002, \"freed\": 3}, \"small_pool\": {\"current\": 4}}}"))
                .containsExactly(series.get(1));
    }

    @Test
    void memoryStatsWithSteps() throws IOException {
        assertThat(
                        FigureTexts.of(
                                "[{\"step\": 10, \"stats\": {\"allocated_bytes.all.current\": 7}}, {\"step\": 20, \"stats\": {\"allocated_bytes.all.current\": 9}}]"))
                .containsExactly("MEMORY_STATS ALLOCATED STEP -1/-1 '' 10=7 20=9");
    }

    // ---- torch.profiler's memory timeline

    @Test
    void memoryTimeline() throws IOException {
        Content.Figures file = FigureTexts.read(
                "[[1700000000000000, 1700000000000010], [[0, 5, 0, 0, 0, 7, 0, 0, 0], [0, 5, 0, 0, 0, 0, 3, 0, 1]]]");
        assertThat(file.format()).isEqualTo("memory timeline, JSON");
        assertThat(FigureTexts.shown(file))
                .containsExactly(
                        "TIMELINE ALLOCATED TIME -1/-1 'parameter' 1700000000000000=5 1700000000000010=5",
                        "TIMELINE ALLOCATED TIME -1/-1 'activation' 1700000000000000=7 1700000000000010=0",
                        "TIMELINE ALLOCATED TIME -1/-1 '' 1700000000000000=12 1700000000000010=9",
                        "TIMELINE ALLOCATED TIME -1/-1 'gradient' 1700000000000010=3",
                        "TIMELINE ALLOCATED TIME -1/-1 'unknown' 1700000000000010=1");
    }

    @Test
    void rawMemoryTimeline() throws IOException {
        assertThat(FigureTexts.of("[[-1, 1, 512, 0], [2000, 2, 256, 4], [5000, 4, -256, 4], [7000, 3, 0, 9]]"))
                .containsExactly(
                        "TIMELINE ALLOCATED ELAPSED -1/-1 'activation' 2=256 5=0",
                        "TIMELINE ALLOCATED ELAPSED -1/-1 '' 2=768 5=512");
    }

    // ---- logs of trainers

    @Test
    void historiesOfTrainers() throws IOException {
        assertThat(FigureTexts.of("""
                {"best_metric": null, "global_step": 30, "log_history": [{"loss": 0.5, "step": 10, "epoch": 0.1, "memory/max_mem_allocated(gib)": 1.5},
                 {"loss": 0.4, "step": 20, "epoch": 0.2, "memory/max_mem_allocated(gib)": 2}]}"""))
                .containsExactly(
                        "LOG PEAK_ALLOCATED STEP -1/-1 'memory/max_mem_allocated(gib)' 10=1610612736 20=2147483648");
    }

    @Test
    void columnsOfNumbers() throws IOException {
        assertThat(FigureTexts.of("{\"epoch\": [1, 2, 3], \"gpu_mem_mb\": [10, 20, 30], \"lr\": [0.1, 0.1]}"))
                .containsExactly("LOG ALLOCATED EPOCH -1/-1 'gpu_mem_mb' 1=10485760 2=20971520 3=31457280");
    }

    @Test
    void namesWithDevices() throws IOException {
        assertThat(
                        FigureTexts.of(
                                "[{\"_step\": 3, \"gpu.1.memoryAllocatedBytes\": 77, \"gpu.1.memoryAllocated\": 45.5, \"gpu.1.memory\": 3}]"))
                .containsExactly("LOG ALLOCATED STEP 1/-1 'gpu.1.memoryAllocatedBytes' 3=77");
    }

    // ---- what is refused, and what is cut

    @Test
    void whatWasWholeIsKept() throws IOException {
        String whole = "[" + EVENT + ", " + EVENT + ", ";
        Content.Figures file = FigureTexts.read(whole + EVENT.substring(0, 300));
        assertThat(file.truncation()).hasMessageContaining("truncated");
        assertThat(FigureTexts.only(file, Quantity.ALLOCATED).size()).isEqualTo(2);
    }

    @Test
    void whatHasNoFiguresIsRefused() {
        assertThatThrownBy(() -> FigureTexts.read(
                        "{\"pin_memory_device\": \"\", \"memory_format\": \"x\", \"function_name\": \"a\"}"))
                .isInstanceOf(ReadException.class)
                .hasMessageContaining("no memory figures");
    }

    @Test
    void anObjectOfEndlessValuesIsRefused() {
        StringBuilder text = new StringBuilder("{\"memory\": 1");
        for (int i = 0; i < 5000; i++) {
            text.append(", \"k").append(i).append("\": 1");
        }
        assertThatThrownBy(() -> FigureTexts.read(text + "}")).hasMessageContaining("more than 4096 values");
    }
}
