package dev.leakline.report;

import dev.leakline.Analysis;
import dev.leakline.Analysis.Illustrated;
import dev.leakline.InputSource;
import dev.leakline.Repository;
import dev.leakline.Snapshot;
import dev.leakline.codec.Codec;
import dev.leakline.report.html.HtmlReport;
import dev.leakline.report.html.HtmlReport.Bundle;
import dev.leakline.report.terminal.Style;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.WhatIf;
import dev.leakline.source.ReadException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import java.util.zip.GZIPInputStream;

/** The whole way of a file through the library: read, analysed, reported in every form. */
public final class WholeWay {
    private static final TextReport.Options ALL = new TextReport.Options(Integer.MAX_VALUE, true, true);

    /** The ways in which the allocator differs most. */
    private static final List<String> REPLAYED = List.of("expandable_segments:True", "max_split_size_mb:32");

    private WholeWay() {}

    /** All that is said of what a file holds; throws {@link ReadException} where it cannot be read, and may throw nothing else. */
    public static String of(byte[] file) throws ReadException {
        List<Snapshot> snapshots = List.of(read(file));
        Illustrated illustrated = Analysis.illustrate(snapshots, Analysis.Options.ALL);
        return report(illustrated.result()) + page(illustrated) + (isReplayable(snapshots) ? replays(snapshots) : "");
    }

    private static boolean isReplayable(List<Snapshot> snapshots) {
        try {
            for (Snapshot snapshot : snapshots) {
                snapshot.replayable();
            }
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static int page(Illustrated illustrated) {
        ByteArrayOutputStream page = new ByteArrayOutputStream();
        try {
            HtmlReport.write(illustrated.result(), illustrated.pictures(), new Bundle("", ""), page);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return page.size();
    }

    private static String replays(List<Snapshot> snapshots) {
        WhatIf whatIf = Analysis.whatIf(snapshots, 0, REPLAYED);
        StringWriter json = new StringWriter();
        Codec.write(whatIf, json);
        return WhatIfText.of(whatIf, "", new Style(60, false, true)) + json;
    }

    static AnalysisResult analyse(byte[] file) throws ReadException {
        return Analysis.run(List.of(read(file)), Analysis.Options.ALL);
    }

    static String report(AnalysisResult result) {
        StringWriter json = new StringWriter();
        Codec.write(result.shown(Integer.MAX_VALUE, true), json);
        return TextReport.of(result, ALL, new Style(80, false, true)) + json;
    }

    private static Snapshot read(byte[] file) throws ReadException {
        try {
            return Snapshot.open(InputSource.of("file", new ByteArrayInputStream(file)));
        } catch (ReadException e) {
            throw e;
        } catch (IOException e) {
            throw new UncheckedIOException("readers may throw nothing but ReadException", e);
        }
    }

    /** A recording of the real allocator, as it stands in the test resources of core. */
    static byte[] recorded(String name) {
        try {
            return Files.readAllBytes(Repository.root()
                    .resolve("core/src/test/resources/snapshots")
                    .resolve(name));
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
