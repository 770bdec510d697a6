package dev.leakline.djl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ai.djl.engine.Engine;
import ai.djl.ndarray.NDManager;
import dev.leakline.profile.CallSummary;
import dev.leakline.profile.GpuMemoryProfiler;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class UnclosedArraysTest {
    private static final long MIB = 1 << 20;
    /** What the C library adds to a block, and small things beside it. */
    private static final double SLACK = MIB / 4.0;

    @BeforeEach
    void hasPyTorch() {
        assumeTrue(Engine.hasEngine("PyTorch"), "PyTorch for the JVM is not there: build with -Pdjl");
    }

    @Test
    void theCallsThatLeakAreNamedWithWhatTheyKeep() throws Exception {
        try (NDManager service = NDManager.newBaseManager()) {
            UnclosedArrays example = new UnclosedArrays(service);
            List<String> lines = example.run();

            assertThat(perCall(example.arrays(), "embed")).isEqualTo(4.0 * MIB);
            assertThat(perCall(example.arrays(), "score")).isZero();
            assertThat(perCall(example.arrays(), "remember")).isZero();
            assertThat(typical(example.heap(), "embed")).isCloseTo(4.0 * MIB, within(SLACK));
            assertThat(typical(example.heap(), "remember")).isCloseTo(2.0 * MIB, within(SLACK));
            assertThat(typical(example.heap(), "score")).isCloseTo(0, within(SLACK));
            assertThat(lines.get(3)).startsWith("   +4.00 MiB   +80.0 MiB").endsWith("embed");
        }
    }

    @Test
    void otherThreadsAreRefusedAndTheirCallsUnharmed() throws Exception {
        try (NDManager manager = NDManager.newBaseManager()) {
            GpuMemoryProfiler profiler = GpuMemoryProfiler.of(DjlMemory.of(manager));
            Thread other = Thread.ofPlatform().start(() -> profiler.profile("other", () -> 1));
            assertThat(other.join(Duration.ofMinutes(1))).isTrue();

            assertThat(profiler.results().getFirst().isMeasured()).isFalse();
            assertThat(profiler.summary().lastFailure()).contains("profile other threads by a source of their own");
        }
    }

    private static double perCall(GpuMemoryProfiler profiler, String name) {
        return profiler.summary().calls().stream()
                .filter(call -> call.name().equals(name))
                .mapToDouble(CallSummary::ownGrowthPerCall)
                .findFirst()
                .orElseThrow();
    }

    /** The median: in some calls the JVM's compiler takes or gives back memory of its own. */
    private static double typical(GpuMemoryProfiler profiler, String name) {
        long[] sorted = profiler.results().stream()
                .filter(result -> result.name().equals(name))
                .mapToLong(result -> result.growth().orElseThrow())
                .sorted()
                .toArray();
        return sorted[sorted.length / 2];
    }
}
