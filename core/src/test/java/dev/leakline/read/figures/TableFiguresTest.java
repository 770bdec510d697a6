package dev.leakline.read.figures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leakline.OutsideData;
import dev.leakline.columns.MemorySeries;
import dev.leakline.columns.MemorySeries.Source;
import dev.leakline.source.Content;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Figures in tables: CSV, monitors' prints, summaries, metrics; alone, and amid other lines. */
class TableFiguresTest {
    // ---- tables of steps

    /** The same columns, however they are parted and drawn. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "step,alloc GiB,rss_gib\n100,1,2\n200,1,3",
                "step;alloc_gb;rss (GB)\n100;1;2\n200;1;3",
                "| step | alloc (GiB) | rss |\n|---|---|---|\n| 100 | 1 GiB | 2 GiB |\n| 200 | 1 GiB | 3 GiB |",
                "  step | alloc GiB | rss GiB\n------+-----------+--------\n   100 |       1.0 |    2.0\n   200 |       1.0 |    3.0",
                "step  alloc GiB  rss GiB\n----  ---------  -------\n100         1.0      2.0\n200         1.0      3.0",
                "step\talloc_gib\trss_gib\n100\t1\t2\n200\t1\t3",
                "step 100 alloc_gib=1.0 rss_gib=2.0\nstep 200 alloc_gib=1.0 rss_gib=3.0"
            })
    void columnsOfMemoryAreReadInEveryForm(String table) throws IOException {
        assertThat(FigureTexts.of(table + "\n"))
                .anyMatch(series -> series.matches("LOG ALLOCATED STEP -1/-1 '[^']*' 100=1073741824 200=1073741824"))
                .anyMatch(series -> series.matches("LOG HOST_USED STEP -1/-1 '[^']*' 100=2147483648 200=3221225472"))
                .hasSize(2);
    }

    @Test
    void secondsAreTime() throws IOException {
        assertThat(FigureTexts.of("seconds,memory_mb\n0,2000\n30,2003\n60,2006\n"))
                .allMatch(series -> series.contains(" ELAPSED "));
    }

    // ---- gpumemprof's CSV

    @Test
    void resultsAreCallsWithoutTimes() throws IOException {
        Content.Figures file = FigureTexts.read("""
                function_name,execution_time,memory_allocated,memory_freed,peak_memory,memory_diff,tensors_created,tensors_deleted
                leak,0.25,20971520,0,125829120,20971520,3,0
                "free, all",0.5,0,1048576,125829120,-1048576,0,2
                """);
        assertThat(file.format()).isEqualTo("function profile with profiler's samples, text");
        assertThat(file.measurements().calls())
                .extracting(call -> call.function() + " " + call.difference() + " "
                        + call.peak().allocated() + " " + call.tensorsDeleted())
                .containsExactly("leak 20971520 125829120 0", "free, all -1048576 125829120 2");
        assertThat(file.measurements().calls().getFirst().before().time()).isNaN();
        assertThat(FigureTexts.shown(file))
                .as("calls without times are not judged as calls; their peaks are figures")
                .containsExactly(
                        "PROFILER PEAK_ALLOCATED INDEX -1/-1 'leak' 0=125829120",
                        "PROFILER PEAK_ALLOCATED INDEX -1/-1 'free, all' 0=125829120");
        assertThat(file.measurements().unused())
                .containsExactly(
                        "the rows of calls have neither times nor the memory allocated before; the JSON file has both");
    }

    @Test
    void snapshotsAreSamples() throws IOException {
        assertThat(FigureTexts.of("""
                timestamp,operation,allocated_memory,reserved_memory,active_memory,inactive_memory,device_id
                1795238692.5,monitor,197132289,406847489,197132290,7,0
                1795238693.5,monitor,512,1024,512,0,0
                """))
                .containsExactly(
                        "PROFILER ALLOCATED TIME 0/-1 '' 1795238692500000=197132289 1795238693500000=512",
                        "PROFILER RESERVED TIME 0/-1 '' 1795238692500000=406847489 1795238693500000=1024",
                        "PROFILER ACTIVE TIME 0/-1 '' 1795238692500000=197132290 1795238693500000=512",
                        "PROFILER INACTIVE_SPLIT TIME 0/-1 '' 1795238692500000=7 1795238693500000=0");
    }

    @Test
    void telemetryWithADictionaryOfPythons() throws IOException {
        assertThat(FigureTexts.of("""
                schema_version,timestamp_ns,event_type,collector,sampling_interval_ms,pid,host,device_id,allocator_allocated_bytes,allocator_reserved_bytes,allocator_active_bytes,allocator_inactive_bytes,allocator_change_bytes,device_used_bytes,device_free_bytes,device_total_bytes,context,metadata
                2,1795238698592703232,start,gpumemprof.cuda_tracker,50,1904,vm,0,199229441,406847489,,,0,406847490,666894336,1073741824,"Memory, tracking: 5 GB","{'backend': 'cuda', 'supports_device_total': True, 'allocated': __import__('os')}"
                """))
                .containsExactly(
                        "TELEMETRY ALLOCATED TIME 0/1904 '' 1795238698592703=199229441",
                        "TELEMETRY RESERVED TIME 0/1904 '' 1795238698592703=406847489",
                        "TELEMETRY DEVICE_USED TIME 0/1904 '' 1795238698592703=406847490",
                        "TELEMETRY DEVICE_FREE TIME 0/1904 '' 1795238698592703=666894336",
                        "TELEMETRY DEVICE_TOTAL TIME 0/1904 '' 1795238698592703=1073741824");
    }

    // ---- nvidia-smi

    @Test
    void queriesOfDevices() throws IOException {
        assertThat(FigureTexts.of("""
                timestamp, index, name, utilization.memory [%], memory.total [MiB], memory.used [MiB], memory.reserved [MiB]
                2026/11/21 06:00:00.250, 0, NVIDIA H200, 7 %, 143771 MiB, 11 MiB, 600 MiB
                2026/11/21 06:00:00.251, 1, NVIDIA H200, 7 %, 143771 MiB, [N/A], 600 MiB
                2026/11/21 06:00:01.250, 0, NVIDIA H200, 7 %, 143771 MiB, 13 MiB, 600 MiB
                """))
                .containsExactly(
                        "NVIDIA_SMI DEVICE_TOTAL TIME 0/-1 '' 1795240800250000=150754820096 1795240801250000=150754820096",
                        "NVIDIA_SMI DEVICE_USED TIME 0/-1 '' 1795240800250000=11534336 1795240801250000=13631488",
                        "NVIDIA_SMI DEVICE_TOTAL TIME 1/-1 '' 1795240800251000=150754820096");
    }

    @Test
    void queriesWithoutUnits() throws IOException {
        assertThat(FigureTexts.of("index, memory.used [MiB]\n0, 11\n0, 1048577\n"))
                .containsExactly("NVIDIA_SMI DEVICE_USED INDEX 0/-1 '' 0=11534336 1=1099512676352");
        assertThat(FigureTexts.of("index,memory.used\n0,11\n"))
                .containsExactly("NVIDIA_SMI DEVICE_USED INDEX 0/-1 '' 0=11534336");
    }

    @ParameterizedTest
    @MethodSource("headless")
    void queriesWithoutNames(String row, List<String> series) throws IOException {
        assertThat(FigureTexts.of(row + "\n")).isEqualTo(series);
    }

    static List<Arguments> headless() {
        return List.of(
                Arguments.of(
                        "2026/11/21 06:00:00.250, 1, NVIDIA H200, 45 %, 11 MiB, 143771 MiB, 33.5 W",
                        List.of(
                                "NVIDIA_SMI DEVICE_USED TIME 1/-1 '' 1795240800250000=11534336",
                                "NVIDIA_SMI DEVICE_TOTAL TIME 1/-1 '' 1795240800250000=150754820096")),
                Arguments.of("11 MiB", List.of("NVIDIA_SMI DEVICE_USED INDEX -1/-1 '' 0=11534336")),
                Arguments.of(
                        "1328667, /usr/bin/python3, 130004 MiB",
                        List.of("NVIDIA_SMI PROCESS_USED INDEX -1/1328667 '/usr/bin/python3' 0=136319074304")));
    }

    @Test
    void queriesOfProcessesKnowTheirDevices() throws IOException {
        assertThat(FigureTexts.of("""
                index, uuid, memory.used [MiB]
                3, GPU-a44622e3, 11 MiB

                gpu_uuid, pid, process_name, used_gpu_memory [MiB]
                GPU-a44622e3, 1328667, python3, 10 MiB
                GPU-4f31bb83, 1328668, python3, 9 MiB
                """))
                .containsExactly(
                        "NVIDIA_SMI DEVICE_USED INDEX 3/-1 '' 0=11534336",
                        "NVIDIA_SMI PROCESS_USED INDEX 3/1328667 'python3' 0=10485760",
                        "NVIDIA_SMI PROCESS_USED INDEX -1/1328668 'python3, GPU-4f31bb83' 0=9437184");
    }

    private static final String SMI = """
            Sat Nov 21 06:00:00 2026
            +-----------------------------------------------------------------------------------------+
            | NVIDIA-SMI 580.102.01             Driver Version: 581.57         CUDA Version: 13.0     |
            |-----------------------------------------+------------------------+----------------------+
            | GPU  Name                 Persistence-M | Bus-Id          Disp.A | Volatile Uncorr. ECC |
            | Fan  Temp   Perf          Pwr:Usage/Cap |           Memory-Usage | GPU-Util  Compute M. |
            |=========================================+========================+======================|
            |   0  NVIDIA A100-SXM4-40GB          On  |   00000000:01:00.0 Off |                   On |
            | N/A   35C    P0             32W /  400W |    1039MiB /  40960MiB |     N/A      Default |
            |                                         |                        |              Enabled |
            +-----------------------------------------+------------------------+----------------------+
            |   1  NVIDIA A100-SXM4-40GB          On  |   00000000:02:00.0 Off |                    0 |
            | N/A   35C    P0             32W /  400W |      17MiB /  40960MiB |      1%      Default |
            +-----------------------------------------+------------------------+----------------------+
            | MIG devices:                                                                            |
            +------------------+----------------------------------+-----------+-----------------------+
            | GPU  GI  CI  MIG |                     Memory-Usage |        Vol|        Shared         |
            |==================+==================================+===========+=======================|
            |  0    1   0   0  |              11MiB / 20096MiB    | 42      0 |  3   0    2    0    0 |
            |                  |               0MiB / 32767MiB    |           |                       |
            +------------------+----------------------------------+-----------+-----------------------+

            +-----------------------------------------------------------------------------------------+
            | Processes:                                                                              |
            |  GPU   GI   CI              PID   Type   Process name                        GPU Memory |
            |        ID   ID                                                               Usage      |
            |=========================================================================================|
            |    0    1    0             4242      C   python train.py                          5MiB |
            |    1   N/A  N/A              28      G   /Xwayland                             N/A      |
            |    1   N/A  N/A            4243    C+G   ...bin/python3                           16MiB |
            +-----------------------------------------------------------------------------------------+
            """;

    private static final List<String> SMI_SERIES = List.of(
            "NVIDIA_SMI DEVICE_USED TIME 0/-1 '' 1795240800000000=1089470464",
            "NVIDIA_SMI DEVICE_TOTAL TIME 0/-1 '' 1795240800000000=42949672960",
            "NVIDIA_SMI DEVICE_USED TIME 1/-1 '' 1795240800000000=17825792",
            "NVIDIA_SMI DEVICE_TOTAL TIME 1/-1 '' 1795240800000000=42949672960",
            "NVIDIA_SMI DEVICE_USED TIME 0/-1 'MIG 1/0' 1795240800000000=11534336",
            "NVIDIA_SMI DEVICE_TOTAL TIME 0/-1 'MIG 1/0' 1795240800000000=21072183296",
            "NVIDIA_SMI PROCESS_USED TIME 0/4242 'python train.py' 1795240800000000=5242880",
            "NVIDIA_SMI PROCESS_USED TIME 1/4243 '...bin/python3' 1795240800000000=16777216");

    @Test
    void theTable() throws IOException {
        assertThat(FigureTexts.of(SMI)).isEqualTo(SMI_SERIES);
        assertThat(FigureTexts.of("$ nvidia-smi\r\n" + SMI.replace("\n", "\r\n") + "done\r\n"))
                .isEqualTo(SMI_SERIES);
        assertThat(FigureTexts.shown(FigureTexts.read(("\ufeff" + SMI).getBytes(StandardCharsets.UTF_16LE))))
                .isEqualTo(SMI_SERIES);
    }

    @Test
    void theTableOfOldDriversAgainAndAgain() throws IOException {
        String table = """
                | NVIDIA-SMI 418.67       Driver Version: 418.67       CUDA Version: 10.1     |
                | GPU  Name        Persistence-M| Bus-Id        Disp.A | Volatile Uncorr. ECC |
                |   0  Tesla T4            Off  | 00000000:00:04.0 Off |                    0 |
                | N/A   45C    P0    26W /  70W |   %dMiB / 15079MiB |      0%%      Default |

                | Processes:                                                       GPU Memory |
                |    0      12345      C   python                                      %dMiB |
                """;
        assertThat(FigureTexts.of("step 1\n" + table.formatted(11, 9) + "step 2\n" + table.formatted(13, 10)))
                .containsExactly(
                        "NVIDIA_SMI DEVICE_USED STEP 0/-1 '' 1=11534336 2=13631488",
                        "NVIDIA_SMI DEVICE_TOTAL STEP 0/-1 '' 1=15811477504 2=15811477504",
                        "NVIDIA_SMI PROCESS_USED STEP 0/12345 'python' 1=9437184 2=10485760");
    }

    @Test
    void dmonAndPmon() throws IOException {
        assertThat(FigureTexts.of("""
                # gpu   pwr gtemp mtemp    sm   mem   enc   dec  mclk  pclk    fb  bar1
                # Idx     W     C     C     %     %     %     %   MHz   MHz    MB    MB
                    0    43    35     -     7    55     0     0  2505  1065    11     7
                    1    43    35     -     7    55     0     0  2505  1065     -     7
                """)).containsExactly("NVIDIA_SMI DEVICE_USED INDEX 0/-1 '' 0=11534336");
        assertThat(FigureTexts.of("""
                #Date       Time        gpu         pid  type    fb    command
                #YYYYMMDD   HH:MM:SS    Idx           #   C/G    MB    name
                 20261121   06:00:00      0        4242     C    11    python
                 20261121   06:00:00      1           -     -     -    -
                """))
                .containsExactly("NVIDIA_SMI PROCESS_USED TIME 0/4242 'python' 1795240800000000=11534336");
    }

    @Test
    void ofTheCorpusEveryFileHasItsSeries() throws IOException {
        Map<String, String> expected = Map.of(
                "Adial314__nvidia-monitor__gpu_log.csv", "DEVICE_USED x1 n=11, DEVICE_TOTAL x1 n=11",
                "AndyZzzZzzZzz__miris__gpu_log.csv", "DEVICE_TOTAL x1 n=107, DEVICE_USED x1 n=107",
                "eobo0530__vlm_optimization__gpu_log.csv.gz", "DEVICE_USED x1 n=2619",
                "eobo0530__vlm_optimization__nvidia-smi-table.txt", "DEVICE_USED x1 n=1, DEVICE_TOTAL x1 n=1",
                "unnamed-repo__exp23_gpu_release.txt",
                        "DEVICE_USED x8 n=16, DEVICE_TOTAL x8 n=16, PROCESS_USED x8 n=12",
                "xypp3__gpu_glasses__nvidia_smi.csv", "DEVICE_USED x8 n=43, DEVICE_TOTAL x8 n=43");
        for (Map.Entry<String, String> file : expected.entrySet()) {
            Content.Figures read =
                    FigureTexts.read(Files.readAllBytes(OutsideData.path("corpus/nvidia-smi/" + file.getKey())));
            assertThat(read.measurements().series())
                    .extracting(series -> series.subject.source())
                    .containsOnly(Source.NVIDIA_SMI);
            assertThat(counts(read.measurements().series())).as(file.getKey()).isEqualTo(file.getValue());
        }
    }

    /** By quantity, how many series and measurements there are. */
    private static String counts(List<MemorySeries> series) {
        return String.join(
                ", ",
                series.stream()
                        .map(one -> one.subject.quantity())
                        .distinct()
                        .map(quantity -> {
                            List<MemorySeries> same = series.stream()
                                    .filter(one -> one.subject.quantity() == quantity)
                                    .toList();
                            return quantity + " x" + same.size() + " n="
                                    + same.stream().mapToInt(MemorySeries::size).sum();
                        })
                        .toList());
    }

