package dev.leakline.read.figures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leakline.columns.MemorySeries;
import dev.leakline.columns.MemorySeries.Quantity;
import dev.leakline.source.Content;
import dev.leakline.source.ReadException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Figures in the logs of training scripts: lines as trainers and people print them. */
class LogFiguresTest {
    /** What stands between a heading of a text, so that no line begins it. */
    private static final String TITLE = "training begins\n";

    @Test
    void unitsAreDecimalWhereTheTextDividesByAPowerOfTen() throws IOException {
        String code = "    mem = torch.cuda.memory_allocated() / 1e6\n";
        assertThat(again(code + "epoch 3  mem 3221.0 MB\n")).contains("LOG ALLOCATED EPOCH -1/-1 'mem' 3=3221000000");
        assertThat(again(code + "epoch 3  mem 3072.0 MiB\n")).contains("LOG ALLOCATED EPOCH -1/-1 'mem' 3=3221225472");
        assertThat(again("lr 1e-6\nepoch 3  mem 3072.0 MB\n")).contains("LOG ALLOCATED EPOCH -1/-1 'mem' 3=3221225472");
    }

    @Test
    void aNumberInBracketsIsOfTheNameBeforeIt() throws IOException {
        assertThat(again(TITLE + "step 1000 | rss_main 7.9 GiB | rss_workers(8) 48.0 GiB\n"))
                .contains("LOG HOST_USED STEP -1/-1 'rss_workers' 1000=51539607552");
    }

    @Test
    void largeNumbersRightBehindTheirNamesAreBytes() throws IOException {
        assertThat(
                        of(
                                "step 1 cuda allocated 500000\nstep 2 cuda allocated 50332160\nstep 3 cuda allocated 60332160\nstep 3 tokens 70332160\nstep 4 tokens 80332160\n"))
                .containsExactly("LOG ALLOCATED STEP -1/-1 'cuda allocated' 2=50332160 3=60332160");
    }

    // ---- trainers

