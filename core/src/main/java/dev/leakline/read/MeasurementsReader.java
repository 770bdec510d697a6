package dev.leakline.read;

import dev.leakline.columns.Measurements;
import dev.leakline.columns.MemorySeries;
import dev.leakline.columns.MemorySeries.Source;
import dev.leakline.read.Inputs.Sniffed;
import dev.leakline.read.ReadException.Code;
import dev.leakline.read.figures.LinePattern;
import dev.leakline.read.figures.RowReader;
import dev.leakline.read.figures.SeriesBook;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads figures: profiles of functions, telemetry, counters, monitors, logs. The content decides what they are. It reads once, in a bounded
 * piece of memory; what was read before an input ends too early is kept.
 */
final class MeasurementsReader {
    /** Enough to tell a document of JSON from lines of it: {@code memory_stats()} takes some 6,000 bytes. */
    private static final int HEAD = 1 << 16;

    private final ReadLimits limits;
    private final LongConsumer progress;
    private final @Nullable LinePattern pattern;
    private final SeriesBook book = new SeriesBook();
    private final RowReader rows = new RowReader(book);

    /** A reader of one input that tells {@code progress} now and then how many uncompressed bytes it has come to. */
    MeasurementsReader(ReadLimits limits, LongConsumer progress, @Nullable LinePattern pattern) {
        this.limits = limits;
        this.progress = progress;
        this.pattern = pattern;
    }

    /** Reads an input to its end. */
    MeasurementsFile read(Sniffed sniffed) throws IOException {
        sniffed.stream().mark(HEAD);
        byte[] head = sniffed.stream().readNBytes(HEAD);
        sniffed.stream().reset();
        JsonHead json = new JsonHead(Inputs.text(head));
        boolean isText = !isBracket(Inputs.firstInk(head)) || json.isText();
        FigureInput input = new FigureInput(limits, progress, book, rows, pattern);
        ReadException truncation = null;
        try {
            if (isText) {
                input.text(sniffed.stream(), LogReader.charset(head));
            } else {
                input.json(sniffed.stream(), json.isTimeline());
            }
        } catch (IOException e) {
            truncation = kept(Inputs.explain(e, input.bytes()));
        }
        return file(sniffed, head, isText ? "text" : "JSON", input, truncation);
    }

    private static boolean isBracket(int first) {
        return first == '{' || first == '[';
    }

    /** Why an input is not whole, provided that there is anything of it. */
    private ReadException kept(ReadException failure) throws ReadException {
        boolean isNothing = book.isEmpty() && rows.calls().isEmpty();
        if (isNothing || failure.code() == Code.LIMIT) {
            throw failure;
        }
        return failure;
    }

    private MeasurementsFile file(
            Sniffed sniffed, byte[] head, String form, FigureInput input, @Nullable ReadException truncation)
            throws ReadException {
        List<MemorySeries> series = book.finish();
        if (series.isEmpty() && rows.calls().isEmpty()) {
            throw Inputs.noFigures(head);
        }
        String compression = sniffed.compression().isEmpty() ? "" : ", " + sniffed.compression();
        Measurements measurements = new Measurements(rows.calls(), series, notes(input));
        return new MeasurementsFile(measurements, kind(series) + ", " + form + compression, input.bytes(), truncation);
    }

    private List<String> notes(FigureInput input) {
        List<String> notes = new ArrayList<>(rows.notes());
        notes.addAll(book.notes());
        notes.addAll(input.notes());
        return notes;
    }

    private String kind(List<MemorySeries> series) {
        String kinds = series.stream()
                .map(one -> name(one.subject.source()))
                .distinct()
                .collect(Collectors.joining(" and "));
        return rows.calls().isEmpty()
                ? kinds
                : series.isEmpty() ? "function profile" : "function profile with " + kinds;
    }

    private static String name(Source source) {
        return switch (source) {
            case TELEMETRY -> "telemetry";
            case PROFILER -> "profiler's samples";
            case MEMORY_STATS -> "memory_stats";
            case NVIDIA_SMI -> "nvidia-smi";
            case EXPORTER -> "Prometheus metrics";
            case TIMELINE -> "memory timeline";
            case LOG -> "log";
        };
    }
}
