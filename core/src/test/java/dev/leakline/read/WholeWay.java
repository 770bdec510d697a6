package dev.leakline.read;

import dev.leakline.Analysis;
import dev.leakline.Snapshot;
import dev.leakline.report.JsonReport;
import dev.leakline.report.Style;
import dev.leakline.report.TextReport;
import dev.leakline.result.AnalysisResult;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPInputStream;

/** The whole way of a file through the library: read, analysed, reported in every form. */
final class WholeWay {
    private static final TextReport.Options ALL = new TextReport.Options(Integer.MAX_VALUE, true, true);

    private WholeWay() {}

    /** Text and JSON of what a file holds; throws {@link ReadException} where it cannot be read, and may throw nothing else. */
    static String of(byte[] file) throws ReadException {
        return report(analyse(file));
    }

    static AnalysisResult analyse(byte[] file) throws ReadException {
        return Analysis.run(List.of(read(file)), Analysis.Options.ALL);
    }

    static String report(AnalysisResult result) {
        StringWriter json = new StringWriter();
        JsonReport.write(result, Integer.MAX_VALUE, true, json);
        return TextReport.of(result, ALL, new Style(80, false, true)) + json;
    }

    private static Snapshot read(byte[] file) throws ReadException {
        try {
            return Snapshot.read("file", new ByteArrayInputStream(file), _ -> {});
        } catch (ReadException e) {
            throw e;
        } catch (IOException e) {
            throw new UncheckedIOException("readers may throw nothing but ReadException", e);
        }
    }

    /** A recording of the real allocator, as it stands in the test resources. */
    static byte[] recorded(String name) {
        try {
            return Files.readAllBytes(Path.of("src/test/resources/snapshots", name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The same without its compression. */
    static byte[] unpacked(String name) {
        try (InputStream stream = new GZIPInputStream(new ByteArrayInputStream(recorded(name)))) {
            return stream.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