    // ---- tables of others

    @Test
    void metricsOfATrainer() throws IOException {
        assertThat(FigureTexts.of("""
                epoch,step,DeviceStatsMonitor.on_train_batch_end/allocated_bytes.all.current,DeviceStatsMonitor.on_train_batch_end/allocated_bytes.all.freed,loss
                0,49,1002,5,0.25
                0,99,1003,6,
                """)).containsExactly("MEMORY_STATS ALLOCATED STEP -1/-1 '' 49=1002 99=1003");
        assertThat(FigureTexts.of("Epoch;GPU Mem (GB);Loss\n1;5.5;0.25\n2;6.5;0.25\n"))
                .containsExactly("LOG ALLOCATED EPOCH -1/-1 'GPU Mem (GB)' 1=5905580032 2=6979321856");
    }

    @Test
    void allocatorsBesideMonitorsStayAllocators() throws IOException {
        assertThat(
                        FigureTexts.of(
                                "step,gpu temperature,max_memory_allocated,memory_allocated,memory used\n1,35,2097153,2097152,2097154\n"))
                .containsExactly(
                        "LOG PEAK_ALLOCATED STEP -1/-1 'max_memory_allocated' 1=2097153",
                        "LOG ALLOCATED STEP -1/-1 'memory_allocated' 1=2097152",
                        "NVIDIA_SMI DEVICE_USED STEP -1/-1 '' 1=2097154");
    }

