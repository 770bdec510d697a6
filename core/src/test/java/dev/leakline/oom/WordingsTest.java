package dev.leakline.oom;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.read.Formats;
import dev.leakline.result.OutOfMemoryExplanation;
import dev.leakline.result.OutOfMemoryExplanation.Kind;
import dev.leakline.source.Content;
import dev.leakline.source.ReadLimits;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Texts of many programs: what ran out, and what to do. */
class WordingsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "STARTUP_REFUSAL | 0.42 | ValueError: Free memory on device cuda:1 (10.12/23.69 GiB) on startup is less than desired GPU memory utilization (0.9, 21.32 GiB).",
                "STARTUP_REFUSAL | --max-total-tokens | Not enough memory to handle 8192 total tokens with 4096 prefill tokens.",
                "RECOVERED | max_num_seqs | Sequence group 12 is preempted by PreemptionMode.RECOMPUTE mode because there is not enough KV cache space. This can affect it.",
                "DEVICE_OOM | set_memory_growth | W bfc_allocator.cc:419] Allocator (GPU_0_bfc) ran out of memory trying to allocate 2.59GiB (rounded to 2785017856).",
                "DEVICE_OOM | XLA_PYTHON_CLIENT | W external/xla/xla/tsl/framework/bfc_allocator.cc:482] Allocator (GPU_0_bfc) ran out of memory trying to allocate 4.00GiB (rounded to 4294967296)requested by op",
                "DEVICE_OOM | -ngl | ggml_backend_cuda_buffer_type_alloc_buffer: allocating 1104.00 MiB on device 0: cudaMalloc failed: hipErrorOutOfMemory",
                "HOST_OOM | RAM | OOM when allocating tensor with shape[32,512] and type float on /device:CPU:0 by allocator cpu",
                "DEVICE_OOM | jax.checkpoint | Ran out of memory in memory space hbm. Used 21.50G of 15.75G hbm. Exceeded hbm capacity by 5.75G.",
                "LIBRARY_WORKSPACE | per_process_memory_fraction | RuntimeError: CUDA error: CUBLAS_STATUS_NOT_INITIALIZED when calling `cublasCreate(handle)`",
                "PINNED_MEMORY | pin_memory | RuntimeError: CUDA error: out of memory while calling cudaHostAlloc",
                "HOST_OOM | --mem | slurmstepd: error: Job 123 exceeded memory limit (4203004 > 4194304), being killed",
                "HOST_OOM | bsub -M | TERM_MEMLIMIT: job killed after reaching LSF memory usage limit.",
                "HOST_OOM | RAM | MemoryError",
                "HOST_LIMIT | --max-old-space-size | FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory",
                "SHARED_MEMORY | --shm-size | RuntimeError: unable to write to file </torch_4121_99>: No space left on device (28)",
                "KERNEL_RESOURCES | num_stages | OutOfResources: out of resource: shared memory, Required: 163840, Hardware limit: 101376.",
                "DEVICE_OOM_LIMIT | CUPY_GPU_MEMORY_LIMIT | Out of memory allocating 1,024 bytes (allocated so far: 2,048 bytes, limit set to: 2,100 bytes)."
            })
    void everyTextHasItsKindAndItsNextStep(Kind kind, String step, String text) throws IOException {
        List<OutOfMemoryExplanation> found = explain(text);
        assertThat(found).hasSize(1);
        assertThat(found.getFirst().kind()).isEqualTo(kind);
        assertThat(found.getFirst().advice().getFirst().action()).contains(step);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "docs: explain how to avoid CUDA out of memory errors",
                "        raise MemoryError(\"CUDA out of memory\")",
                "WARNING: if you see RuntimeError: CUDA error: out of memory, lower the batch size",
                "Pods that get OOMKilled are restarted",
                "case CUDA_ERROR_OUT_OF_MEMORY: return \"CUDA_ERROR_OUT_OF_MEMORY\";",
                "CUBLAS_STATUS_ALLOC_FAILED = 3,",
                "The error RESOURCE_EXHAUSTED: Out of memory means that the device is full.",
                "See https://example.org/cuda-runtime-error-2-out-of-memory"
            })
    void whatIsOnlySpokenOfIsNone(String text) throws IOException {
        assertThat(explain(text)).isEmpty();
    }

    /** A number in bytes without a unit that goes on over the end of a line, or was cut, is unknown. */
    @ParameterizedTest
    @ValueSource(strings = {"83886...", "83886\n08000\n"})
    void aNumberThatMayGoOnIsUnknown(String number) throws IOException {
        String head = "Failed to allocate memory for requested buffer of size ";
        assertThat(explain(head + number).getFirst().sizes()).isEmpty();
        assertThat(explain(head + "83886\n2026-11-22 00:00:01 step 3")
                        .getFirst()
                        .sizes())
                .containsKey("requested");
    }

    @Test
    void everyWordingHasAdvice() throws IOException {
        try (var file = Objects.requireNonNull(Formats.class.getResourceAsStream("log/wordings.txt"))) {
            String rows = new String(file.readAllBytes(), StandardCharsets.UTF_8);
            List<String> names = rows.lines()
                    .filter(line ->
                            line.matches("(becomes )?[a-z]+_[a-z_]+ [a-z0-9]+\\.[a-z0-9-]+.* : .*|recovered .*"))
                    .map(line -> line.replaceFirst("^becomes ", "").split("[ ?]+", 3)[1])
                    .toList();
            assertThat(names).hasSizeGreaterThan(300);
            assertThat(AdviceBook.ALL.names()).containsAll(names);
        }
    }

    private static List<OutOfMemoryExplanation> explain(String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        Content.Figures log = (Content.Figures)
                new Formats(ReadLimits.DEFAULT, _ -> {}).read(() -> new ByteArrayInputStream(bytes), true);
        return MessageExplainer.explain(List.of(Objects.requireNonNull(log.messages())), List.of());
    }
}
