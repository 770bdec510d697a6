package dev.leakline;

import static dev.leakline.PastedTablesTest.bytes;
import static dev.leakline.PastedTablesTest.explain;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.result.Conclusion;
import dev.leakline.text.ByteSize;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** What programs print is told by the program's own meaning: whose message it is, what its sizes are, and the setting that helps. */
class ProgramsInTextsTest {
    @Test
    void anAllocatorOfJaxIsToldFromTensorFlowsByItsPath() throws IOException {
        String failed =
                "failed to allocate 11.25GiB (12079595520 bytes) from device: RESOURCE_EXHAUSTED: : CUDA_ERROR_OUT_OF_MEMORY: out of memory";
        Conclusion jax = explain("E external/xla/xla/stream_executor/cuda/cuda_executor.cc:901] " + failed);
        assertThat(jax.advice().getFirst().action()).contains("XLA_PYTHON_CLIENT_PREALLOCATE");
        Conclusion tensorFlow = explain("E external/local_xla/xla/stream_executor/cuda/cuda_driver.cc:1069] " + failed);
        assertThat(tensorFlow.sentence()).startsWith("TensorFlow");
    }

    @Test
    void aSecondProcessOfJaxIsNotToldToStopTheFirst() throws IOException {
        Conclusion said = explain("""
                E external/xla/xla/stream_executor/cuda/cuda_driver.cc:1069] failed to allocate 8.00GiB (8589934592 bytes) from device: CUDA_ERROR_OUT_OF_MEMORY: out of memory
                jax 0.4.35
                Memory usage: 20971520 bytes free, 17179869184 bytes total.
                pid, process_name, used_gpu_memory [MiB]
                811, python, 12000 MiB
                902, python, 3000 MiB
                """);
        assertThat(said.advice().getFirst().action()).contains("PREALLOCATE");
        assertThat(bytes(said, "held_by_others")).isEqualTo(12000 * ByteSize.MIB);
        assertThat(bytes(said, "free")).isEqualTo(20 * ByteSize.MIB);
        assertThat(said.facts()).doesNotContainKey("allocated");
    }

    @Test
    void theKeyValueCacheOfLlamaIsNotItsWeights() throws IOException {
        String failed = """
                ggml_backend_cuda_buffer_type_alloc_buffer: allocating 8192.00 MiB on device 0: cudaMalloc failed: out of memory
                alloc_tensor_range: failed to allocate CUDA0 buffer of size 8589934592
                """;
        Conclusion cache = explain(failed
                + "llama_init_from_model: failed to initialize the context: failed to allocate buffer for kv cache");
        assertThat(cache.advice().getFirst().action()).contains("-c ").doesNotContain("-ngl");
        assertThat(bytes(cache, "requested")).isEqualTo(8 * ByteSize.GIB);
        Conclusion weights = explain(failed + "llama_model_load: error loading model: unable to allocate CUDA0 buffer");
        assertThat(weights.advice().getFirst().action()).contains("-ngl");
    }

    @Test
    void aModelThatIsPartlyOnTheCpuIsSlowAndNoError() throws IOException {
        Conclusion said = explain("load_tensors: offloaded 21/49 layers to GPU\nWhy is it so slow?");
        assertThat(said.sentence()).contains("21 of 49 layers", "slow and no error");
        assertThat(explain("load_tensors: offloaded 49/49 layers to GPU").sentence())
                .doesNotContain("slow");
    }

    @Test
    void estimatesOfWhatAModelNeedsAreNoMemoryInUse() throws IOException {
        Conclusion said = explain(
                "msg=offload layers.model=49 layers.offload=21 memory.available=\"[7.0 GiB]\" memory.required.full=\"12.5 GiB\" memory.weights.total=\"9.0 GiB\" memory.graph.full=\"1.2 GiB\"");
        assertThat(said.facts()).doesNotContainKeys("used", "allocated");
        assertThat(bytes(said, "available")).isEqualTo(7 * ByteSize.GIB);
        assertThat(bytes(said, "needed")).isEqualTo(Math.round(12.5 * ByteSize.GIB));
    }

    @Test
    void aPoolThatAServerTakesAtItsStartIsNoLeak() throws IOException {
        Conclusion said = explain(
                "Is it a leak?\n[TensorRT-LLM][INFO] [MemUsageChange] Allocated 20.50 GiB for max tokens in paged KV cache (128000).");
        assertThat(said.verdict()).isEqualTo(Conclusion.Kind.FINE);
        assertThat(said.sentence()).startsWith("TensorRT-LLM allocates at its start, on purpose: KV cache 20.5 GiB");
        assertThat(said.advice().getFirst().action()).contains("kv_cache_free_gpu_memory_fraction");
    }

    @Test
    void aServersOwnRefusalAdvisesBeforeTheErrorInIt() throws IOException {
        Conclusion said = explain("""
                torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 900.00 MiB. GPU 0 has a total capacity of 21.99 GiB of which 500.00 MiB is free.
                RuntimeError: Not enough memory to handle 16384 prefill tokens. You need to decrease `--max-batch-prefill-tokens`
                """);
        assertThat(said.advice().getFirst().action()).contains("--max-batch-prefill-tokens");
    }

