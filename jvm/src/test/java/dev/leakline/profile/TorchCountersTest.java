package dev.leakline.profile;

import static dev.leakline.profile.SimulatedDevice.MIB;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The real allocator's counters, which are a single one for all calls: PyTorch on a GPU or a stand-in for one. */
class TorchCountersTest {
    @Test
    void nestedCallsHaveTheirOwnPeaks() throws Exception {
        try (TorchProcess torch = TorchProcess.start()) {
            torch.allocate("model", 50 * MIB);
            GpuMemoryProfiler profiler = GpuMemoryProfiler.of(torch);
            profiler.profile("outer", () -> {
                touch(torch, 200 * MIB);
                profiler.profile("inner", () -> {
                    touch(torch, 30 * MIB);
                    torch.allocate("kept", 6 * MIB);
                    return 0;
                });
                touch(torch, 90 * MIB);
                profiler.profile("last", () -> 0);
                return 0;
            });

            assertThat(profiler.results()).extracting(ProfileResult::name).containsExactly("inner", "last", "outer");
            assertThat(profiler.results())
                    .extracting(ProfileResult::peak)
                    .containsExactly(
                            new MemoryPeak(80 * MIB, 250 * MIB, true),
                            new MemoryPeak(56 * MIB, 250 * MIB, true),
                            new MemoryPeak(250 * MIB, 250 * MIB, true));
            assertThat(profiler.results())
                    .extracting(result -> result.ownGrowth().getAsLong() / MIB)
                    .containsExactly(6L, 0L, 0L);
        }
    }

    @Test
    void aMonitorSeesWhatComesAndGoesBetweenItsSamples() throws Exception {
        try (TorchProcess torch = TorchProcess.start()) {
            GpuMemoryProfiler profiler = GpuMemoryProfiler.of(torch);
            MemoryMonitor monitor = profiler.monitor(Duration.ofHours(1));
            touch(torch, 40 * MIB);
            profiler.profile("call", () -> {
                touch(torch, 20 * MIB);
                return 0;
            });
            monitor.close();

            assertThat(profiler.results().getFirst().peak().used()).isEqualTo(20 * MIB);
            assertThat(monitor.samples().getLast().peak().used()).isEqualTo(40 * MIB);
        }
    }

    private static void touch(TorchProcess torch, long bytes) {
        torch.allocate("transient", bytes);
        torch.free("transient");
    }
}
