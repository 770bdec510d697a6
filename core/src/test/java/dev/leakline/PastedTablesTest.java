package dev.leakline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.Input.Demand;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.Conclusion;
import dev.leakline.result.Conclusion.Resource;
import dev.leakline.text.ByteSize;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is concluded from tables and rows that people paste, and from messages as editors wrap them. */
class PastedTablesTest {
    private static final String SMI = """
            |   0  NVIDIA A40                      Off |   00000000:31:00.0 Off |                    0 |
            |  0%%   51C    P0            201W /  300W |   %dMiB /  46068MiB |     97%%      Default |
            +-----------------------------------------+------------------------+----------------------+
            | Processes:                                                                              |
            |  GPU   GI   CI              PID   Type   Process name                        GPU Memory |
            |        ID   ID                                                               Usage      |
            |=========================================================================================|
            %s+-----------------------------------------------------------------------------------------+
            """;
    private static final String TWO = """
            |    0   N/A  N/A            1101      G   /usr/lib/xorg/Xorg                      120MiB |
            |    0   N/A  N/A           52210      C   sglang::scheduler                     34880MiB |
            """;

    private static final String HEAD = """
            | GPU  Name                 Persistence-M | Bus-Id          Disp.A | Volatile Uncorr. ECC |
            | Fan  Temp   Perf          Pwr:Usage/Cap |           Memory-Usage | GPU-Util  Compute M. |
            |=========================================+========================+======================|
            """;

    @Test
    void ofAFullDeviceTheProcessThatHoldsMostIsNamed() throws IOException {
        Conclusion said = explain("| NVIDIA-SMI 570.10 |\n" + HEAD + SMI.formatted(45100, TWO));
        assertThat(said.sentence()).isEqualTo("34.1 GiB of the 44.0 GiB in use are process 52210 (sglang::scheduler)");
        assertThat(said.advice().getFirst().action()).contains("process 52210").contains("stop it");
        assertThat(bytes(said, "process")).isEqualTo(34880 * ByteSize.MIB);
    }

    @Test
    void theStatisticsOfAControlGroupAreOfTheHost() throws IOException {
        Conclusion said = explain("anon 8589934592\nfile 1073741824\nkernel 62345678\nshmem 2147483648\n");
        assertThat(said.resource()).isEqualTo(Resource.HOST);
        assertThat(bytes(said, "used")).isEqualTo(8 * ByteSize.GIB);
        assertThat(bytes(said, "shared")).isEqualTo(2 * ByteSize.GIB);
    }

    @Test
    void tablesOfMemrayAreNoDevices() throws IOException {
        Conclusion said = explain("""
                _PyMem_ArenaAlloc             ~73.06 MiB   76 allocations
                c10::alloc_cpu                ~38.56 MiB   23 allocations
                """);
        assertThat(said.resource()).isEqualTo(Resource.HOST);
        assertThat(said.sentence()).contains("_PyMem_ArenaAlloc");
    }

    @Test
    void aKnownLeakIsToldByItsMessage() throws IOException {
        Conclusion said = explain("ValueError: token_to_kv_pool_allocator memory leak detected! available_size=120\n");
        assertThat(said.advice().getFirst().link()).contains("sglang/issues/11970");
    }

    @Test
    void whereADeviceHasRoomNobodyIsToBeStopped() throws IOException {
        Conclusion roomy = explain("| NVIDIA-SMI 570.10 |\n" + HEAD + SMI.formatted(36000, TWO));
        assertThat(roomy.advice().getFirst().action()).doesNotContain("stop it");
    }

