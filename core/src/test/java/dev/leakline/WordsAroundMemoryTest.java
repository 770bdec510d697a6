package dev.leakline;

import static dev.leakline.PastedTablesTest.bytes;
import static dev.leakline.PastedTablesTest.explain;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.result.Conclusion;
import dev.leakline.result.Conclusion.Resource;
import dev.leakline.text.ByteSize;
import java.io.IOException;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What stands around sizes: limits, options, whose memory it is, and how memory that does not grow goes on. */
class WordsAroundMemoryTest {
    @Test
    void aRefusalForSystemMemoryIsAboutTheHost() throws IOException {
        Conclusion said = explain("Error: model requires more system memory (21.5 GiB) than is available (14.2 GiB)");
        assertThat(said.verdict()).isEqualTo(Conclusion.Kind.STARTUP_REFUSAL);
        assertThat(said.resource()).isEqualTo(Resource.HOST);
        assertThat(said.facts()).containsOnlyKeys("requested", "free", "missing");
    }

    @Test
    void anAllocatorOfTensorFlowIsNotJaxsAndItsStatisticsAreRead() throws IOException {
        Conclusion said = explain("""
                W external/local_xla/xla/tsl/framework/bfc_allocator.cc:497] Allocator (GPU_0_bfc) ran out of memory trying to allocate 2.00GiB (rounded to 2147483648)requested by op Conv
                I external/local_xla/xla/tsl/framework/bfc_allocator.cc:1103] Total bytes in pool: 8589934592 memory_limit_: 8589934592 available bytes: 0 curr_region_allocation_bytes_: 17179869184
                I external/local_xla/xla/tsl/framework/bfc_allocator.cc:1108] Stats:
                Limit:                      8589934592
                InUse:                      7516192768
                """);
        assertThat(said.sentence()).startsWith("TensorFlow");
        assertThat(bytes(said, "allocated")).isEqualTo(7 * ByteSize.GIB);
        assertThat(bytes(said, "limit")).isEqualTo(8 * ByteSize.GIB);
    }

    @Test
    void metalsErrorWithMlxsWordsIsMlxs() throws IOException {
        Conclusion said = explain(
                "RuntimeError: [METAL] Command buffer execution failed: Insufficient Memory (00000008:kIOGPUCommandBufferCallbackErrorOutOfMemory)");
        assertThat(said.sentence()).startsWith("MLX");
        assertThat(said.advice().getFirst().action())
                .contains("iogpu.wired_limit_mb")
                .doesNotContain("-ngl");
    }

    @Test
    void limitsOptionsAndCapacitiesAreNoMemoryInUse() throws IOException {
        Conclusion killed = explain(
                "slurmstepd: error: Detected 1 oom_kill event in StepId=77.0\n#SBATCH --mem=48G --gpus-per-node=2");
        assertThat(killed.facts()).doesNotContainKey("allocated");
        assertThat(bytes(killed, "limit")).isEqualTo(48 * ByteSize.GIB);
        Conclusion full = explain(
                "HIP out of memory. Tried to allocate 300.00 MiB. GPU 0 has a total capacity of 15.00 GiB of which 100.00 MiB is free.\n"
                        + "amdgpu: 65536M of VRAM memory ready");
        assertThat(full.facts()).doesNotContainKey("used");
        Conclusion pinned = explain(
                "RuntimeError: Pin memory thread exited unexpectedly: cudaHostAlloc: out of memory\nMy box has 48 GB RAM.");
        assertThat(pinned.facts()).doesNotContainKey("used");
    }

    @Test
    void anEvaluationThatKeepsItsOutputsIsToldToKeepLess() throws IOException {
        String message =
                "CUDA out of memory. Tried to allocate 4.00 GiB. GPU 0 has a total capacity of 39.50 GiB of which 1.00 GiB is free.";
        Conclusion said = explain("  File \"trainer_pt_utils.py\", line 122, in nested_concat\n" + message);
        assertThat(said.advice().getFirst().action()).contains("preprocess_logits_for_metrics");
        Conclusion training = explain("It fails in the backward pass. I pass compute_metrics.\n" + message);
        assertThat(training.advice().getFirst().action()).doesNotContain("preprocess_logits_for_metrics");
    }

    @Test
    void whatIsSteadyIsToldByItsShape() throws IOException {
        assertThat(steady(i -> 6000)).contains("stays where it is");
        assertThat(steady(i -> Math.min(9000, 3000 + 1000 * i))).contains("warm-up");
        assertThat(steady(i -> 3000 + 400 * (i % 8))).contains("freed again");
    }

    private static String steady(IntUnaryOperator mebibytes) throws IOException {
        Conclusion said = explain(IntStream.range(0, 64)
                .mapToObj(i -> "step " + i + " loss 1.2 allocated_mb=" + mebibytes.applyAsInt(i))
                .collect(Collectors.joining("\n")));
        assertThat(said.verdict()).isEqualTo(Conclusion.Kind.STEADY);
        return said.advice().getFirst().action();
    }

    @Test
    void freeMemoryThatGoesDownIsNoSizeOfAGrowth() throws IOException {
        Conclusion said = explain("""
                "free" went down to 3 GB after an hour of reading shards.
                               total        used        free      shared  buff/cache   available
                Mem:           125Gi        14Gi       3.0Gi       1.0Gi       108Gi       107Gi
                """);
        assertThat(said.verdict()).isEqualTo(Conclusion.Kind.CACHE_NOT_LEAK);
    }
}
