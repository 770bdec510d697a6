package dev.leakline.read.log;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.leakline.InputSource;
import dev.leakline.read.Formats;
import dev.leakline.source.Content;
import dev.leakline.source.FoundMessages;
import dev.leakline.source.ReadLimits;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Texts made to be slow or to fill memory: work, counted in bytes allocated, grows no faster than the text. */
class HostileLogTest {
    private static final int TIMES = 4_000;
    /** What reading any text takes: buffers and tables. */
    private static final long CONSTANT = 4 << 20;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CUDA out of memory ",
                "CUDA out of memory. Tried to allocate 20.00 MiB ",
                "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 20.00 MiB. ",
                "Process 12 has 3.00 MiB memory in use. ",
                "4.74 GiB reserved in total by PyTorch ",
                "a.b:(a.b:(a.b:(",
                "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
                "\\\\\\\\\\\\\\\\\\\\\\\\\\\\u001b[",
                "\033[1;31m\033]0;",
                "1.2.3:4,5-6/7+",
                "[rank1]: CUDA error: out of memory\n",
                "1 MiB GiB MiB bytes 1 1 1 GiB ",
                "\r\n\r\r\n"
            })
    void workGrowsNoFasterThanTheText(String piece) throws IOException {
        allocatedFor(piece, TIMES / 4); // classes are loaded
        long once = allocatedFor(piece, TIMES);
        long fourTimes = allocatedFor(piece, 4 * TIMES);
        assertThat(fourTimes).isLessThan(5 * once + CONSTANT);
    }

    @Test
    void speakersAndMessagesAreBounded() throws IOException {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 5000; i++) {
            text.append("(W pid=")
                    .append(i)
                    .append(") CUDA out of memory. Tried to allocate ")
                    .append(i)
                    .append(".25 MiB\n");
        }
        FoundMessages log = read(text.toString(), 1);
        assertThat(log.found()).hasSize(2000);
        assertThat(log.count()).isEqualTo(5000);
        assertThat(log.omitted()).isEqualTo(3000);
    }

    /** What a log has in one line, such as in a notebook, is read as far as anybody would read it. */
    @Test
    void messagesOfOneLineAreBoundedAndCounted() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < 1500; i++) {
            line.append("torch.OutOfMemoryError: CUDA out of memory. Tried to allocate ")
                    .append(i)
                    .append(".25 MiB. ");
        }
        FoundMessages log = read(line.toString(), 1);
        assertThat(log.found()).hasSize(ReadLimits.DEFAULT.messagesOfLine());
        assertThat(log.count()).isEqualTo(1500);
        assertThat(log.omitted()).isEqualTo(500);
    }

    @Test
    void aMessageOfAnyLengthIsBounded() throws IOException {
        FoundMessages log = read(
                "CUDA out of memory. Tried to allocate 20.00 MiB. "
                        + "Process 12 has 3.00 MiB memory in use. ".repeat(90_000),
                1);
        assertThat(log.found()).hasSize(1);
        assertThat(log.found().getFirst().message().figures()).hasSizeLessThan(300);
        assertThat(log.found().getFirst().message().text()).hasSizeLessThan(9000);
    }

    private static long allocatedFor(String piece, int times) throws IOException {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        assertThat(content(piece, times).bytes()).isEqualTo((long) piece.length() * times);
        return threads.getCurrentThreadAllocatedBytes() - before;
    }

    private static FoundMessages read(String piece, int times) throws IOException {
        return Objects.requireNonNull(content(piece, times).messages());
    }

    private static Content.Figures content(String piece, int times) throws IOException {
        byte[] bytes = piece.getBytes(StandardCharsets.ISO_8859_1);
        InputStream stream = new SequenceInputStream(Collections.enumeration(IntStream.range(0, times)
                .mapToObj(_ -> (InputStream) new ByteArrayInputStream(bytes))
                .toList()));
        return (Content.Figures) new Formats(ReadLimits.DEFAULT, _ -> {})
                .read(InputSource.of("log", stream).opener(), true);
    }
}
