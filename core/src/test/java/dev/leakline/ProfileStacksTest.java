package dev.leakline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.profile.GpuMemoryProfiler;
import dev.leakline.profile.GpuMemoryProfiler.Options;
import dev.leakline.profile.MemoryCounters;
import dev.leakline.profile.ProfileScope;
import dev.leakline.result.Frame;
import org.junit.jupiter.api.Test;

/** Seen from outside of the profiler's package, whose own frames nobody wants to see. */
class ProfileStacksTest {
    @Test
    void stacksBeginWithWhoCalledTheProfiler() {
        GpuMemoryProfiler profiler =
                GpuMemoryProfiler.of(() -> MemoryCounters.allocated(1), Options.DEFAULT.withStacks());
        profiler.profile("call", () -> 1);
        try (ProfileScope _ = profiler.open("scope")) {
            assertThat(profiler.results()).hasSize(1);
        }

        assertThat(profiler.results()).hasSize(2).allSatisfy(result -> {
            Frame caller = result.stack().getFirst();
            assertThat(caller.function()).isEqualTo(getClass().getName() + ".stacksBeginWithWhoCalledTheProfiler");
            assertThat(caller.file()).isEqualTo("ProfileStacksTest.java");
            assertThat(caller.line()).isPositive();
        });
    }
}