    @Test
    void powerShellWritesUtf16() throws IOException {
        String text = "\ufefftimestamp, memory.used [MiB]\r\n2026/11/21 06:00:00.250, 11 MiB\r\n";
        List<String> series = List.of("NVIDIA_SMI DEVICE_USED TIME -1/-1 '' 1795240800250000=11534336");
        assertThat(FigureTexts.shown(FigureTexts.read(text.getBytes(StandardCharsets.UTF_16LE))))
                .isEqualTo(series);
        assertThat(FigureTexts.of(text)).isEqualTo(series);
    }

    @Test
    void columnsOfDevices() throws IOException {
        assertThat(FigureTexts.of("time,GPU 0 Memory (MB),cuda:1 mem_mb\n12.5,11,13\n"))
                .containsExactly(
                        "LOG ALLOCATED INDEX 0/-1 'GPU 0 Memory (MB)' 0=11534336",
                        "LOG ALLOCATED INDEX 1/-1 'cuda:1 mem_mb' 0=13631488");
        assertThat(
                        FigureTexts.of(
                                "device,VRAM Total Memory (B),VRAM Total Used Memory (B)\ncard0,17163091968,10485760\ncard1,17163091968,11\n"))
                .containsExactly(
                        "LOG DEVICE_TOTAL INDEX 0/-1 'VRAM Total Memory (B)' 0=17163091968",
                        "LOG DEVICE_USED INDEX 0/-1 'VRAM Total Used Memory (B)' 0=10485760",
                        "LOG DEVICE_TOTAL INDEX 1/-1 'VRAM Total Memory (B)' 0=17163091968",
                        "LOG DEVICE_USED INDEX 1/-1 'VRAM Total Used Memory (B)' 0=11");
    }

