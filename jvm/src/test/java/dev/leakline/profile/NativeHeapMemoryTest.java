package dev.leakline.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import org.junit.jupiter.api.Test;

class NativeHeapMemoryTest {
    private static final long SIZE = 77_777_777;
    /** What the JVM's compiler may take or give back meanwhile. */
    private static final long NOISE = 32 << 20;

    @Test
    void whatNativeCodeTakesAndGivesBackIsSeen() throws IOException {
        assumeTrue(Linker.nativeLinker().defaultLookup().find("mallinfo2").isPresent(), "needs glibc 2.33");
        GpuMemoryProfiler profiler = GpuMemoryProfiler.of(NativeHeapMemory.open());
        Arena arena = Arena.ofShared();
        profiler.profile("take", () -> arena.allocate(SIZE));
        profiler.profile("give", () -> {
            arena.close();
            return 0;
        });

        assertThat(growth(profiler, 0)).isCloseTo(SIZE, within(NOISE));
        assertThat(growth(profiler, 1)).isCloseTo(-SIZE, within(NOISE));
        assertThat(profiler.results().getFirst().device()).isEqualTo(-1);
        assertThat(profiler.results().getFirst().peak().isExact()).isFalse();
        MemoryCounters now = profiler.summary().last();
        assertThat(now.reserved()).isGreaterThanOrEqualTo(now.allocated());
    }

    private static long growth(GpuMemoryProfiler profiler, int result) {
        return profiler.results().get(result).growth().orElseThrow();
    }
}
