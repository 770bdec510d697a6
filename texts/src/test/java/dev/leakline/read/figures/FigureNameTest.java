package dev.leakline.read.figures;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.columns.MemorySeries.Quantity;
import dev.leakline.read.terms.FigureName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FigureNameTest {
    @ParameterizedTest
    @CsvSource({
        "memory_allocated, ALLOCATED, 0",
        "allocator_allocated_bytes, ALLOCATED, 1",
        "MaxMemAllocated, PEAK_ALLOCATED, 0",
        "max_memory_reserved, PEAK_RESERVED, 0",
        "GPUMemReservedMB, RESERVED, 1048576",
        "memory_mb, ALLOCATED, 1048576",
        "inactive_memory, INACTIVE_SPLIT, 0",
        "device_used_bytes, DEVICE_USED, 1",
        "device_total_bytes, DEVICE_TOTAL, 1",
        "memory.used [MiB], DEVICE_USED, 1048576",
        "memory.free, DEVICE_FREE, 0",
        "used_gpu_memory [MiB], PROCESS_USED, 1048576",
        "memory/max_mem_active(gib), PEAK_ALLOCATED, 1073741824",
        "perf/cpu_memory_used_gb, HOST_USED, 1073741824",
        "allocated_bytes.all.current, ALLOCATED, 1",
        "train/reserved_bytes.all.peak, PEAK_RESERVED, 1",
        "requested_bytes.all.current, REQUESTED, 1",
        "num_alloc_retries, RETRIES, 1",
        "gb_free, DEVICE_FREE, 1073741824",
        "resv GiB, RESERVED, 1073741824",
        "rss_mb, HOST_USED, 1048576",
        "rss (GB), HOST_USED, 1073741824",
        "gpu_gb, ALLOCATED, 1073741824",
        "cuda [MiB], ALLOCATED, 1048576",
        "host_gib, HOST_USED, 1073741824"
    })
    void names(String name, Quantity quantity, long unit) {
        FigureName found = FigureName.of(name);
        assertThat(found).isNotNull();
        assertThat(found.quantity()).isEqualTo(quantity);
        assertThat(found.unit()).isEqualTo(unit);
        assertThat(found.isSure()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"total_bytes", "peak_bytes", "free", "cached", "max"})
    void namesThatMayBeAboutAnything(String name) {
        assertThat(FigureName.of(name)).isNotNull();
        assertThat(FigureName.isSure(name)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "loss",
                "memory_format",
                "pin_memory",
                "gpu_memory_utilization",
                "utilization.memory [%]",
                "memory [%]",
                "memory_change",
                "memory_limit_mb",
                "total_memory_allocated",
                "allocated_bytes.small_pool.current",
                "allocated_bytes.all.freed",
                "active.all.current",
                "gpu.0.memoryAllocated",
                "memory.reserved [MiB]",
                "temperature.memory",
                "clocks.mem",
                "gpu_mb_per_s",
                "cuda_leaked_mb"
            })
    void otherNames(String name) {
        assertThat(FigureName.of(name)).isNull();
    }

    @Test
    void devicesInNames() {
        assertThat(FigureName.of("gpu.3.memoryAllocatedBytes").device()).isEqualTo(3);
        assertThat(FigureName.of("gpu_id: 0/memory.used (MB)").device()).isEqualTo(-1);
        assertThat(FigureName.of("cuda:12 mem").device()).isEqualTo(12);
        assertThat(FigureName.of("memory").device()).isEqualTo(-1);
    }

    @Test
    void aLongNameIsNone() {
        assertThat(FigureName.of("memory".repeat(1000))).isNull();
    }
}
