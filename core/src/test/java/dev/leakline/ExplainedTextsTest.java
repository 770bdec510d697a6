package dev.leakline;

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
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is concluded from texts as people write them: sentences, pasted tables and prints. */
class ExplainedTextsTest {
    private static final double GIB = ByteSize.GIB;

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "Memory usage of the GPU went from 31 to 34.5 GB over 700 steps. ~ DEVICE ~ 5368709 ~ 3758096384",
                "Each request leaks about 12 MB of VRAM until it dies. ~ DEVICE ~ 12582912 ~ 0",
                "The RSS of my server increases by 25 MB every minute, the GPU is fine. ~ HOST ~ 26214400 ~ 0",
                "Starts at 5GB VRAM, and after around 1000 iterations reaches 23GB and crashes ~ DEVICE ~ 0 ~ 19327352832",
                "GPU memory after each epoch: 8.5GB, 9.5GB, 10.5GB, 11.5GB. Why? ~ DEVICE ~ 1073741824 ~ 3221225472",
                "every 50 steps the host RAM usage rises by 100 MB ~ HOST ~ 2097152 ~ 0"
            })
    void aSentenceSaysByHowMuchMemoryGrows(String text, Resource resource, long perStep, long total)
            throws IOException {
        Conclusion conclusion = explain(text);
        assertThat(conclusion.verdict()).isEqualTo(Conclusion.GROWS);
        assertThat(conclusion.resource()).isEqualTo(resource);
        assertThat(bytes(conclusion, "growth_per_step")).isEqualTo(perStep);
        assertThat(bytes(conclusion, "growth_total")).isEqualTo(total);
        assertThat(conclusion.unknown()).contains(Unknown.LINE, Unknown.HOLDER).doesNotContain(Unknown.GROWTH);
    }

    @Test
    void readingsAreGrowthOnlyIfTheyGoOnRisingWithoutSlowingDown() throws IOException {
        String rising = numbered("fold", 2.0, 4.0, 6.0, 8.0);
        assertThat(explain(rising).verdict()).isEqualTo(Conclusion.GROWS);
        assertThat(bytes(explain(rising), "growth_per_step")).isEqualTo(2 * ByteSize.GIB);
        String warmingUp = numbered("fold", 2.0, 8.0, 9.0, 9.1);
        assertThat(explain(warmingUp).verdict()).isEqualTo(Conclusion.UNDETERMINED);
    }

    private static String numbered(String word, double... gibibytes) {
        return IntStream.range(0, gibibytes.length)
                .mapToObj(i -> word + " " + i + " done, allocated " + gibibytes[i] + " GiB")
                .collect(Collectors.joining("\n"));
    }

    /** In a container, NVML numbers processes as the host does, so that PyTorch takes its own for another. */
    @ParameterizedTest
    @CsvSource({"22.51, 0", "12.00, 12884901888"})
    void theOnlyListedProcessIsThisOneWhereTheSizesSaySo(String listed, long heldByOthers) throws IOException {
        String own = heldByOthers == 0 ? "21.43" : "9.90";
        Conclusion conclusion = explain("""
                torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.50 GiB. GPU 0 has a total capacity of 23.64 GiB of which \
                1.12 GiB is free. Process 4711 has %s GiB memory in use. Of the allocated memory %s GiB is allocated by PyTorch, and \
                500.00 MiB is reserved by PyTorch but unallocated.
                """.formatted(listed, own));
        assertThat(conclusion.facts().containsKey("held_by_others")).isEqualTo(heldByOthers > 0);
        assertThat(heldByOthers == 0 || bytes(conclusion, "held_by_others") == heldByOthers)
                .isTrue();
    }

    @Test
    void contextsOfOtherRanksOnADeviceAreToldFromWhatWorksThere() throws IOException {
        Conclusion conclusion = explain("""
                | Processes:                                                            |
                |    0   N/A  N/A     410      C   python                     9000MiB |
                |    0   N/A  N/A     411      C   python                      512MiB |
                |    0   N/A  N/A     412      C   python                      512MiB |
                |    1   N/A  N/A     411      C   python                     9000MiB |
                |    2   N/A  N/A     412      C   python                     9000MiB |
                """);
        assertThat(conclusion.sentence())
                .isEqualTo("2 processes that work on other devices hold 1.00 GiB of device 0: a context each");
        assertThat(bytes(conclusion, "held_by_others")).isEqualTo(ByteSize.GIB);
        assertThat(conclusion.advice().getFirst().action()).contains("set_device", "map_location");
    }

    @ParameterizedTest
    @CsvSource({"14187, true", "300, false"})
    void memoryInUseThatNoProcessHasIsSaid(int mebibytes, boolean isMuch) throws IOException {
        Conclusion conclusion = explain("""
                |   0  Tesla T4            Off |   00000000:00:1B.0 Off |                    0 |
                | N/A   41C    P0   38W / 300W |   %dMiB /  16384MiB |      0%%      Default |
                | Processes:                                                                   |
                |  No running processes found                                                  |
                """.formatted(mebibytes));
        assertThat(conclusion.sentence().endsWith("of the device are in use, and no process is listed"))
                .isEqualTo(isMuch);
        assertThat(conclusion.advice().getFirst().action().contains("fuser")).isEqualTo(isMuch);
    }

    @Test
    void whatWasFreeBeforeOrAfterAFailureIsNoFactOfIt() throws IOException {
        String failure =
                "ggml_backend_cuda_buffer_type_alloc_buffer: allocating 1104.00 MiB on device 0: cudaMalloc failed: out of memory\n";
        assertThat(explain(failure + "|  0%   38C    P2   58W / 450W |   466MiB /  24564MiB |      0%      Default |")
                        .facts())
                .containsOnlyKeys("requested");
        assertThat(explain(failure + "|  0%   38C    P2   58W / 450W |   24000MiB /  24564MiB |      0%      Default |")
                        .facts())
                .containsKeys("requested", "used", "free");
    }

    @Test
    void figuresOfHostAndDeviceInOneLineAreToldApart() throws IOException {
        Conclusion conclusion = explain("""
                08:00 host rss 6.1 GiB   gpu used 39214 MiB
                09:00 host rss 7.0 GiB   gpu used 39214 MiB
                10:00 host rss 7.9 GiB   gpu used 39216 MiB
                """);
        assertThat(conclusion.verdict()).isEqualTo(Conclusion.GROWS);
        assertThat(conclusion.resource()).isEqualTo(Resource.HOST);
    }

    @Test
    void aSentenceWithTheNameOfACallIsRead() throws IOException {
        Conclusion conclusion = explain(
                "torch.cuda.memory_allocated() is 12.5 GiB after loading, 13.5 GiB after 100 requests, 14.5 GiB after 200 and 15.5 GiB after 300.");
        assertThat(conclusion.verdict()).isEqualTo(Conclusion.GROWS);
        assertThat(bytes(conclusion, "growth_total")).isEqualTo(3 * ByteSize.GIB);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                ">>> pool = cupy.get_default_memory_pool() | >>> pool.used_bytes() | 1073741824 | >>> pool.total_bytes() | 17179869184 ~ free_all_blocks",
                "rmm statistics: |   current_bytes: 1073741824 |   peak_bytes: 12884901888 | nvidia-smi shows 14.2 GB ~ maximum_pool_size",
                ">>> tf.config.experimental.get_memory_info('GPU:0') | {'current': 12582912, 'peak': 20971520} | nvidia-smi says 38.1 GiB ~ set_memory_growth",
                "jax: {'bytes_in_use': 12582912, 'peak_bytes_in_use': 20971520}, and nvidia-smi says 18 GiB ~ XLA_PYTHON_CLIENT_PREALLOCATE"
            })
    void poolsOfOtherLibrariesAreTheirCaches(String text, String advice) throws IOException {
        Conclusion conclusion = explain(text.replace(" | ", "\n"));
        assertThat(conclusion.verdict()).isEqualTo(Conclusion.CACHE_NOT_LEAK);
        assertThat(conclusion.advice().getFirst().action()).contains(advice);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "`              total        used        free      shared  buff/cache   available\nMem:           251Gi        12Gi       2.0Gi       1.0Gi       237Gi       236Gi` ~ 254476812288",
                "`             total       used       free     shared    buffers     cached\nMem:        128000     126000       2000          0        500     100000` ~ 104857600000"
            })
    void filesThatTheKernelCachesAreNoLeak(String table, long cached) throws IOException {
        Conclusion conclusion = explain("All RAM is gone!\n" + table.replace("\\n", "\n"));
        assertThat(conclusion.verdict()).isEqualTo(Conclusion.CACHE_NOT_LEAK);
        assertThat(conclusion.resource()).isEqualTo(Resource.HOST);
        assertThat(bytes(conclusion, "cached")).isEqualTo(cached);
    }

    @Test
    void rowsOfContainersAreReadWithoutTheirHead() throws IOException {
        String text = IntStream.range(0, 30)
                .mapToObj(i -> "2026-03-01 %02d:00  api  99.1%%   %.2fGiB / 64GiB   12.3%%   4.1GB / 1.9GB   61"
                        .formatted(i % 24, 8 + 0.5 * i))
                .collect(Collectors.joining("\n"));
        Conclusion conclusion = explain(text);
        assertThat(conclusion.verdict()).isEqualTo(Conclusion.GROWS);
        assertThat(conclusion.resource()).isEqualTo(Resource.HOST);
        assertThat(bytes(conclusion, "growth_per_step")).isEqualTo(ByteSize.GIB / 2);
        assertThat(bytes(conclusion, "limit")).isEqualTo(64 * ByteSize.GIB);
    }

    @Test
    void metricsAreReadBehindTheTimeThatAScriptPutBefore() throws IOException {
        String text = IntStream.range(0, 16)
                .mapToObj(i -> "10:%02d:00 DCGM_FI_DEV_FB_USED{gpu=\"1\"} %d".formatted(i, 40_000 + 200 * i))
                .collect(Collectors.joining("\n"));
        assertThat(explain(text).verdict()).isEqualTo(Conclusion.GROWS);
        assertThat(bytes(explain(text), "growth_total")).isEqualTo(3000 * ByteSize.MIB);
    }

    @Test
    void aTableWithAColumnForEachDeviceIsRead() throws IOException {
        String rows = IntStream.range(1, 13)
                .mapToObj(i -> "| " + 100 * i + " | 20.1 | " + (20 + i) + ".0 |")
                .collect(Collectors.joining("\n"));
        AnalysisResult result =
                analyse("Memory in GB by step\n| step | gpu0 | gpu1 |\n|------|------|------|\n" + rows);
        assertThat(result.series()).extracting(series -> series.device()).containsExactlyInAnyOrder(0, 1);
        assertThat(conclusion(result).verdict()).isEqualTo(Conclusion.GROWS);
    }

    @Test
    void rowsOfProcessesAreReadWithoutTheTableAroundThem() throws IOException {
        String text = IntStream.range(0, 5)
                .mapToObj(i ->
                        "|    0   N/A  N/A          721      C   server               " + (900 + 700 * i) + "MiB |")
                .collect(Collectors.joining("\n"));
        assertThat(explain(text).verdict()).isEqualTo(Conclusion.GROWS);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "`Limits:\n  cpu: 4\n  memory: 24Gi\n` ~ 25769803776",
                "`JobID      State ReqMem MaxRSS\n-----      ----- ------ ------\n12     OUT_OF_ME+    64G\n` ~ 68719476736"
            })
    void limitsThatStandApartFromTheirWordsAreFacts(String table, long limit) throws IOException {
        Conclusion conclusion = explain("Reason: OOMKilled\n" + table.replace("\\n", "\n"));
        assertThat(conclusion.verdict()).isEqualTo("host_oom");
        assertThat(bytes(conclusion, "limit")).isEqualTo(limit);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "GPU memory keeps growing. ~ DEVICE ~ leakline watch",
                "Memory outside the JVM grows, the heap is stable. ~ HOST ~ leakline watch",
                "CPU RAM leak since 0.8.0, it was flat with 0.7.3 ~ HOST ~ leakline watch",
                "After upgrading, the same workflow needs more VRAM. ~ DEVICE ~ leakline diff",
                "Only GPU 3 grows, other ranks do not leak VRAM. ~ DEVICE ~ leakline ranks",
                "How do I get the VRAM back after `del pipe`? ~ DEVICE ~ empty_cache"
            })
    void whereATextOnlyAsksTheNextStepIsTheOneThatAnswers(String text, Resource resource, String step)
            throws IOException {
        Conclusion conclusion = explain(text);
        assertThat(conclusion.verdict()).isEqualTo(Conclusion.UNDETERMINED);
        assertThat(conclusion.resource()).isEqualTo(resource);
        assertThat(conclusion.advice().getFirst().action()).contains(step);
    }

    @Test
    void whatIsReservedAndNotAllocatedIsCache() throws IOException {
        Conclusion conclusion = explain("""
                Why is it not given back after del model?
                ```
                >>> torch.cuda.memory_allocated() / 1024**3, torch.cuda.memory_reserved() / 1024**3
                (0.50, 19.75)
                ```
                """);
        assertThat(conclusion.verdict()).isEqualTo(Conclusion.CACHE_NOT_LEAK);
        assertThat(bytes(conclusion, "cached")).isEqualTo((long) (19.25 * GIB));
        assertThat(conclusion.advice().getFirst().action()).contains("empty_cache");
    }

    @Test
    void codeThatKeepsGraphsIsTheLine() throws IOException {
        Conclusion conclusion = explain("""
                GPU memory grows with every batch:
                ```python
                for batch in loader:
                    results.append(model(batch.cuda()))
                ```
                """);
        assertThat(conclusion.verdict()).isEqualTo(Conclusion.GROWS);
        assertThat(conclusion.unknown()).isEmpty();
        assertThat(conclusion.advice().getFirst().action()).contains("detach()");
    }

    @Test
    void aProcessThatIsKilledBesideAFullHostRanOutOfHostMemory() throws IOException {
        Conclusion conclusion = explain("""
                launcher: exits with return code = -9
                               total        used        free      shared  buff/cache   available
                Mem:           125Gi       121Gi       1.2Gi       2.0Gi       3.1Gi       2.0Gi
                """);
        assertThat(conclusion.verdict()).isEqualTo("host_oom");
        assertThat(conclusion.resource()).isEqualTo(Resource.HOST);
        assertThat(bytes(conclusion, "used")).isEqualTo(121 * ByteSize.GIB);
        assertThat(conclusion.evidence().getFirst().line()).isEqualTo(1);
    }

    @Test
    void aTrendOfTheHostIsJudgedAsOneOfTheDevice() throws IOException {
        String text = IntStream.range(0, 40)
                .mapToObj(i -> "USER  PID %CPU %MEM VSZ RSS COMMAND\nroot 4121 99.0 3.1 48123904 "
                        + (8_000_000 + 51_200 * i) + " python serve.py")
                .collect(Collectors.joining("\n"));
        AnalysisResult result = analyse(text);
        Conclusion conclusion = conclusion(result);
        assertThat(result.verdict()).isEqualTo(AnalysisResult.Verdict.LEAK);
        assertThat(conclusion.resource()).isEqualTo(Resource.HOST);
        assertThat(bytes(conclusion, "growth_per_step")).isEqualTo(51_200 * ByteSize.KIB);
        assertThat(result.series().getFirst().process()).isEqualTo(4121);
        assertThat(result.series().getFirst().deviceBytes()).isZero();
    }

    @Test
    void freeMemoryWithoutATotalIsShownAsFree() throws IOException {
        String text = IntStream.range(0, 40)
                .mapToObj(i -> "step " + i + " avail mem=" + (60.0 - 0.5 * i) + " GB")
                .collect(Collectors.joining("\n"));
        AnalysisResult result = analyse(text);
        assertThat(result.series()).singleElement().satisfies(series -> {
            assertThat(series.quantity()).isEqualTo("device_free");
            assertThat(series.first().value()).isEqualTo(60 * ByteSize.GIB);
            assertThat(series.trend().perUnit()).isBetween(-0.51 * GIB, -0.49 * GIB);
        });
        assertThat(conclusion(result).verdict()).isEqualTo(Conclusion.GROWS);
    }

    @Test
    void aPoolThatFillsIsNoGrowth() throws IOException {
        String text = IntStream.range(0, 40)
                .mapToObj(i -> "INFO Engine 000: Running: " + i + " reqs, GPU KV cache usage: " + (2 * i) + ".5%")
                .collect(Collectors.joining("\n"));
        Conclusion conclusion = explain(text);
        assertThat(conclusion.verdict()).isEqualTo(Conclusion.STEADY);
        assertThat(conclusion.resource()).isEqualTo(Resource.KV_CACHE);
    }

    @Test
    void aTextThatSaysNothingSaysSoAndNamesTheNextCommand() throws IOException {
        Conclusion conclusion = explain("it crashes, please fix");
        assertThat(conclusion.verdict()).isEqualTo(Conclusion.UNDETERMINED);
        assertThat(conclusion.facts()).isEmpty();
        assertThat(conclusion.unknown()).contains(Unknown.RESOURCE, Unknown.LINE, Unknown.GROWTH);
        assertThat(conclusion.advice().getFirst().action()).contains("leakline run");
    }

    private static long bytes(Conclusion conclusion, String fact) {
        return conclusion.facts().containsKey(fact)
                ? conclusion.facts().get(fact).bytes()
                : 0;
    }

    private static Conclusion explain(String text) throws IOException {
        return conclusion(analyse(text));
    }

    private static Conclusion conclusion(AnalysisResult result) {
        assertThat(result.conclusion()).isNotNull();
        return result.conclusion();
    }

    private static AnalysisResult analyse(String text) throws IOException {
        Input input =
                Input.readAnything("text", new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), _ -> {});
        return Analysis.run(List.of(input), Analysis.Options.ALL);
    }
}