    // ---- torch.cuda.memory_summary()

    @Test
    void summariesAmidALog() throws IOException {
        String table = """
                |===========================================================================|
                |                  PyTorch CUDA memory summary, device ID 2                 |
                |---------------------------------------------------------------------------|
                |            CUDA OOMs: 1            |        cudaMalloc retries: 3         |
                |===========================================================================|
                |        Metric         | Cur Usage  | Peak Usage | Tot Alloc  | Tot Freed  |
                |---------------------------------------------------------------------------|
                | Allocated memory      |   1025 KiB |   2049 KiB |   5120 KiB |   4096 KiB |
                |       from large pool |   1000 KiB |   2000 KiB |   5000 KiB |   4000 KiB |
                |---------------------------------------------------------------------------|
                | Active memory         |   1026 KiB |   2050 KiB |   5120 KiB |   4096 KiB |
                | GPU reserved memory   |  40960 KiB |     81 MiB |  40960 KiB |      0 B   |
                | Non-releasable memory |    512 B   |   1023 KiB |   3072 KiB |   2049 KiB |
                | Allocations           |       5    |       7    |      20    |      15    |
                |===========================================================================|
                """;
        assertThat(FigureTexts.of("step 7\n" + table))
                .containsExactly(
                        "MEMORY_STATS OUT_OF_MEMORY STEP 2/-1 '' 7=1",
                        "MEMORY_STATS RETRIES STEP 2/-1 '' 7=3",
                        "MEMORY_STATS ALLOCATED STEP 2/-1 '' 7=1049600",
                        "MEMORY_STATS PEAK_ALLOCATED STEP 2/-1 '' 7=2098176",
                        "MEMORY_STATS ACTIVE STEP 2/-1 '' 7=1050624",
                        "MEMORY_STATS RESERVED STEP 2/-1 '' 7=41943040",
                        "MEMORY_STATS PEAK_RESERVED STEP 2/-1 '' 7=84934656",
                        "MEMORY_STATS INACTIVE_SPLIT STEP 2/-1 '' 7=512");
        assertThat(FigureTexts.read(table + table.replace("1025", "1027"))
                        .measurements()
                        .series())
                .hasSize(8)
                .allMatch(series -> series.size() == 2);
    }

