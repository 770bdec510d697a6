package dev.leakline.read.figures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.sun.management.ThreadMXBean;
import dev.leakline.read.Formats;
import dev.leakline.source.Content;
import dev.leakline.source.ReadException;
import dev.leakline.source.ReadLimits;
import dev.leakline.testkit.Thoroughness;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Figures made to be slow, to fill memory or to confuse: they are read, or refused in words. */
class HostileFiguresTest {
    private static final int TIMES = 2_000;
    /** What reading any text takes: buffers and tables. */
    private static final long CONSTANT = 16 << 20;

    private static final int PLACES = Thoroughness.of(400, 2_000);
    private static final Duration PATIENCE = Duration.ofSeconds(Thoroughness.HANGS);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mem=5MB ",
                "mem: 1/2/3/4 GB ",
                "memory memory ",
                "MemMemMem",
                "{\"mem\": 5}\n",
                "{\"mem\": {\"mem\": ",
                "a,mem,b\n1,2,3\n",
                "\"a,\"\"mem,",
                "| Allocated memory | 1 KiB |\n",
                "|  0   N/A  N/A  12 C a 5MiB |\n",
                "DCGM_FI_DEV_FB_USED{gpu=\"0\",a=\"",
                "2026-11-21 06:00:00 12:00:00 [1/2][3/4] ",
                "1,234,567,",
                "[[1,",
                "# gpu fb\n0 1\n",
                "11 MiB, ",
                "epoch step rank gpu 5 "
            })
    void workGrowsNoFasterThanTheText(String piece) {
        allocatedFor(piece, TIMES / 4); // classes are loaded
        long once = allocatedFor(piece, TIMES);
        long fourTimes = allocatedFor(piece, 4 * TIMES);
        assertThat(fourTimes).isLessThan(5 * once + CONSTANT);
    }

    @Test
    void speakersAreBounded() throws IOException {
        StringBuilder text = new StringBuilder("x\n");
        IntStream.range(0, 6_000).forEach(i -> text.append("[rank").append(i).append("]: mem=5MB\n"));
        Content.Figures file = FigureTexts.read(text.toString());
        assertThat(file.measurements().series()).hasSize(4096);
        assertThat(file.measurements().unused())
                .containsExactly("1904 measurements were left out: there are more than 4096 different series");
    }

    @Test
    void anyByteMayBeWrong() {
        List<String> texts = List.of(
                "timestamp, index, memory.used [MiB]\n2026/11/21 06:00:00.250, 0, 11 MiB\n2026/11/21 06:00:01.250, 0, 12 MiB\n",
                "[{\"step\": 3, \"allocated_bytes.all.current\": 5, \"a\": [1, 2, {\"mem\": 1e3}]}, {\"memory_mb\":"
                        + " 5, \"timestamp\": 1795238698.5}]",
                "[[1700000000000000, 1700000000000010], [[0, 5, 0, 0, 0, 7, 0, 0, 0], [0, 5, 0, 0, 0, 0, 3, 0, 1]]]",
                "2026-11-21 06:00:00,123 - INFO - Epoch [1][50/7330] memory: 5432, mem 3.2GB/24 GB, data_time: 0.1\n{\"mem\": 5}\n",
                "DCGM_FI_DEV_FB_USED{gpu=\"0\",UUID=\"GPU-1\"} 11 1795240800000\n| Allocated memory | 1025 KiB | 2 KiB | 3 KiB | 4 KiB |\n",
                "| NVIDIA-SMI 418.67 |\n|   0  Tesla T4 Off |\n| N/A 45C | 11MiB / 15079MiB |\n| Processes: |\n|    0      12345      C   python   9MiB |\n");
        assertTimeoutPreemptively(PATIENCE, () -> texts.forEach(HostileFiguresTest::flip));
    }

    private static void flip(String text) {
        Random random = new Random(20_261_121);
        byte[] whole = text.getBytes(StandardCharsets.UTF_8);
        assertThat(isRead(whole)).isTrue();
        for (int i = 0; i < PLACES; i++) {
            byte[] file = whole.clone();
            file[random.nextInt(file.length)] ^= (byte) random.nextInt(1, 256);
            assertThat(isRead(file)).isIn(true, false);
        }
    }

    private static long allocatedFor(String piece, int times) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        byte[] bytes = piece.getBytes(StandardCharsets.UTF_8);
        isRead(new SequenceInputStream(
                Collections.enumeration(Stream.generate(() -> (InputStream) new ByteArrayInputStream(bytes))
                        .limit(times)
                        .toList())));
        return threads.getCurrentThreadAllocatedBytes() - before;
    }

    private static boolean isRead(byte[] file) {
        return isRead(new ByteArrayInputStream(file));
    }

    /** Whether an input is read; what is not must be refused in words. */
    private static boolean isRead(InputStream file) {
        try {
            new Formats(ReadLimits.DEFAULT, _ -> {}).read(file);
            return true;
        } catch (ReadException e) {
            assertThat(e).hasMessageMatching("(?s).{10,}");
            return false;
        } catch (IOException e) {
            throw new AssertionError("readers may throw nothing but ReadException", e);
        }
    }
}
