package dev.leakline;

import static dev.leakline.PastedTablesTest.bytes;
import static dev.leakline.PastedTablesTest.explain;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.result.Conclusion;
import dev.leakline.result.Conclusion.Part;
import dev.leakline.text.ByteSize;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** What servers print when they start: the parts, and what they come to. */
class StartsInTextsTest {
    @Test
    void aPoolIsSoManyBlocksOfASize() throws IOException {
        Conclusion said = explain("""
                [TM][INFO] [BlockManager] block_size = 2.500 MB
                [TM][INFO] [BlockManager] max_block_count = 1024
                """);
        assertThat(said.sentence()).isEqualTo("LMDeploy allocates at its start, on purpose: KV cache 2.50 GiB");
        assertThat(said.facts().get("kv_cache").parts().getFirst().times()).isEqualTo(1024);
    }

    @Test
    void thePartsThatAServerPrintsAreAdded() throws IOException {
        Conclusion said = explain("""
                llm_load_tensors:      CUDA0 buffer size =  4000.00 MiB
                load_tensors:        CUDA0 model buffer size =  4096.00 MiB
                llama_kv_cache_unified:      CUDA0 KV buffer size =   512.00 MiB
                llama_context:      CUDA0 compute buffer size =   256.00 MiB
                load_tensors:        CUDA1 model buffer size =  3000.00 MiB
                """);
        assertThat(said.verdict()).isEqualTo(Conclusion.Kind.FINE);
        assertThat(said.sentence()).startsWith("llama.cpp allocates at its start, on purpose: weights 4.00 GiB");
        assertThat(bytes(said, "needed")).isEqualTo(4864 * ByteSize.MIB);
        assertThat(said.facts().get("needed").parts())
                .containsExactly(new Part("weights", 1), new Part("kv_cache", 1), new Part("compute", 1));
        assertThat(said.facts().get("weights").line()).isEqualTo(2);
        assertThat(said.advice().getFirst().action())
                .startsWith("Nothing to do")
                .contains("-ngl");
    }

    @Test
    void theLastPrintOfASizeCounts() throws IOException {
        Conclusion said = explain("""
                [10:00:01 TP0] Load weight end. type=LlamaForCausalLM, dtype=torch.bfloat16, avail mem=62.25 GB, mem usage=15.05 GB.
                [10:00:03 TP0] KV Cache is allocated. #tokens: 442893, K size: 27.00 GB, V size: 27.00 GB
                [10:00:04 TP0] Memory pool end. avail mem=8.25 GB
                [10:00:09 TP0] Capture cuda graph end. Time elapsed: 3.71 s. mem usage=0.25 GB. avail mem=8.00 GB.
                """);
        assertThat(said.verdict()).isEqualTo(Conclusion.Kind.FINE);
        assertThat(bytes(said, "kv_cache")).isEqualTo(54 * ByteSize.GIB);
        assertThat(bytes(said, "left")).isEqualTo(8 * ByteSize.GIB);
        assertThat(said.facts().get("left").line()).isEqualTo(4);
        assertThat(said.advice().getFirst().action()).contains("--mem-fraction-static");
    }

    @Test
    void whatARefusalLacksFollowsFromItsSizes() throws IOException {
        Conclusion said = explain("""
                Available KV cache memory: 2.00 GiB
                ValueError: To serve at least one request with the model's max seq len (32000), (3.0 GiB KV cache is needed, which is larger than the available KV cache memory (2.00 GiB).
                """);
        assertThat(said.verdict()).isEqualTo(Conclusion.Kind.STARTUP_REFUSAL);
        assertThat(bytes(said, "missing")).isEqualTo(ByteSize.GIB);
    }
}
