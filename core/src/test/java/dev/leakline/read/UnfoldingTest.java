package dev.leakline.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.github.luben.zstd.Zstd;
import dev.leakline.source.ReadException;
import dev.leakline.source.ReadException.Code;
import dev.leakline.source.ReadLimits;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Small files that unfold to large ones, and large ones that hold nothing: how much of them is read. */
class UnfoldingTest {
    private static final int MIB = 1 << 20;
    private static final ReadLimits LIMITS = ReadLimits.DEFAULT.unfolding(64 * MIB, 50, MIB);
    private static final byte[] MESSAGE =
            "RuntimeError: CUDA out of memory. Tried to allocate 20.00 MiB (GPU 0; 1.95 GiB total capacity; 1.23 GiB already allocated;"
                    .getBytes(StandardCharsets.UTF_8);

    @TempDir
    private Path folder;

    @Test
    void contentThatIsFarLargerThanItsFileIsRefused() throws IOException {
        byte[] log = "step 1\n".repeat(8 * MIB / 7).getBytes(StandardCharsets.UTF_8);
        for (byte[] file : new byte[][] {gzip(log), Zstd.compress(log), gzip(gzip(log))}) {
            assertThat(refusal(file, LIMITS).code()).isEqualTo(Code.LIMIT);
            assertThat(refusal(file, LIMITS))
                    .hasMessageContaining("50 times its size")
                    .hasMessageContaining("LEAKLINE_UNFOLD=1024");
            assertThat(refusal(file, LIMITS.unfolding(64L * MIB, Integer.MAX_VALUE, MIB))
                            .code())
                    .as("trusted")
                    .isEqualTo(Code.NOT_A_SNAPSHOT);
            assertThat(refusal(file, LIMITS.unfolding(4L * MIB, Integer.MAX_VALUE, MIB)))
                    .hasMessageContaining("4.00 MiB");
        }
    }

    @Test
    void smallContentIsReadHoweverSmallItsFile() throws IOException {
        byte[] log = "step 1\n".repeat(MIB / 8).getBytes(StandardCharsets.UTF_8);
        assertThat(refusal(gzip(log), LIMITS).code()).isEqualTo(Code.NOT_A_SNAPSHOT);
    }

    @Test
    void ofWhatIsOfNoFormatOnlyTheBeginningIsSearched() throws IOException {
        int searched = (int) ReadLimits.DEFAULT.searchedBytes();
        Path near = write("near", searched - 1000);
        Path far = write("far", searched + 1000);
        Formats formats = new Formats(ReadLimits.DEFAULT, _ -> {});
        assertThat(formats.read(() -> Formats.open(near), false)).isNotNull();
        assertThat(catchThrowableOfType(ReadException.class, () -> formats.read(() -> Formats.open(far), false)))
                .hasMessageContaining("not a memory snapshot");
    }

    private Path write(String name, int zeros) throws IOException {
        Path file = folder.resolve(name);
        try (OutputStream out = Files.newOutputStream(file)) {
            out.write(new byte[zeros]);
            out.write('\n');
            out.write(MESSAGE);
        }
        return file;
    }

    private static byte[] gzip(byte[] content) throws IOException {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(file)) {
            out.write(content);
        }
        return file.toByteArray();
    }

    private static ReadException refusal(byte[] file, ReadLimits limits) {
        return catchThrowableOfType(
                ReadException.class, () -> new Formats(limits, _ -> {}).read(new ByteArrayInputStream(file)));
    }
}