    // ---- exporters

    @Test
    void dcgmWithTimes() throws IOException {
        assertThat(FigureTexts.of("""
                # HELP DCGM_FI_DEV_FB_USED Framebuffer memory used (in MiB).
                # TYPE DCGM_FI_DEV_FB_USED gauge
                DCGM_FI_DEV_GPU_TEMP{gpu="0",UUID="GPU-1",Hostname="n1"} 35 1795240800000
                DCGM_FI_DEV_FB_USED{gpu="0",UUID="GPU-1",device="nvidia0",modelName="NVIDIA H200",Hostname="n1",pod="train-0",namespace="ml"} 11 1795240800000
                DCGM_FI_DEV_FB_FREE{gpu="0",UUID="GPU-1",device="nvidia0",modelName="NVIDIA H200",Hostname="n1",pod="train-0",namespace="ml"} 13 1795240800000
                DCGM_FI_DEV_FB_USED{gpu="0",UUID="GPU-1",device="nvidia0",modelName="NVIDIA H200",Hostname="n1",pod="train-0",namespace="ml"} 12 1795240815000
                """))
                .containsExactly(
                        "EXPORTER DEVICE_USED TIME 0/-1 'n1, ml, train-0' 1795240800000000=11534336 1795240815000000=12582912",
                        "EXPORTER DEVICE_FREE TIME 0/-1 'n1, ml, train-0' 1795240800000000=13631488");
    }

