package dev.leakline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.Input.Demand;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.Conclusion;
import dev.leakline.result.Conclusion.Resource;
import dev.leakline.result.Conclusion.Unknown;
import dev.leakline.text.ByteSize;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Conclusions from texts as people paste them: tables, logs, prints. */
class ExplainedTextsTest {
    private static final double GIB = ByteSize.GIB;

    @Test
    void readingsAreGrowthOnlyIfTheyGoOnRisingWithoutSlowingDown() throws IOException {
        String rising = numbered("fold", 2.0, 4.0, 6.0, 8.0);
        assertThat(explain(rising).verdict()).isEqualTo(Conclusion.Kind.GROWS);
        assertThat(bytes(explain(rising), "growth_per_step")).isEqualTo(2 * ByteSize.GIB);
        String warmingUp = numbered("fold", 2.0, 8.0, 9.0, 9.1);
        assertThat(explain(warmingUp).verdict()).isEqualTo(Conclusion.Kind.UNDETERMINED);
    }

    @Test
    void aDeviceThatIsNeverUsedHasNotWarmedUp() throws IOException {
        String rows = IntStream.range(10, 22)
                .mapToObj(minute -> "2024/05/01 10:" + minute + ":00.000, 0 MiB\n")
                .collect(Collectors.joining());
        assertThat(explain("timestamp, memory.used [MiB]\n" + rows)
                        .advice()
                        .getFirst()
                        .action())
                .startsWith("Nothing: memory stays where it is");
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
        assertThat(conclusion.verdict()).isEqualTo(Conclusion.Kind.GROWS);
        assertThat(conclusion.resource()).isEqualTo(Resource.HOST);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                ">>> pool = cupy.get_default_memory_pool() ;; >>> pool.used_bytes() ;; 1073741824 ;; >>> pool.total_bytes() ;; 17179869184 ~ free_all_blocks",
                "rmm statistics: ;;   current_bytes: 1073741824 ;;   peak_bytes: 12884901888 ;; |  0%   38C    P2   58W / 450W |   14540MiB /  24564MiB |      0%      Default | ~ maximum_pool_size",
                ">>> tf.config.experimental.get_memory_info('GPU:0') ;; {'current': 12582912, 'peak': 20971520} ;; |  0%   38C    P2   58W / 450W |   39014MiB /  81559MiB |      0%      Default | ~ set_memory_growth",
                "jax: {'bytes_in_use': 12582912, 'peak_bytes_in_use': 20971520} ;; |  0%   38C    P2   58W / 450W |   18432MiB /  24564MiB |      0%      Default | ~ XLA_PYTHON_CLIENT_PREALLOCATE"
            })
    void poolsOfOtherLibrariesAreTheirCaches(String text, String advice) throws IOException {
        Conclusion conclusion = explain(text.replace(" ;; ", "\n"));
        assertThat(conclusion.verdict()).isEqualTo(Conclusion.Kind.CACHE_NOT_LEAK);
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
        assertThat(conclusion.verdict()).isEqualTo(Conclusion.Kind.CACHE_NOT_LEAK);
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
        assertThat(conclusion.verdict()).isEqualTo(Conclusion.Kind.GROWS);
        assertThat(conclusion.resource()).isEqualTo(Resource.HOST);
        assertThat(bytes(conclusion, "growth_per_step")).isEqualTo(ByteSize.GIB / 2);
        assertThat(bytes(conclusion, "limit")).isEqualTo(64 * ByteSize.GIB);
    }

    @Test
    void metricsAreReadBehindTheTimeThatAScriptPutBefore() throws IOException {
        String text = IntStream.range(0, 16)
                .mapToObj(i -> "10:%02d:00 DCGM_FI_DEV_FB_USED{gpu=\"1\"} %d".formatted(i, 40_000 + 200 * i))
                .collect(Collectors.joining("\n"));
        assertThat(explain(text).verdict()).isEqualTo(Conclusion.Kind.GROWS);
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
        assertThat(conclusion(result).verdict()).isEqualTo(Conclusion.Kind.GROWS);
    }

    @Test
    void rowsOfProcessesAreReadWithoutTheTableAroundThem() throws IOException {
        String text = IntStream.range(0, 5)
                .mapToObj(i ->
                        "|    0   N/A  N/A          721      C   server               " + (900 + 700 * i) + "MiB |")
                .collect(Collectors.joining("\n"));
        assertThat(explain(text).verdict()).isEqualTo(Conclusion.Kind.GROWS);
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
        assertThat(conclusion.verdict()).isEqualTo(Conclusion.Kind.HOST_OOM);
        assertThat(bytes(conclusion, "limit")).isEqualTo(limit);
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
        assertThat(conclusion.verdict()).isEqualTo(Conclusion.Kind.CACHE_NOT_LEAK);
        assertThat(bytes(conclusion, "cached")).isEqualTo((long) (19.25 * GIB));
        assertThat(conclusion.advice().getFirst().action()).contains("empty_cache");
    }

    @Test
    void aProcessThatIsKilledBesideAFullHostRanOutOfHostMemory() throws IOException {
        Conclusion conclusion = explain("""
                launcher: exits with return code = -9
                               total        used        free      shared  buff/cache   available
                Mem:           125Gi       121Gi       1.2Gi       2.0Gi       3.1Gi       2.0Gi
                """);
        assertThat(conclusion.verdict()).isEqualTo(Conclusion.Kind.HOST_OOM);
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
        assertThat(conclusion(result).verdict()).isEqualTo(Conclusion.Kind.GROWS);
    }

    @Test
    void aPoolThatFillsIsNoGrowth() throws IOException {
        String text = IntStream.range(0, 40)
                .mapToObj(i -> "INFO Engine 000: Running: " + i + " reqs, GPU KV cache usage: " + (2 * i) + ".5%")
                .collect(Collectors.joining("\n"));
        Conclusion conclusion = explain(text);
        assertThat(conclusion.verdict()).isEqualTo(Conclusion.Kind.STEADY);
        assertThat(conclusion.resource()).isEqualTo(Resource.KV_CACHE);
    }

    @Test
    void aTextThatSaysNothingSaysSoAndNamesTheNextCommand() throws IOException {
        Conclusion conclusion = explain("it crashes, please fix");
        assertThat(conclusion.verdict()).isEqualTo(Conclusion.Kind.UNDETERMINED);
        assertThat(conclusion.facts()).isEmpty();
        assertThat(conclusion.unknown()).contains(Unknown.RESOURCE, Unknown.LINE, Unknown.GROWTH);
        assertThat(conclusion.advice().getFirst().action()).contains("leakline run");
    }

    @ParameterizedTest
    @CsvSource({
        "Liveness probe failed: HTTP probe failed with statuscode: 503, not_memory, startupProbe",
        "slurmstepd: error: *** JOB 77 ON n3 CANCELLED AT 2025-01-02T03:04:05 DUE TO TIME LIMIT ***, not_memory, Request more time",
        "Reason:  Error, undetermined, dmesg",
        "'\"OOMKilled\": false,', undetermined, dmesg",
        "Container /web (3f1c) found to be unhealthy - Restarting container now, not_memory, health-timeout",
        "no traceback at all, host_oom, dmesg"
    })
    void aKillIsNoShortageOfHostMemoryWhereTheTextTellsWhoKilled(String line, String verdict, String step)
            throws IOException {
        Conclusion conclusion = explain("    Exit Code:    137\n    " + line + "\n");
        assertThat(conclusion.verdict()).hasToString(verdict.toUpperCase(Locale.ROOT));
        assertThat(conclusion.advice().getFirst().action()).contains(step);
    }

    @Test
    void warningsOfAProgramThatWentOnAreNoFailure() throws IOException {
        String warning = "Warning: Ran out of memory when regular VAE decoding, retrying with tiled VAE decoding\n";
        Conclusion conclusion = explain("Is my card too small?\n" + warning + warning + "Training finished.\n");
        assertThat(conclusion.verdict()).isEqualTo(Conclusion.Kind.RECOVERED);
        assertThat(conclusion.sentence())
                .contains("2 warnings", "nothing in the text failed", "the job reached its end")
                .doesNotContain("once");
        assertThat(conclusion.advice().getFirst().action()).startsWith("Nothing");
        assertThat(explain(warning).sentence()).doesNotContain("reached its end");
    }

    @Test
    void theProcessThatRaysListHasFirstIsNamedBesideTheOneThatWasKilled() throws IOException {
        Conclusion conclusion = explain("""
                ray.exceptions.OutOfMemoryError: Task was killed due to the node running low on memory.
                Memory on the node (IP: 10.0.0.1, ID: ab) where the task (task ID: ff, name=load, pid=71, memory used=2.50GB) was running was \
                61.00GB / 64.00GB (0.953125), which exceeds the memory usage threshold of 0.95. Top 10 memory users:
                PID\tMEM(GB)\tCOMMAND
                60\t41.00\tray::Cache.put
                71\t2.50\tray::load
                """);
        assertThat(conclusion.sentence()).endsWith("process 60 (ray::Cache.put) holds 41.0 GiB");
        assertThat(bytes(conclusion, "largest_process")).isEqualTo(41 * ByteSize.GIB);
        assertThat(conclusion.advice().getFirst().action()).contains("process 60", "attach 60");
    }

    @ParameterizedTest
    @CsvSource({"5.00, device_oom_but_free, below 4 GiB", "9.50, device_oom, torch.xpu.memory_allocated"})
    void onDevicesThatTellNothingFreeARequestThatFitsBesideTheProcessIsNoShortage(
            String requested, String verdict, String step) throws IOException {
        Conclusion conclusion = explain("""
                torch.OutOfMemoryError: XPU out of memory. Tried to allocate %s GiB. GPU 0 has a total capacity of 11.33 GiB. Of the allocated \
                memory 3.00 GiB is allocated by PyTorch, and 120.00 MiB is reserved by PyTorch but unallocated.
                """.formatted(requested));
        assertThat(conclusion.verdict()).hasToString(verdict.toUpperCase(Locale.ROOT));
        assertThat(conclusion.advice().getFirst().action()).contains(step);
        assertThat(conclusion.advice()).noneMatch(advice -> advice.action().contains("torch.cuda"));
        assertThat(conclusion.advice()).noneMatch(advice -> advice.why().startsWith("The process itself holds"));
    }

    @Test
    void whatIsPlannedIsNotInUse() throws IOException {
        Conclusion conclusion = explain("""
                RTX 4080 (16 GB)
                RESOURCE_EXHAUSTED: Out of memory while trying to allocate 21474836480 bytes.
                BufferAssignment stats:
                   parameter allocation:  500.00MiB
                   maybe_live_out allocation:  300.00MiB
                   total allocation:   20.80GiB
                """);
        assertThat(conclusion.facts()).doesNotContainKey("allocated");
    }

    @Test
    void sizesInBracketsBehindAQuestionAreOfWhatItAsksAbout() throws IOException {
        Conclusion conclusion = explain("""
                Killed with -9. Is the GPU memory fine? (22 of 48 GB)
                host memory: used = 240.00 GB, percent = 94.1%
                host memory: used = 250.00 GB, percent = 98.0%
                torch.distributed.elastic: exitcode : -9 (pid: 12)
                Signal 9
                """);
        assertThat(conclusion.verdict()).isEqualTo(Conclusion.Kind.HOST_OOM);
        assertThat(bytes(conclusion, "used")).isEqualTo(250 * ByteSize.GIB);
        assertThat(bytes(conclusion, "total")).isZero();
    }

    @Test
    void whatFillsOneDeviceOfTwoIsNamedWithTheTimeThatIsLeft() throws IOException {
        String rows = IntStream.range(0, 20)
                .mapToObj(i ->
                        "2025/05/01 %02d:00:00.000, 0, 9000 MiB, 24000 MiB%n2025/05/01 %02d:00:00.100, 1, %d MiB, 24000 MiB"
                                .formatted(i, i, 10_000 + 500 * i))
                .collect(Collectors.joining("\n"));
        Conclusion conclusion = explain("timestamp, index, memory.used [MiB], memory.total [MiB]\n" + rows + "\n");
        assertThat(conclusion.sentence())
                .contains("on device 1; device 0 does not grow", "the device is full in 9.00 h");
        assertThat(conclusion.advice().getFirst().action()).contains("leakline attach");
    }

    @Test
    void theLargestProcessOfAListIsNamedUnlessItIsTheOneThatWasKilled() throws IOException {
        String list = """
                Out of memory: Killed process 12 (python3) total-vm:900kB, anon-rss:%d kB, file-rss:0kB
                               total        used        free      shared  buff/cache   available
                Mem:              62          60           1           0           1           1
                USER  PID %%CPU %%MEM   VSZ       RSS TTY STAT START  TIME COMMAND
                ann    40  9.0 80.0 70000000 52428800 ?  Sl   Jul01 11:01 indexer
                """;
        assertThat(explain(list.formatted(3_145_728)).sentence()).endsWith("process 40 (indexer) holds 50.0 GiB");
        assertThat(explain(list.formatted(52_000_000)).sentence()).doesNotContain("indexer");
    }

    @Test
    void filesOfAProgramAndChangesAreNoFigures() throws IOException {
        assertThat(analyse("W0611 memory.cc:212] gpu_allocator.py:40: retry. RAM usage went up by 12 MB")
                        .series())
                .isEmpty();
    }

    @Test
    void aLengthThatTheServerSaysFitsIsPassedOn() throws IOException {
        Conclusion conclusion = explain("""
                ValueError: To serve at least one request with the models's max seq len (65536), (8.00 GiB KV cache is needed, which is larger \
                than the available KV cache memory (3.00 GiB). Based on the available memory, the estimated maximum model length is 24576.
                """);
        assertThat(conclusion.advice().getFirst().action()).contains("max_model_len to 24576");
    }

    @Test
    void aServerThatStartsWithLessBehindAFailureHasRecovered() throws IOException {
        String failure =
                "ggml_backend_cuda_buffer_type_alloc_buffer: allocating 1288.01 MiB on device 0: cudaMalloc failed: out of memory\n";
        String retry = "level=WARN msg=\"model failed to load, retrying with fewer layers\"\n";
        String started = "level=INFO msg=\"llama runner started in 5.12 seconds\"\n";
        Conclusion conclusion = explain(failure + retry + started);
        assertThat(conclusion.verdict()).isEqualTo(Conclusion.Kind.RECOVERED);
        assertThat(conclusion.advice().getFirst().action()).startsWith("Nothing, if it is fast enough");
        assertThat(explain(failure + retry).verdict()).isEqualTo(Conclusion.Kind.DEVICE_OOM);
        assertThat(explain(started + failure).verdict()).isEqualTo(Conclusion.Kind.DEVICE_OOM);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "RuntimeError: unable to open shared memory object </torch_1184_29_10> in read-write mode: Too many open files (24)",
                "RuntimeError: received 0 items of ancdata",
                "OSError: [Errno 24] Too many open files: 'shard-00017.tar'"
            })
    void aLimitOfOpenFilesIsNoShortageOfMemory(String error) throws IOException {
        Conclusion conclusion = explain("The shared memory leaks, I think.\n" + error + "\n");
        assertThat(conclusion.verdict()).isEqualTo(Conclusion.Kind.NOT_MEMORY);
        assertThat(conclusion.advice().getFirst().action()).contains("file_system", "ulimit -n");
    }

    @Test
    void readingsOfAnotherMomentThanTheFailureAreNoFactsOfIt() throws IOException {
        Conclusion conclusion = explain("""
                step 100 reserved 14.9 GiB
                OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 39.4 GiB of which 1.10 GiB is free.
                Of the allocated memory 24.8 GiB is allocated by PyTorch, and 12.6 GiB is reserved by PyTorch but unallocated.
                """);
        assertThat(bytes(conclusion, "reserved")).isNotEqualTo(ByteSize.GIB * 149 / 10);
        assertThat(explain("""
                memory.available=11.1 GiB
                allocating 1288.01 MiB on device 0: cudaMalloc failed: out of memory
                """).facts()).doesNotContainKey("free");
    }

    @Test
    void wordsOfATitleNameNoFigure() throws IOException {
        assertThat(analyse("Memory leak? 3.1 GB are missing. GPU memory climbs 2 GB, will my 24 GB card be enough?")
                        .series())
                .isEmpty();
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
        Input input = Input.open(
                InputSource.of("text", new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8))),
                Demand.ANYTHING);
        return Analysis.run(List.of(input), Analysis.Options.ALL);
    }
}
