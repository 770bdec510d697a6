package dev.leakline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.profile.GpuMemoryProfiler;
import dev.leakline.profile.GpuMemoryProfiler.Options;
import dev.leakline.profile.MemoryCounters;
import dev.leakline.profile.ProfileFile;
import dev.leakline.profile.ProfileScope;
import dev.leakline.result.Frame;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

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

    @Test
    void stacksAreWrittenAsPythonWritesThem(@TempDir Path folder) throws IOException {
        GpuMemoryProfiler profiler =
                GpuMemoryProfiler.of(() -> MemoryCounters.allocated(1), Options.DEFAULT.withStacks());
        profiler.profile("call", () -> 1);
        Path file = folder.resolve("profile.json");
        ProfileFile.write(file, profiler.results(), List.of());

        String stack = new JsonMapper()
                .readTree(Files.readString(file))
                .at("/results/0/memory_before/stack_trace")
                .asString();
        assertThat(stack.lines().toList().getLast())
                .matches("  File \"ProfileStacksTest.java\", line \\d+, in .*\\.stacksAreWrittenAsPythonWritesThem");
    }
}