    @Test
    void otherExporters() throws IOException {
        assertThat(FigureTexts.of("""
                nvidia_smi_index{uuid="GPU-1"} 4
                nvidia_smi_memory_used_bytes{uuid="GPU-1"} 1.1534336e+07
                nvidia_smi_memory_reserved_bytes{uuid="GPU-1"} 5
                nvidia_gpu_memory_total_bytes{minor_number="0",uuid="GPU-2"} 42949672960
                torch_cuda_memory_allocated_bytes{gpu="1"} 1001
                process_resident_memory_bytes 1002
                process_virtual_memory_bytes 1003
                go_memstats_alloc_bytes 1004
                vllm:gpu_cache_usage_perc{model_name="m"} 0.5
                """))
                .containsExactly(
                        "EXPORTER DEVICE_USED INDEX -1/-1 'GPU-1' 0=11534336",
                        "EXPORTER DEVICE_TOTAL INDEX 0/-1 '' 0=42949672960",
                        "EXPORTER ALLOCATED INDEX 1/-1 '' 0=1001",
                        "EXPORTER HOST_USED INDEX -1/-1 '' 0=1002",
                        "LOG POOL_SHARE INDEX -1/-1 '' 0=5000");
    }

    // ---- what is no table of figures

    @Test
    void otherTablesAreRefused() {
        assertThatThrownBy(() -> FigureTexts.read("name,loss\na,0.25\n")).hasMessageContaining("no memory figures");
        assertThatThrownBy(() -> FigureTexts.read("gpu,memory_format\n0,channels_last\n"))
                .hasMessageContaining("no memory figures");
    }
}
