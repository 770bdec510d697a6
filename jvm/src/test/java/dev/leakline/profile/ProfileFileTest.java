package dev.leakline.profile;

import static dev.leakline.profile.SimulatedDevice.MIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ProfileFileTest {
    private final SimulatedDevice device = new SimulatedDevice();
    private final GpuMemoryProfiler profiler = GpuMemoryProfiler.of(device);

    @TempDir
    private Path folder;

    /** The names that gpumemprof gives them. */
    @Test
    void resultsAndSamplesAreWrittenAsOthersWriteThem() throws IOException {
        MemoryMonitor monitor = profiler.monitor(Duration.ofHours(1));
        profiler.profile("leak \"é\"", () -> {
            device.touch(33 * MIB);
            device.allocate(5 * MIB);
            return 0;
        });
        monitor.close();
        JsonNode json = written(monitor.samples());

        assertThat(json.propertyNames()).containsExactly("results", "snapshots");
        JsonNode call = json.get("results").get(0);
        assertThat(call.propertyNames())
                .containsExactly(
                        "function_name",
                        "execution_time",
                        "memory_before",
                        "memory_after",
                        "memory_peak",
                        "memory_allocated",
                        "memory_freed",
                        "memory_diff",
                        "peak_memory_usage",
                        "tensors_created",
                        "tensors_deleted",
                        "call_count");
        assertThat(call.get("function_name").asString()).isEqualTo("leak \"é\"");
        assertThat(call.get("memory_diff").asLong()).isEqualTo(5 * MIB);
        assertThat(call.get("peak_memory_usage").asLong()).isEqualTo(33 * MIB);
        assertThat(call.at("/memory_after/allocated_memory").asLong()).isEqualTo(5 * MIB);
        assertThat(call.at("/memory_after/reserved_memory").asLong()).isEqualTo(40 * MIB);
        assertThat(json.get("snapshots")).hasSize(2);
        assertThat(json.get("snapshots").get(1).propertyNames())
                .containsExactly(
                        "timestamp",
                        "allocated_memory",
                        "reserved_memory",
                        "max_memory_allocated",
                        "max_memory_reserved",
                        "active_memory",
                        "inactive_memory",
                        "cpu_memory",
                        "device_id",
                        "operation",
                        "stack_trace");
        assertThat(json.at("/snapshots/1/allocated_memory").asLong()).isEqualTo(5 * MIB);
        assertThat(json.at("/snapshots/1/max_memory_allocated").asLong()).isEqualTo(33 * MIB);
        assertThat(json.at("/snapshots/1/operation").asString()).isEqualTo("monitor");
    }

    @Test
    void aFileTakesThePlaceOfTheOneBeforeAndNothingIsLeftBeside() throws IOException {
        written(List.of());
        profiler.profile("call", () -> 1);
        assertThat(written(List.of()).get("results")).hasSize(1);

        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).hasSize(1);
        }
    }

    @Test
    void whatCannotBeWrittenIsAnError() {
        Path nowhere = folder.resolve("missing/profile.json");
        assertThatThrownBy(() -> ProfileFile.write(nowhere, profiler.results(), List.of()))
                .isInstanceOf(NoSuchFileException.class);
    }

    private JsonNode written(List<MemorySample> samples) throws IOException {
        Path file = folder.resolve("profile.json");
        ProfileFile.write(file, profiler.results(), samples);
        return new JsonMapper().readTree(Files.readString(file));
    }
}