    @Test
    void aListWithoutARowHidesWhoHoldsTheMemory() throws IOException {
        Conclusion said = explain(
                "| NVIDIA-SMI 570.10 |\n" + HEAD + SMI.formatted(40100, "")
                        + "USER  PID %CPU %MEM  VSZ  RSS TTY STAT START TIME COMMAND\nroot 1 0.0 0.0 4364 3344 pts/0 Ss 06:12 0:00 bash");
        assertThat(said.sentence()).contains("no process is listed");
        assertThat(bytes(said, "held_by_others")).isEqualTo(40100 * ByteSize.MIB);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "aa11   api   12.00%   15.2GiB / 16GiB   95.00%   1.2GB / 3GB   0B / 0B   31 ~ full ~ api uses 15.2 GiB of its limit of 16.0 GiB (95%)",
                "NAME  CPU(cores)  MEMORY(bytes);api-5f-x2  310m  3900Mi;NAME  LIMIT;api  4Gi ~ full ~ api-5f-x2 uses 3.81 GiB of its limit of 4.00 GiB (95%)",
                "NAME  CPU(cores)  MEMORY(bytes);api-5f-x2  310m  3900Mi;limits:;  memory: 4Gi ~ full ~ api-5f-x2 uses 3.81 GiB of its limit of 4.00 GiB (95%)"
            })
    void aContainerNearItsLimitIsNamedWithBoth(String rows, String verdict, String sentence) throws IOException {
        Conclusion said = explain(rows.replace(';', '\n'));
        assertThat(said.verdict()).hasToString(verdict.toUpperCase(Locale.ROOT));
        assertThat(said.resource()).isEqualTo(Resource.HOST);
        assertThat(said.sentence()).isEqualTo(sentence);
        assertThat(said.advice().getFirst().action()).contains("grows").contains("raise the limit");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "aa11   api   12.00%   9.2GiB / 16GiB   57.50%   1.2GB / 3GB   0B / 0B   31",
                "NAME  CPU(cores)  MEMORY(bytes);api-5f-x2  310m  3900Mi;NAME  LIMIT;web  4Gi"
            })
    void aContainerWithRoomOrWithoutALimitIsNot(String rows) throws IOException {
        assertThat(explain(rows.replace(';', '\n')).sentence()).doesNotContain("of its limit");
    }

    @Test
    void besideTheTableOfFreeTheLargestProcessOfAHostIsNamed() throws IOException {
        String text = """
                USER         PID %%CPU %%MEM    VSZ   RSS TTY      STAT START   TIME COMMAND
                svc        7741  99.0 44.0 91872304 %d ?    Sl   Oct28 611:40 python -m jobs.tokenize
                svc        7742  12.0  1.0  1220188  790332 ?    Sl   Oct30 188:02 python web.py
                               total        used        free      shared  buff/cache   available
                Mem:           64300       40100        2100         402       22100       23600
                Swap:           4095        4090           5
                """;
        Conclusion said = explain(text.formatted(29 << 20));
        assertThat(said.sentence())
                .contains("29.0 GiB")
                .contains("process 7741")
                .contains("swap space is full");
        assertThat(said.advice().getFirst().action()).contains("leakline watch 7741");
        assertThat(bytes(said, "used")).isEqualTo(40100 * ByteSize.MIB);
        assertThat(explain(text.formatted(2 << 20)).verdict()).isEqualTo(Conclusion.Kind.CACHE_NOT_LEAK);
    }

    @Test
    void aWrapThatLeavesOutTheMarkOfTheRankIsJoined() throws IOException {
        Conclusion said = explain("""
                [rank3]: torch.OutOfMemoryError: CUDA out of memory. Tried to
                allocate 1.50 GiB. GPU 3 has a total capacity of 39.50 GiB of
                which 0.75 GiB is free. Including non-PyTorch memory, this
                process has 38.70 GiB memory in use. Of the allocated memory
                37.00 GiB is allocated by PyTorch, and 0.90 GiB is reserved by
                PyTorch but unallocated.
                """);
        assertThat(bytes(said, "requested")).isEqualTo(3 * ByteSize.GIB / 2);
        assertThat(bytes(said, "free")).isEqualTo(3 * ByteSize.GIB / 4);
        assertThat(bytes(said, "allocated")).isEqualTo(37 * ByteSize.GIB);
    }

    @Test
    void aLineOfSomebodyElseBehindACutMessageIsNotJoined() throws IOException {
        Conclusion said = explain("""
                [rank3]: torch.OutOfMemoryError: CUDA out of memory. Tried to
                saved 3.00 GiB of weights to the shared file system in 21 seconds, GPU 1 has a total capacity of 24.00 GiB
                """);
        assertThat(said.facts()).doesNotContainKey("requested");
    }

    @Test
    void noSizeIsTakenOverTheEndOfASentence() throws IOException {
        Conclusion said =
                explain("A lot of the GPU is free. Including everything, this process has 78.14 GiB memory in use");
        assertThat(said.facts()).doesNotContainKey("free");
    }

    static long bytes(Conclusion conclusion, String fact) {
        return conclusion.facts().containsKey(fact)
                ? conclusion.facts().get(fact).bytes()
                : 0;
    }

    static Conclusion explain(String text) throws IOException {
        Input input = Input.open(
                InputSource.of("text", new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8))),
                Demand.ANYTHING);
        AnalysisResult result = Analysis.run(List.of(input), Analysis.Options.ALL);
        return Objects.requireNonNull(result.conclusion());
    }
}
