package dev.leakline;

import static dev.leakline.PastedTablesTest.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.result.AnalysisResult;
import dev.leakline.result.Conclusion;
import dev.leakline.result.Conclusion.Resource;
import dev.leakline.result.Conclusion.Unknown;
import dev.leakline.text.ByteSize;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What texts tell by comparing: two versions, ranks, phases of a cycle, places of a heap, need and device. */
class ComparedTextsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "Is this a regression? 3.5 GB with 1.4.2 and 9.5 GB with 1.5.0. ~ 3.50 GiB with 1.4.2, 9.50 GiB with 1.5.0",
                "VRAM before the update: 8 GB, after the update: 14 GB ~ 8.00 GiB with the old version, 14.0 GiB with the new version",
                "The new version needs more.\\n| version | load | peak |\\n|---|---|---|\\n| 0.9.2 | 5.1 GB | 11.2 GB |\\n| 0.10.0 | 5.1 GB | 19.8 GB | ~ peak 11.2 GiB with 0.9.2, 19.8 GiB with 0.10.0",
                "New release, more VRAM:\\n| | 1.7.0 | 1.8.0 |\\n|---|---|---|\\n| idle | 3.2 GB | 3.3 GB |\\n| first image | 9.1 GB | 14.7 GB | ~ first image 9.10 GiB with 1.7.0, 14.7 GiB with 1.8.0",
                "More memory after upgrading. torch 2.5.1:\\n- weights: 14.9 GiB\\n- after sleep: 1.2 GiB\\n\\ntorch 2.6.0:\\n- weights: 14.9 GiB\\n- after sleep: 9.8 GiB ~ after sleep 1.20 GiB with 2.5.1, 9.80 GiB with 2.6.0"
            })
    void theNewerOfTwoVersionsHoldsMore(String text, String compared) throws IOException {
        Conclusion conclusion = explain(text.replace("\\n", "\n"));
        assertThat(conclusion.verdict()).isEqualTo(Conclusion.REGRESSION);
        assertThat(conclusion.sentence()).endsWith(compared);
        assertThat(step(conclusion)).contains("leakline diff");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Since the update: with gpu_memory_utilization 0.8 it is 16 GB, with 0.9 it is 20 GB.",
                "It takes 3.5 GB with batch 1.5 and 9.5 GB with 2.5.",
                "After the update it is better: 9.5 GB with 1.4 and 3.5 GB with 1.5.",
                "After upgrading, 9.4 GB with 1.4 and 9.5 GB with 1.5."
            })
    void settingsAndSmallDifferencesAreNoRegression(String text) throws IOException {
        assertThat(explain(text).verdict()).isNotEqualTo(Conclusion.REGRESSION);
    }

    @Test
    void ranksThatHoldMoreAreNamed() throws IOException {
        Conclusion odd =
                explain("Memory of our job:\nrank 0: 31.2 GB\nrank 1: 22.1 GB\nrank 2: 22.0 GB\nrank 3: 22.1 GB\nWhy?");
        assertThat(odd.sentence()).isEqualTo("rank 0 holds 31.2 GiB, the others 22.0 GiB to 22.1 GiB");
        assertThat(step(odd)).contains("leakline ranks");
        Conclusion grows = explain(
                "RAM at step 0 and 500: node 1: 40 GB -> 41 GB, node 2: 40 GB -> 90 GB, node 3: 41 GB -> 42 GB");
        assertThat(grows.verdict()).isEqualTo(Conclusion.GROWS);
        assertThat(grows.sentence()).endsWith("node 2 rises by 50.0 GiB, the others by 1.00 GiB");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "rank 0: 22.2 GB\nrank 1: 22.1 GB\nrank 2: 22.0 GB\nrank 3: 22.1 GB",
                "gpu 0: 31 GB, gpu 1: 22 GB",
                "gpu 0: 10 GB, gpu 1: 16 GB, gpu 2: 22 GB, gpu 3: 28 GB"
            })
    void ranksThatAreAlikeOrAllDifferentAreNotOdd(String text) throws IOException {
        assertThat(explain(text).sentence()).doesNotContain("the others");
    }

    @Test
    void phasesThatComeBackAreSteady() throws IOException {
        String cycle =
                "[step %d] Before generate: 20.1 GB / 79.1 GB\n[step %<d] After generate: 61.0 GB / 79.1 GB\n[step %<d] After offload: %s GB / 79.1 GB\n";
        Conclusion steady = explain(cycle.formatted(1, "20.2") + cycle.formatted(2, "20.2"));
        assertThat(steady.verdict()).isEqualTo(Conclusion.STEADY);
        assertThat(steady.sentence()).contains("comes back: 61.0 GiB (after generate) become 20.2 GiB (after offload)");
        assertThat(steady.unknown()).contains(Unknown.GROWTH);
        assertThat(explain(cycle.formatted(1, "20.2") + cycle.formatted(2, "38.9"))
                        .sentence())
                .doesNotContain("comes back");
    }

    @Test
    void aHeapProfileSaysWhoAllocatedMost() throws IOException {
        Conclusion go = explain(
                "Showing nodes accounting for 1.90GB, 95% of 2GB total\n      flat  flat%   sum%        cum   cum%\n    1.50GB 75.00% 75.00%     1.50GB 75.00%  cache.(*Store).Put\n    0.40GB 20.00% 95.00%     0.40GB 20.00%  bytes.makeSlice");
        assertThat(go.resource()).isEqualTo(Resource.HOST);
        assertThat(go.sentence())
                .isEqualTo("1.50 GiB of the 2.00 GiB in the heap profile were allocated by cache.(*Store).Put");
        Conclusion python = explain(
                "tracemalloc says\n/app/server.py:88: size=1843 MiB, count=20001, average=94.4 KiB\n/app/b.py:3: size=40.1 MiB, count=401233, average=105 B");
        assertThat(python.sentence()).endsWith("were allocated by /app/server.py:88");
    }

    @Test
    void theNeedOfATrainingIsComputedWhereAllOfItIsTrained() throws IOException {
        String text =
                "Fine-tuning Llama-3-8B with Trainer, batch_size=2, max_length=4096: why is one A100 80GB not enough?";
        Conclusion need = explain(text);
        assertThat(need.sentence())
                .contains("8,000 million parameters take 119 GiB", "8,192 tokens 3.91 GiB", "80.0 GiB");
        assertThat(step(need)).contains("LoRA");
        assertThat(explain(text.replace("Trainer", "Trainer and LoRA")).sentence())
                .doesNotContain("parameters take");
    }

    @Test
    void whatIsLeftLastsForSoManyMore() throws IOException {
        assertThat(explain("On my RTX 3090 (24 GB) VRAM went from 14 GB to 17 GB over 300 steps.")
                        .sentence())
                .contains("by 10.2 MiB each step", "7.00 GiB of 24.0 GiB are left, full after 700 steps more");
        assertThat(explain("The pod (memory limit 32Gi): RSS goes from 6 GB to 11 GB over 5 hours.")
                        .sentence())
                .contains("by 1.00 GiB each hour", "21.0 GiB of 32.0 GiB are left, full after 21 hours more");
    }

    @Test
    void growthOverStepsIsGrowthWhateverVersionsAreCompared() throws IOException {
        Conclusion conclusion =
                explain("Since the last update this happens.\nVRAM climbs from 8 GB to 16 GB over 2000 steps.");
        assertThat(conclusion.verdict()).isEqualTo(Conclusion.GROWS);
        assertThat(conclusion.facts().get("growth_per_step").bytes()).isEqualTo(Math.round(8.0 * ByteSize.GIB / 2000));
    }

    @Test
    void aSizeWithoutUnitHasThatOfTheMonitorOrNone() throws IOException {
        Conclusion smi = explain("nvidia-smi goes from 26000 to 38000 in an hour, is that a leak?");
        assertThat(smi.facts().get("growth_total").bytes()).isEqualTo(12000 * ByteSize.MIB);
        Conclusion unknown = explain("GPU memory 26000 -> 38000 after a while, is that a leak?");
        assertThat(unknown.verdict()).isEqualTo(Conclusion.UNDETERMINED);
        assertThat(unknown.sentence()).isEqualTo("the text does not say the unit of 26000 -> 38000");
        assertThat(unknown.facts()).isEmpty();
    }

    @Test
    void whatSomebodySaysIsFreeIsNotUsed() throws IOException {
        Conclusion doubted =
                explain("CUDA out of memory: it tried to allocate 2 GiB although 9 GiB are free of the 24 GiB, why?");
        assertThat(doubted.verdict()).isEqualTo("device_oom_but_free");
        assertThat(doubted.facts().keySet()).containsExactlyInAnyOrder("requested", "free", "total");
        assertThat(explain("nvidia-smi shows 20 GB free.").facts()).doesNotContainKey("used");
    }

    @Test
    void aChangeThatIsKnownOfAVersionComesFirst() throws IOException {
        String text = "vllm serve is out of memory on the GPU since upgrading from %s to %s";
        assertThat(step(explain(text.formatted("0.7.2", "0.8.4")))).contains("--max-num-seqs 256");
        assertThat(step(explain(text.formatted("0.8.2", "0.8.4")))).contains("leakline diff");
    }

    @Test
    void whatWasTriedIsNotAdvisedAgain() throws IOException {
        String tried = "How do I free the VRAM?\n```python\ndel model\ngc.collect()\ntorch.cuda.empty_cache()\n```";
        assertThat(step(explain(tried))).contains("memory_allocated()");
        assertThat(step(explain(tried.replace("gc.collect()\n", "")))).contains("gc.collect()");
    }

    @Test
    void whichMemoryIsAskedIsNotGuessed() throws IOException {
        Conclusion conclusion =
                explain("OOM with gpu_memory_utilization=0.6 on the GPU cluster. Is it CPU or GPU OOM?");
        assertThat(conclusion.resource()).isEqualTo(Resource.UNKNOWN);
        assertThat(step(conclusion)).contains("exit code 137");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "print(i, torch.cuda.memory_allocated() // 2**20)~%d %d",
                "print(f\"step {i}: allocated {torch.cuda.memory_allocated()/1024**2:.0f}\", flush=True)~step %d: allocated %d"
            })
    void whatAPrintOfTheTextPrintedHasTheUnitOfTheCode(String codeAndRow) throws IOException {
        String[] parts = codeAndRow.split("~", -1);
        StringBuilder text = new StringBuilder("Memory of the GPU in my loop:\n" + parts[0] + "\n\n");
        for (int i = 0; i < 7; i++) {
            text.append(parts[1].formatted(50 * i, 13000 + 1350 * i)).append('\n');
        }
        Conclusion conclusion = explain(text + "A100 40GB, empty_cache() changes nothing.");
        assertThat(conclusion.verdict()).isEqualTo(Conclusion.GROWS);
        assertThat(conclusion.facts().get("growth_per_step").bytes()).isEqualTo(27 * ByteSize.MIB);
        assertThat(conclusion.sentence()).contains("full after 735 more");
    }

    @Test
    void moreGpusAreNoMemoryAndMoreGpuMemoryIs() throws IOException {
        assertThat(explain("It uses more and more GPU memory.").resource()).isEqualTo(Resource.DEVICE);
        assertThat(explain("OOM with more GPUs. I have 8 GB, the readme says 6 GB is enough.")
                        .resource())
                .isEqualTo(Resource.UNKNOWN);
    }

    private static String step(Conclusion conclusion) {
        return conclusion.advice().getFirst().action();
    }

    private static Conclusion explain(String text) throws IOException {
        Input input =
                Input.readAnything("text", new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), _ -> {});
        AnalysisResult result = Analysis.run(List.of(input), Analysis.Options.ALL);
        return Objects.requireNonNull(result.conclusion());
    }

    private static String counters(int step, long allocated) {
        return "=== after " + step + " steps ===\n{'allocated_bytes.all.current': " + allocated
                + ",\n 'allocation.all.current': 2913,\n 'reserved_bytes.all.current': 14713618432}\n";
    }

    @Test
    void countersBelowTwoStepsTellWhatAStepAdds() throws IOException {
        Conclusion said = explain(counters(100, 4L << 30) + "\n" + counters(1124, 6L << 30));
        assertThat(said.verdict()).isEqualTo(Conclusion.GROWS);
        assertThat(bytes(said, "growth_per_step")).isEqualTo(2 << 20);
    }

    @Test
    void countersOfTheFirstStepsRiseByWarmUp() throws IOException {
        assertThat(explain(counters(1, 4L << 30) + "\n" + counters(30, 6L << 30))
                        .verdict())
                .isNotEqualTo(Conclusion.GROWS);
    }
}