    @Test
    void framesOfADecoderCallForTiles() throws IOException {
        String message =
                "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 6.00 GiB. GPU 0 has a total capacity of 11.00 GiB of which 2.00 GiB is free.";
        Conclusion said = explain(
                "  File \"/x/site-packages/diffusers/models/autoencoders/autoencoder_kl.py\", line 303, in decode\n"
                        + message);
        assertThat(said.advice().getFirst().action()).contains("enable_vae_tiling");
        assertThat(explain("Arguments: main.py --highvram\n" + message)
                        .advice()
                        .getFirst()
                        .action())
                .contains("without --highvram");
    }

    @Test
    void retriesAndPiecesAreFragmentationThoughNothingFailed() throws IOException {
        Conclusion said = explain("""
                OrderedDict([('allocated_bytes.all.current', 10737418240),
                             ('inactive_split_bytes.all.current', 8589934592),
                             ('num_alloc_retries', 31),
                             ('num_ooms', 0),
                             ('reserved_bytes.all.current', 21474836480)])
                """);
        assertThat(said.sentence()).contains("8.00 GiB of the 20.0 GiB", "31 times", "fragmentation");
        assertThat(said.advice().getFirst().action()).contains("expandable_segments");
    }

    @Test
    void ownRanksOnDeviceZeroAreNoStrangers() throws IOException {
        StringBuilder list = new StringBuilder("pid, process_name, used_gpu_memory [MiB], gpu_index\n");
        String head = """
                | Processes:                                                                            |
                |  GPU   GI   CI        PID   Type   Process name                            GPU Memory |
                |=======================================================================================|
                |    0   N/A  N/A       101      C   python                                   20000MiB |
                |    0   N/A  N/A       102      C   python                                    1500MiB |
                |    0   N/A  N/A       103      C   python                                    1500MiB |
                |    1   N/A  N/A       102      C   python                                   20000MiB |
                |    2   N/A  N/A       103      C   python                                   20000MiB |
                +---------------------------------------------------------------------------------------+
                """;
        Conclusion said = explain(list.append(head).toString());
        assertThat(said.sentence()).contains("2 processes that work on other devices");
        assertThat(said.advice().getFirst().action()).contains("set_device", "map_location");
    }

    @Test
    void whatAMachineHasIsNoMemoryInUse() throws IOException {
        Conclusion said = explain("""
                The memory on the GPU is at 14 GB in epoch 1. Card has 24 GB. RAM 256 GB.
                I have another one with a 48 GB card. How can a GPU with 15 GB fail?
                """);
        assertThat(said.facts().values()).noneMatch(fact -> fact.bytes() >= 15 * ByteSize.GIB && fact.line() == 0);
    }

    @Test
    void settingsOfAContainerAreNoMeasurements() throws IOException {
        Conclusion said = explain(
                "Limits:\n  cpu: 4\n  memory: 8Gi\nRequests:\n  memory: 4Gi\nState: Running\nIs my memory fine?");
        assertThat(said.facts()).doesNotContainKey("allocated");
    }

    @Test
    void theBarOfLoadingShardsIsNoProgressOfSteps() throws IOException {
        Conclusion said = explain("""
                [08:14:22] Load weight begin. avail mem=40.00 GB
                Loading safetensors checkpoint shards: 100% Completed | 4/4 [00:09<00:00,  1.74it/s]
                [08:14:32] Load weight end. avail mem=11.00 GB
                RuntimeError: Not enough memory. Please try to increase --mem-fraction-static.
                """);
        assertThat(bytes(said, "available")).isEqualTo(11 * ByteSize.GIB);
    }

    @Test
    void tensorsOfTensorFlowsOwnProgramCallForASmallerBatch() throws IOException {
        Conclusion said = explain("""
                Allocator (GPU_0_bfc) ran out of memory trying to allocate 1.00GiB (rounded to 1073741824)requested by op Conv
                Sum Total of in-use chunks: 6.50GiB
                """);
        assertThat(said.advice().getFirst().action()).contains("smaller batch");
    }

    private static final String TACTICS = """
            [W] [TRT] Requested amount of GPU memory (8589934592 bytes) could not be allocated. There may not be enough free memory for allocation to succeed.
            [W] [TRT] Tactic Device request: 8192MB Available: 5120MB. Device memory is insufficient to use tactic.
            """;

    @Test
    void anEngineThatWasBuiltWithoutSomeTacticsIsNoFailure() throws IOException {
        Conclusion said = explain(TACTICS + "[I] Engine built in 101.2 sec.\n&&&& PASSED TensorRT.trtexec\n");
        assertThat(said.verdict()).isEqualTo(Conclusion.Kind.RECOVERED);
        assertThat(said.advice().getFirst().action()).startsWith("Nothing");
        assertThat(explain(TACTICS + "[E] Engine could not be created from network\n")
                        .verdict())
                .isEqualTo(Conclusion.Kind.DEVICE_OOM);
    }

    @Test
    void aLimitOfOneAllocationIsNotTheSizeOfTheDevice() throws IOException {
        Conclusion said = explain(
                "RuntimeError: Current platform can NOT allocate memory block with size larger than 4GB! Tried to allocate 4.50 GiB"
                        + " (GPU  0; 15.91 GiB total capacity; 2.00 GiB already allocated; 2.50 GiB reserved in total by PyTorch)");
        assertThat(said.verdict()).isEqualTo(Conclusion.Kind.DEVICE_OOM_REQUEST_TOO_BIG);
        assertThat(said.advice().getFirst().action()).contains("below that limit");
        assertThat(said.advice()).noneMatch(step -> step.action().contains("larger than the device"));
    }
}
