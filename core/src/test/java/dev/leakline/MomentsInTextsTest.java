package dev.leakline;

import static dev.leakline.PastedTablesTest.bytes;
import static dev.leakline.PastedTablesTest.explain;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.result.Conclusion;
import dev.leakline.result.Conclusion.Resource;
import dev.leakline.result.Conclusion.Unknown;
import dev.leakline.text.ByteSize;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How full memory is at the one moment that a monitor shows. */
class MomentsInTextsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "|  0%  38C  P2  58W / 450W |  24064MiB / 24564MiB |  0%  Default | ~ full ~ DEVICE ~ 23.5 GiB of 24.0 GiB of GPU memory are in use (98%), at this moment",
                "|  0%  38C  P2  58W / 450W |  12288MiB / 24564MiB |  0%  Default | ~ fine ~ DEVICE ~ 12.0 GiB of 24.0 GiB of GPU memory are in use (50%), at this moment",
                "index, memory.used [MiB], memory.total [MiB];0, 100 MiB, 16384 MiB;1, 512 MiB, 16384 MiB ~ idle ~ DEVICE ~ 512 MiB of 16.0 GiB of device 1 are in use (3.1%), the most of 2 that are listed, at this moment",
                "FB Memory Usage;  Total : 40960 MiB;  Reserved : 512 MiB;  Used : 20480 MiB;  Free : 19968 MiB;BAR1 Memory Usage;  Total : 65536 MiB;  Used : 65535 MiB ~ fine ~ DEVICE ~ 20.0 GiB of 40.0 GiB",
                "| 0    | 0000:66:00.0  | 0    0  / 0   60000/ 65536   |;| 0    | 0000:19:00.0  | 0   0  / 0   62000/ 65536  |;| 0  | 0000:1a:00.0 | 0  0 / 0  64000/ 65536  | ~ full ~ DEVICE ~ 62.5 GiB of 64.0 GiB",
                "06-13-2026 14:17:07 RAM 3308/7607MB (lfb 32x4MB) SWAP 11/3804MB ~ fine ~ DEVICE ~ 3.23 GiB of 7.43 GiB",
                "MemTotal:  24684084 kB;MemFree:  15914228 kB;MemAvailable:  21164448 kB ~ fine ~ HOST ~ 3.36 GiB of 23.5 GiB of host memory",
                "Memory Utilized: 15.50 GB;Memory Efficiency: 96.88% of 16.00 GB ~ full ~ HOST ~ 15.5 GiB of the limit of 16.0 GiB",
                " 0B/218.83GiB memory; 0B/19.46GiB object_store_memory ~ fine ~ HOST ~ 0 B of 219 GiB of host memory",
                "GPU[0]\t\t: VRAM Total Memory (B): 17163091968;GPU[0]\t\t: VRAM Total Used Memory (B): 8589934592 ~ fine ~ DEVICE ~ 8.00 GiB of 16.0 GiB of device 0",
                "0   [0x1 : 0xc8]  46.0°C  72.0W  N/A, N/A  21Mhz  1249Mhz  0%  auto  291.0W  97%  1% ~ full ~ DEVICE ~ 97% of device 0 are in use",
                "| GPU Memory Used (MiB)      | Tile 0: avg: 26, min: 26, max: 26, current: 26    |;| GPU Memory Util (%)        | Tile 0: avg: 0, min: 0, max: 0, current: 0   | ~ idle ~ DEVICE ~ 0.0% of GPU memory",
                "GPU: 0;    MEM_USAGE:;        TOTAL_VRAM: 1024 MB;        USED_VRAM: 512 MB;        FREE_VRAM: 512 MB ~ fine ~ DEVICE ~ 512 MiB of 1.00 GiB of device 0",
                "GPU  POWER  GPU_T  MEM_T  GFX%  VRAM_USED  VRAM_TOTAL;  0  131 W  44 °C  38 °C  0 %   16000 MB   16384 MB ~ full ~ DEVICE ~ 15.6 GiB of 16.0 GiB of device 0",
                "| Health | OK |;HBM Capacity(MB)  : 65536;HBM Usage Rate(%)  : 96 ~ full ~ DEVICE ~ 96% of GPU memory",
                "Mem[|||||||||||||||12.0G/16.0G] ~ fine ~ HOST ~ 12.0 GiB of 16.0 GiB",
                "RealMemory=16384 AllocMem=8192 FreeMem=4096 Sockets=2 Boards=1 ~ fine ~ HOST ~ 12.0 GiB of 16.0 GiB",
                "NAME  CPU(cores)  CPU(%)  MEMORY(bytes)  MEMORY(%);node-a  250m  6%  5943Mi  38%;node-b  1250m  31%  15111Mi  97% ~ full ~ HOST ~ 97% of host memory (node-b) are in use",
                "Plasma memory usage 18432 MiB, 36 objects, 96.0% full, 1.0% needed ~ full ~ HOST ~ 96% of host memory",
                "PID  Command  DeviceID  SHR  MEM;71264  python3  1  0  9437184 ~ fine ~ DEVICE ~ process 71264 (python3) holds 9.00 GiB of device 1",
                "| 0     310P3   | OK            | NA    42      0   / 0   |;| 0     0       | 0000:81:00.0  | 0     20480/ 21527      | ~ full ~ DEVICE ~ 20.0 GiB of 21.0 GiB of device 0",
                "GPU[0]\t\t: GPU Memory Allocated (VRAM%): 3 ~ idle ~ DEVICE ~ 3.0% of device 0",
                "PID\tPROCESS NAME\tGPU(s)\tVRAM USED\tSDMA USED\tCU OCCUPANCY;4711\tpython\t1\t8589934592\t0\t0 ~ fine ~ DEVICE ~ process 4711 (python) holds 8.00 GiB",
                "# gpu  pid  type  fb  sm  mem  command;# Idx  #  C/G  MB  %  %  name;  0  123456  C  18432  45  20  python ~ fine ~ DEVICE ~ used memory of process 123456 on device 0 (python, nvidia-smi): 18.0 GiB",
                "JobID           JobName     ReqMem     MaxRSS;------------ ---------- ---------- ----------;4711              train        64G;4711.batch        batch             48G ~ fine ~ HOST ~ 48.0 GiB of the limit of 64.0 GiB",
                "       total   used   free   shared  buff/cache   available;Mem:   65672168    61234567     1234567      123456     3203034     3812345 ~ fine ~ HOST ~ 58.4 GiB of 62.6 GiB",
                "       total   used   free   shared  buff/cache   available;Mem:   125Gi   118Gi   1.2Gi   2.1Gi   6.0Gi   4.8Gi;Swap:   8.0Gi   8.0Gi   12Mi ~ full ~ HOST ~ 118 GiB of 125 GiB of host memory are in use, and no more than 4.80 GiB are left (96%)",
                "DCGM_FI_DEV_FB_FREE{gpu=\"0\",UUID=\"GPU-a\"} 611;DCGM_FI_DEV_FB_USED{gpu=\"0\",UUID=\"GPU-a\"} 80440 ~ full ~ DEVICE ~ 78.6 GiB of 79.2 GiB of device 0 are in use (99%)",
                "|   0  NVIDIA A100-SXM4-40GB  On  | 00000000:07:00.0 Off |  On |;| N/A  41C  P0  162W / 400W |  24120MiB / 40960MiB |  N/A  Default |;| MIG devices:  |;|  0    1   0   0  |  19820MiB / 19968MiB  | 42  0 |  3  0  2  0  0 | ~ full ~ DEVICE ~ 19.4 GiB of 19.5 GiB of device 0 are in use (99%)",
                "[Rank 0] (after 10 iterations) memory (MB) | allocated: 31204.5 | max allocated: 60211.2 | reserved: 62918.0 | max reserved: 62918.0 ~ fine ~ DEVICE ~ allocated 30.5 GiB, reserved 61.4 GiB",
                "GPU  VRAM_USED  VRAM_TOTAL;  0   39671 MB    65501 MB ~ fine ~ DEVICE ~ 38.7 GiB of 64.0 GiB of device 0",
                "GPU  POWER   GFX%   VRAM_USAGE;  0  293 W   96 %   6.5/24.5 GB ~ fine ~ DEVICE ~ 6.50 GiB of 24.5 GiB of device 0",
                "\tUsing (GB) 44.6 / 95.74 (46.584500%) on TPU_0(process=0,(0,0,0,0)) ~ fine ~ DEVICE ~ 44.6 GiB of 95.7 GiB of device 0",
                "tmpfs    16G   15.5G   500M   97% /dev/shm ~ full ~ SHARED_MEMORY ~ 15.5 GiB of the limit of 16.0 GiB are in use",
                "step: 10  loss: 6.1  memory: 40.50GiB(51.2%)  tps: 5,810  mfu: 34.2%;step: 20  loss: 6.0  memory: 40.50GiB(51.2%)  tps: 5,820  mfu: 34.2%;step: 30  loss: 5.9  memory: 40.50GiB(51.2%)  tps: 5,830  mfu: 34.2% ~ fine ~ DEVICE ~ peak reserved 40.5 GiB",
                "<fb_memory_usage>;<total>6064 MiB</total>;<used>912 MiB</used>;</fb_memory_usage>;<bar1_memory_usage>;<total>256 MiB</total>;<used>5 MiB</used> ~ fine ~ DEVICE ~ 912 MiB of 5.92 GiB",
                "| N/A   N/A  45W / 190W       | 3642MiB / 16288MiB         |      N/A       Default | ~ fine ~ DEVICE ~ 3.56 GiB of 15.9 GiB",
                "step: 8 | max_memory_reserved: 57466159104 | max_memory_allocated: 53930270720 | consumed_samples: 4608;step: 9 | max_memory_reserved: 57466159104 | max_memory_allocated: 53930270720 | consumed_samples: 5120;step: 10 | max_memory_reserved: 57466159104 | max_memory_allocated: 53930270720 | consumed_samples: 5632 ~ fine ~ DEVICE ~ peak allocated 50.2 GiB, peak reserved 53.5 GiB",
                "Timestamp, DeviceId, GPU Memory Used (MiB), 3D Engine (%);14:15:20.490, 0, 17.52, N/A;14:15:20.490, 2, 49.21, N/A ~ fine ~ DEVICE ~ used memory",
                "{'loss': 0.6, 'memory_allocated (GB)': 3.82, 'max_memory_allocated (GB)': 6.32, 'total_memory_available (GB)': 29.85} ~ fine ~ DEVICE ~ allocated 3.82 GiB, peak allocated 6.32 GiB"
            })
    void aMomentIsAnAnswer(String text, String verdict, Resource resource, String sentence) throws IOException {
        Conclusion said = explain(text.replace(';', '\n'));
        assertThat(said.verdict()).hasToString(verdict.toUpperCase(Locale.ROOT));
        assertThat(said.resource()).isEqualTo(resource);
        assertThat(said.sentence()).startsWith(sentence);
        assertThat(said.unknown()).contains(Unknown.GROWTH);
    }

    /** Rows that begin with a setting are of one run each: they are no course, and no moment. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "| version | peak GPU memory | tokens/s |;|---|---|---|;| 2.0.%d | %d.0 GiB | 1800 |",
                "| batch size | peak GPU memory | tokens/s |;|---|---|---|;| %d | %d.0 GiB | 1800 |",
                "model,params_b,gpu_mem_allocated_mb;m%d,1,%d000.5",
                "Capacity:;  cpu: %d;  memory: %d8082308Ki;Allocatable:;  memory: 523658628Ki"
            })
    void tablesOfSettingsAreNoMeasurements(String table) throws IOException {
        List<String> lines = List.of(table.split(";"));
        String rows = IntStream.range(10, 30)
                .mapToObj(i -> lines.getLast().contains("%d") ? lines.getLast().formatted(i, 2 * i) : lines.getLast())
                .collect(Collectors.joining("\n"));
        String head = String.join("\n", lines.subList(0, lines.size() - 1)).replace("%d", "64");
        Conclusion said = explain(head + "\n" + rows + "\n");
        assertThat(said.verdict()).isEqualTo(Conclusion.Kind.UNDETERMINED);
        assertThat(said.facts()).isEmpty();
    }

    @Test
    void dcgmisTableIsReadPastItsLineOfUnits() throws IOException {
        String row = "GPU 0     99      61234   19852   \n";
        Conclusion said =
                explain("#Entity   GPUTL   FBUSD   FBFRE \nID                                \n" + row.repeat(14));
        assertThat(said.verdict()).isEqualTo(Conclusion.Kind.STEADY);
        assertThat(explain("epoch,version,gpu_mem_gb\n1,2,10\n2,2,10\n3,2,10\n").facts())
                .as("a setting beside what counts the rows")
                .isNotEmpty();
    }

    @Test
    void fewReadingsThatRiseEachTimeAreNoMoment() throws IOException {
        Conclusion said = explain("""
                NAME   CPU(cores)   MEMORY(bytes)
                api-1  200m         4545Mi
                NAME   CPU(cores)   MEMORY(bytes)
                api-1  200m         4560Mi
                NAME   CPU(cores)   MEMORY(bytes)
                api-1  200m         4595Mi
                """);
        assertThat(said.verdict()).hasToString("UNDETERMINED");
        assertThat(said.advice().getFirst().action()).contains("leakline attach");
    }

    @Test
    void theFullestOfSeveralGivesTheFacts() throws IOException {
        Conclusion said = explain("""
                NAME                CPU %     MEM USAGE / LIMIT   MEM %     PIDS
                app-pgbouncer-1     0.03%     1.625MiB / 64MiB    2.54%     1
                app-postgres-1      0.00%     49.5MiB / 1.5GiB    3.22%     6
                """);
        assertThat(said.verdict()).isEqualTo(Conclusion.Kind.FINE);
        assertThat(bytes(said, "limit")).isEqualTo(3 * ByteSize.GIB / 2);
        assertThat(said.facts().get("used").line()).isEqualTo(3);
        assertThat(said.advice().getFirst().action()).startsWith("Nothing to do");
    }

    @ParameterizedTest
    @CsvSource({
        "'GPU[1]\t\t: GPU memory use (%): 99', rocm-smi --showpids",
        "'HBM Usage Rate(%)  : 99', npu-smi info",
        "'RAM 7600/7607MB (lfb 1x4MB)', Jetson",
    })
    void whoHoldsAFullMemoryTheVendorsToolTells(String text, String tool) throws IOException {
        Conclusion said = explain(text);
        assertThat(said.verdict()).isEqualTo(Conclusion.Kind.FULL);
        assertThat(said.advice().getFirst().action() + said.advice().getFirst().why())
                .contains(tool);
    }

    @Test
    void theHolderOfTheFullestIsNamed() throws IOException {
        Conclusion said = explain("""
                [0] NVIDIA A40 | 44'C, 100 % | 18310 / 46068 MB | anna(17442M) gdm(4M)
                [1] NVIDIA A40 | 65'C, 100 % | 40153 / 46068 MB | bert(482M) carl/4711(38666M)
                """);
        assertThat(said.sentence()).contains("of device 1 are in use").endsWith("; carl/4711 holds 37.8 GiB");
        assertThat(bytes(said, "process")).isEqualTo(38666 * ByteSize.MIB);
        assertThat(said.facts().get("process").line()).isEqualTo(2);
    }

    @Test
    void moreInUseThanThereIsIsNoMoment() throws IOException {
        assertThat(explain("RAM 9000/7607MB (lfb 32x4MB)").verdict()).isEqualTo(Conclusion.Kind.UNDETERMINED);
    }

    @Test
    void whatAFailureOrSeveralReadingsTellComesFirst() throws IOException {
        String table = "|  0%  38C  P2  58W / 450W |  24064MiB / 24564MiB |  0%  Default |\n";
        assertThat(explain(table + "CUDA out of memory. Tried to allocate 2.00 GiB.")
                        .verdict())
                .isEqualTo(Conclusion.Kind.DEVICE_OOM);
        assertThat(explain("step 1 allocated 3 GiB\nstep 2 allocated 4 GiB\nstep 3 allocated 5 GiB\n" + table)
                        .verdict())
                .isEqualTo(Conclusion.Kind.GROWS);
    }
}