    @Test
    void mmcvAndMmengine() throws IOException {
        assertThat(of("""
                2023-05-04 12:00:00,123 - mmdet - INFO - Epoch [1][50/7330]\tlr: 1.978e-03, eta: 1 day, 2:03:04, time: 0.533, data_time: 0.049, memory: 5432, loss: 0.51
                2023-05-04 12:00:27,123 - mmdet - INFO - Epoch [1][100/7330]\tlr: 1.978e-03, eta: 1 day, 2:03:04, time: 0.533, data_time: 0.049, memory: 5433, loss: 0.50
                2023-05-04 13:00:27,123 - mmdet - INFO - Epoch [2][50/7330]\tlr: 1.978e-03, eta: 1 day, 2:03:04, time: 0.533, data_time: 0.049, memory: 5434, loss: 0.50
                """))
                .containsExactly("LOG PEAK_ALLOCATED STEP -1/-1 'memory' 50=5695864832 100=5696913408 7380=5697961984");
        assertThat(of(
                        "05/04 12:00:00 - mmengine - INFO - Epoch(train)  [3][  50/7330]  lr: 1.9780e-03  eta: 1 day, 2:03:04  time: 0.5331  data_time: 0.0495"
                                + "  memory: 5432  loss: 0.5107"))
                .containsExactly("LOG PEAK_ALLOCATED STEP -1/-1 'memory' 22040=5695864832");
        assertThat(
                        of(
                                "{\"mode\": \"train\", \"epoch\": 1, \"iter\": 50, \"lr\": 0.002, \"memory\": 5432, \"data_time\": 0.049, \"loss\": 0.5, \"time\": 0.53}"))
                .containsExactly("LOG PEAK_ALLOCATED STEP -1/-1 'memory' 50=5695864832");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "[05/04 12:00:00 d2.utils.events]:  eta: 3:05:10  iter: 19  total_loss: 5.512  time: 0.4127  last_time: 0.4  data_time: 0.05  lr: 1e-05  max_mem: 4321M"
                        + " ~ LOG PEAK_ALLOCATED STEP -1/-1 'max_mem' 19=4530896896",
                "Train: [2/300][50/1251]\teta 5:00:00 lr 0.000100\t wd 0.0500\ttime 14.9 (14.9)\tloss 6.9 (6.9)\tgrad_norm 1.5 (2.5)\tmem 15346MB"
                        + " ~ LOG PEAK_ALLOCATED STEP -1/-1 'mem' 2552=16091447296",
                "Epoch: [2]  [  50/1000]  eta: 0:10:05  lr: 0.000100  class_error: 12.50  loss: 5.5 (5.5)  time: 0.5  data: 0.01  max mem: 4321"
                        + " ~ LOG PEAK_ALLOCATED STEP -1/-1 'max mem' 2050=4530896896",
                "[rank0]:[titan] 2024-05-04 12:00:00,123 - root - INFO - step: 10  loss:  8.2  memory:  0.50GiB(0.40%)  tps: 1,234  mfu: 1.2%"
                        + " ~ LOG PEAK_RESERVED STEP -1/-1 'rank 0, memory' 10=536870912",
                "[2023-05-04 12:00:00,123] [INFO] [timer.py:199:stop] epoch=0/micro_step=10/global_step=5, RunningAvgSamplesPerSec=5.5, MemAllocated=0.5GB, MaxMemAllocated=8.25GB"
                        + " ~ LOG ALLOCATED STEP -1/-1 'MemAllocated' 5=536870912; LOG PEAK_ALLOCATED STEP -1/-1 'MaxMemAllocated' 5=8858370048",
                "[Rank 3] (after 20 iterations) memory (MB) | allocated: 1.5 | max allocated: 2.5 | reserved: 4.0 | max reserved: 5.0"
                        + " ~ LOG ALLOCATED STEP -1/-1 'rank 3, allocated' 20=1572864; LOG PEAK_ALLOCATED STEP -1/-1 'rank 3, max allocated' 20=2621440;"
                        + " LOG RESERVED STEP -1/-1 'rank 3, reserved' 20=4194304; LOG PEAK_RESERVED STEP -1/-1 'rank 3, max reserved' 20=5242880",
                " iteration       10/  500000 | consumed samples:         2560 | elapsed time per iteration (ms): 1500.5 | mem-allocated-bytes: 3145729 | loss scale: 1.0 |"
                        + " ~ LOG ALLOCATED STEP -1/-1 'mem-allocated-bytes' 10=3145729",
                "Epoch 3:  50%|█████     | 50/100 [00:10<00:10, 5.0it/s, v_num=0, mem=3.25GB]"
                        + " ~ LOG ALLOCATED STEP -1/-1 'mem' 350=3489660928",
                "Step 7 | loss:1.25 lr:0.0002 tokens_per_second_per_gpu:512.5 peak_memory_active:5.5 peak_memory_alloc:4.25 peak_memory_reserved:6.5"
                        + " ~ LOG PEAK_ALLOCATED STEP -1/-1 'peak_memory_active' 7=5905580032; LOG PEAK_ALLOCATED STEP -1/-1 'peak_memory_alloc' 7=4563402752;"
                        + " LOG PEAK_RESERVED STEP -1/-1 'peak_memory_reserved' 7=6979321856",
                "step:4 - global_seqlen/mean:512.0 - perf/max_memory_allocated_gb:45.5 - perf/max_memory_reserved_gb:50.25 - perf/cpu_memory_used_gb:100.5"
                        + " ~ LOG PEAK_ALLOCATED STEP -1/-1 'perf/max_memory_allocated_gb' 4=48855252992; LOG PEAK_RESERVED STEP -1/-1 'perf/max_memory_reserved_gb' 4=53955526656;"
                        + " LOG HOST_USED STEP -1/-1 'perf/cpu_memory_used_gb' 4=107911053312"
            })
    void trainers(String line, String series) throws IOException {
        assertThat(again(line)).containsExactly(series.split("; ", -1));
    }

    @Test
    void dictionariesThatPythonPrints() throws IOException {
        assertThat(of("""
                {'loss': 0.5, 'grad_norm': 1.5, 'memory(GiB)': 2.5, 'train_speed(iter/s)': 0.25, 'epoch': 0.5, 'global_step/max_steps': '10/100'}
                {'loss': 0.4, 'grad_norm': 1.5, 'memory(GiB)': 2.75, 'train_speed(iter/s)': 0.25, 'epoch': 1.0, 'global_step/max_steps': '20/100'}
                """)).containsExactly("LOG ALLOCATED STEP -1/-1 'memory(GiB)' 10=2684354560 20=2952790016");
        assertThat(of("{'loss': 0.5, 'memory/max_mem_allocated(gib)': 1.5, 'epoch': 0.25}"))
                .containsExactly("LOG PEAK_ALLOCATED EPOCH -1/-1 'memory/max_mem_allocated(gib)' 0.250=1610612736");
    }

    @Test
    void memoryStatsAsPythonPrintsThem() throws IOException {
        List<String> series = List.of(
                "MEMORY_STATS ALLOCATED STEP -1/-1 '' 5=1002",
                "MEMORY_STATS PEAK_ALLOCATED STEP -1/-1 '' 5=1003",
                "MEMORY_STATS OUT_OF_MEMORY STEP -1/-1 '' 5=2");
        assertThat(of(
                        "step 5 OrderedDict([('active.all.current', 7), ('allocated_bytes.all.current', 1002), ('allocated_bytes.all.peak', 1003),"
                                + " ('allocated_bytes.small_pool.current', 8), ('num_ooms', 2)])"))
                .isEqualTo(series);
        assertThat(
                        of(
                                "step 5: {'active.all.current': 7, 'allocated_bytes.all.current': 1002, 'allocated_bytes.all.peak': 1003, 'num_ooms': 2}"))
                .isEqualTo(series);
        assertThat(
                        of(
                                "step 5\n{'active.all.current': 7,\n 'allocated_bytes.all.current': 1002,\n 'allocated_bytes.all.peak': 1003,\n 'num_ooms': 2}\n"))
                .isEqualTo(series);
    }

    @Test
    void theMomentAtWhichMemoryIsGivenBackIsNoneOfWhatIsMeasured() throws IOException {
        assertThat(again("""
                Before release: 6.0 GB
                After release: 1.5 GB
                GPU memory after cleanup: 2.5 GB
                """))
                .containsExactly(
                        "LOG ALLOCATED INDEX -1/-1 'Before release' 0=6442450944",
                        "LOG ALLOCATED INDEX -1/-1 'After release' 0=1610612736",
                        "LOG ALLOCATED INDEX -1/-1 'GPU memory after cleanup' 0=2684354560");
    }

    @Test
    void whatIsFreedAndWhatFilesHoldIsNoLevel() throws IOException {
        assertThat(again("""
                memory allocated: 1.5 GB
                memory freed after cleanup: 2.5 GB
                After upload: 3.5 GB
                After quantization: 3.9 GB
                Released: 2.0 GB
                """)).containsExactly("LOG ALLOCATED INDEX -1/-1 'memory allocated' 0=1610612736");
    }

    @Test
    void deepSpeed() throws IOException {
        assertThat(of("""
                [2023-05-04 12:00:00,123] [INFO] [utils.py:785:see_memory_usage] after forward
                [2023-05-04 12:00:00,123] [INFO] [utils.py:786:see_memory_usage] MA 1.25 GB         Max_MA 1.5 GB         CA 1.75 GB         Max_CA 2 GB
                [2023-05-04 12:00:00,123] [INFO] [utils.py:793:see_memory_usage] CPU Virtual Memory:  used = 10.1 GB, percent = 5.0%
                """))
                .containsExactly(
                        "LOG ALLOCATED TIME -1/-1 'MA' 1683201600123000=1342177280",
                        "LOG PEAK_ALLOCATED TIME -1/-1 'Max_MA' 1683201600123000=1610612736",
                        "LOG RESERVED TIME -1/-1 'CA' 1683201600123000=1879048192",
                        "LOG PEAK_RESERVED TIME -1/-1 'Max_CA' 1683201600123000=2147483648",
                        "LOG HOST_USED TIME -1/-1 'used' 1683201600123000=10844792422");
    }

    @Test
    void fairseq() throws IOException {
        assertThat(
                        of(
                                "2023-05-04 12:00:00 | INFO | train_inner | {\"epoch\": 1, \"update\": 0.1, \"loss\": \"8.2\", \"num_updates\": \"100\", \"gb_free\": \"5.5\", \"wall\": \"123\"}"))
                .containsExactly("LOG DEVICE_FREE STEP -1/-1 'gb_free' 100=5905580032");
    }

    @Test
    void ultralytics() throws IOException {
        assertThat(of("""
                      Epoch    GPU_mem   box_loss   cls_loss   dfl_loss  Instances       Size
                        1/100      2.25G      1.512      2.345      1.234         16        640: 100%|██████████| 2/2 [00:01<00:00,  1.5it/s]
                                 Class     Images  Instances      Box(P          R      mAP50  mAP50-95): 100%|██████████| 1/1
                                   all          4         17      0.5

                      Epoch    GPU_mem   box_loss   cls_loss   dfl_loss  Instances       Size
                        2/100      2.5G      1.512      2.345      1.234         16        640: 100%|██████████| 2/2 [00:01<00:00,  1.5it/s]
                """)).containsExactly("LOG RESERVED EPOCH -1/-1 'GPU_mem (reserved)' 1=2415919104 2=2684354560");
    }

    // ---- people

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "memory allocated: 3145729 ~ LOG ALLOCATED INDEX -1/-1 'memory allocated' 0=3145729",
                "Allocated: 3.25 GB, Cached: 4.5 GB ~ LOG ALLOCATED INDEX -1/-1 'Allocated' 0=3489660928; LOG RESERVED INDEX -1/-1 'Cached' 0=4831838208",
                "3.25 GB allocated, 4.5 GB reserved ~ LOG ALLOCATED INDEX -1/-1 'allocated' 0=3489660928; LOG RESERVED INDEX -1/-1 'reserved' 0=4831838208",
                "epoch 4 Max CUDA memory allocated was 15 GB ~ LOG PEAK_ALLOCATED EPOCH -1/-1 'Max CUDA memory allocated was' 4=16106127360",
                "iter=40 torch.cuda.memory_allocated() = 12.5 MiB ~ LOG ALLOCATED STEP -1/-1 'torch.cuda.memory_allocated' 40=13107200",
                "GPU 1 memory: 3.5GB / 24.0GB ~ LOG DEVICE_USED INDEX 1/-1 'memory' 0=3758096384; LOG DEVICE_TOTAL INDEX 1/-1 'memory' 0=25769803776",
                "VRAM: 5.5/24.0 GB ~ LOG DEVICE_USED INDEX -1/-1 'VRAM' 0=5905580032; LOG DEVICE_TOTAL INDEX -1/-1 'VRAM' 0=25769803776",
                "cuda:2 mem 1,234 MiB ~ LOG ALLOCATED INDEX 2/-1 'mem' 0=1293942784",
                "GPU memory: allocated 3.5 GiB, reserved 4 GiB (peak 5 GiB) ~ LOG ALLOCATED INDEX -1/-1 'allocated' 0=3758096384;"
                        + " LOG RESERVED INDEX -1/-1 'reserved' 0=4294967296; LOG PEAK_ALLOCATED INDEX -1/-1 'peak' 0=5368709120",
                "RSS 512 MB, gpu_mem=100MB ~ LOG HOST_USED INDEX -1/-1 'RSS' 0=536870912; LOG ALLOCATED INDEX -1/-1 'gpu_mem' 0=104857600",
                "memory at step 12: 5 GiB ~ LOG ALLOCATED STEP -1/-1 'memory at step' 12=5368709120"
            })
    void people(String line, String series) throws IOException {
        assertThat(again(line)).containsExactly(series.split("; ", -1));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Memory usage: 45%",
                "gpu_memory_utilization=0.9 memory_fraction: 0.8",
                "memory bandwidth 900.5 GB/s",
                "Downloading model.safetensors 5.2 GB",
                "pin_memory=True, num_workers=4",
                "Llama-3-8B memory efficient attention, 7B params",
                "allocated 5 nodes in 3 seconds",
                "memory increased by 5 MB",
                "max_split_size_mb:128",
                "2024-01-02 10:00:00 step 5 loss 0.25"
            })
    void nearMissesAreNone(String line) {
        assertThatThrownBy(() -> of(line)).isInstanceOf(ReadException.class).hasMessageContaining("no memory figures");
    }

    // ---- where figures belong

    @Test
    void theStepBeforeHolds() throws IOException {
        assertThat(of("mem=1MB\nstep 3 loss 0.5\nmem=2MB\nstep 4 loss 0.5\nmem=3MB\n"))
                .containsExactly(
                        "LOG ALLOCATED INDEX -1/-1 'mem' 0=1048576",
                        "LOG ALLOCATED STEP -1/-1 'mem' 3=2097152 4=3145728");
    }

    @Test
    void stepsThatBeginAnewGoOn() throws IOException {
        assertThat(
                        of(
                                "epoch 0 step 50 mem=1MB\nepoch 0 step 100 mem=2MB\nepoch 1 step 0 mem=3MB\nepoch 1 step 50 mem=4MB\nepoch 1 step 49 mem=5MB\n"))
                .containsExactly(
                        "LOG ALLOCATED STEP -1/-1 'mem' 50=1048576 100=2097152 100=3145728 150=4194304 149=5242880");
    }

    @Test
    void timesCountWhereNoStepDoes() throws IOException {
        assertThat(of("INFO [2026-11-21 06:00:00.5] mem=1MB\nINFO [2026-11-21 06:00:01] mem=2MB\n"))
                .containsExactly("LOG ALLOCATED TIME -1/-1 'mem' 1795240800500000=1048576 1795240801000000=2097152");
        assertThat(of("23:59:59 mem=1MB\n00:00:01 mem=2MB\n"))
                .containsExactly("LOG ALLOCATED ELAPSED -1/-1 'mem' 86399000000=1048576 86401000000=2097152");
    }

    @Test
    void ranksHaveStepsOfTheirOwn() throws IOException {
        assertThat(
                        of(
                                "[rank0]: step 1\n[rank1]: step 7\n[rank0]: mem=1MB\n[rank1]: mem=2MB\n[rank0]: mem=3MB\n[rank1]: mem=4MB\n"))
                .containsExactly(
                        "LOG ALLOCATED STEP -1/-1 'rank 0, mem' 1=1048576 1=3145728",
                        "LOG ALLOCATED STEP -1/-1 'rank 1, mem' 7=2097152 7=4194304");
    }

    // ---- units that nobody says

    @ParameterizedTest
    @CsvSource({"512,3145728,1", "0,1048575,1048576", "5.25,79.5,1073741824", "1.5,345.5,1048576"})
    void theLargestNumberTellsTheUnit(double first, double second, long unit) throws IOException {
        Content.Figures file = FigureTexts.read(TITLE + "mem: " + first + "\nmem: " + second + "\n");
        MemorySeries series = FigureTexts.only(file, Quantity.ALLOCATED);
        assertThat(FigureTexts.values(series)).containsExactly(Math.round(first * unit), Math.round(second * unit));
        assertThat(file.measurements().unused())
                .hasSize(1)
                .first()
                .asString()
                .startsWith("no unit given for 'mem'; assumed ");
    }

    // ---- texts

    @Test
    void messagesAboutMemoryThatRanOutAreNoFigures() throws IOException {
        Content.Figures file = FigureTexts.read(TITLE + "mem=1MB\nCUDA out of memory. Tried to allocate 2.00 GiB\n");
        assertThat(file.measurements().series())
                .allSatisfy(series -> assertThat(series.size()).isEqualTo(1));
        assertThat(Objects.requireNonNull(file.messages()).count()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "(RayTrainWorker pid=1234) ",
                "[2026-11-21 06:00:00] ",
                "[rank0]: ",
                "{'loss': 0.5} ",
                "{\"loss\": 0.5}\n",
                "] ",
                "\ufeff[INFO] "
            })
    void logsMayBeginLikeOtherThings(String beginning) throws IOException {
        assertThat(FigureTexts.of(beginning + "mem=2MB\n"))
                .hasSize(1)
                .first()
                .asString()
                .contains("mem' ")
                .endsWith("=2097152");
    }

    @Test
    void coloursAndUtf16AndLongLines() throws IOException {
        assertThat(again("\033[32mstep 3\033[0m \033[1mmem\033[0m=2MB"))
                .containsExactly("LOG ALLOCATED STEP -1/-1 'mem' 3=2097152");
        Content.Figures file = FigureTexts.read("\ufeffstep 3\r\nmem=2MB\r\n".getBytes(StandardCharsets.UTF_16LE));
        assertThat(FigureTexts.shown(file)).containsExactly("LOG ALLOCATED STEP -1/-1 'mem' 3=2097152");
        String words = "word ".repeat(5000);
        assertThat(again("step 3 " + words + "mem=2MB " + words))
                .containsExactly(
                        "LOG ALLOCATED STEP -1/-1 'word word word word word word word word word word word mem' 3=2097152");
    }

    /** The first measurement of each figure of a line that comes again. */
    private static List<String> again(String lines) throws IOException {
        return of(lines + "\n" + lines + "\n").stream()
                .map(series -> series.replaceFirst("( \\S+=\\d+) \\S+=\\d+$", "$1"))
                .toList();
    }

    private static List<String> of(String lines) throws IOException {
        return FigureTexts.of(TITLE + lines);
    }
}
