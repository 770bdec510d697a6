package dev.leakline.read.figures;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.leakline.read.Formats;
import dev.leakline.source.ReadException;
import dev.leakline.source.ReadLimits;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Any text: its figures are read, or it is refused with a {@link ReadException}. See {@code PickleFuzzTest}. */
class FiguresFuzzTest {
    @FuzzTest(maxDuration = "5m")
    void anyTextIsReadOrRefused(byte[] text) {
        try {
            new Formats(ReadLimits.DEFAULT, _ -> {}).read(new ByteArrayInputStream(text));
        } catch (ReadException e) {
            // refused, as most inputs are
        } catch (IOException e) {
            throw new UncheckedIOException("readers may throw nothing but ReadException", e);
        }
    }
}
