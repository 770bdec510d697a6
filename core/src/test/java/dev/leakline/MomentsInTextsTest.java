package dev.leakline;

import static dev.leakline.PastedTablesTest.bytes;
import static dev.leakline.PastedTablesTest.explain;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.result.Conclusion;
import dev.leakline.result.Conclusion.Resource;
import dev.leakline.result.Conclusion.Unknown;
import dev.leakline.text.ByteSize;
import java.io.IOException;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
                "GPU[0]\t\t: VRAM Total Memory (B): 17163091968;GPU[0]\t\t: VRAM Total Used Memory (B): 8589934592 ~ fine ~ DEVICE ~ 8.00 GiB of 16.0 GiB"
            })
    void aMomentIsAnAnswer(String text, String verdict, Resource resource, String sentence) throws IOException {
        Conclusion said = explain(text.replace(';', '\n'));
        assertThat(said.verdict()).hasToString(verdict.toUpperCase(Locale.ROOT));
        assertThat(said.resource()).isEqualTo(resource);
        assertThat(said.sentence()).startsWith(sentence);
        assertThat(said.unknown()).contains(Unknown.GROWTH);
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
