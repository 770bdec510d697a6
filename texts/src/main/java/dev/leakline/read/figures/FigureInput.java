package dev.leakline.read.figures;

import dev.leakline.columns.Measurements;
import dev.leakline.columns.MemorySeries;
import dev.leakline.read.figures.TimelineSeries.TimelineRows;
import dev.leakline.source.Clue;
import dev.leakline.source.Content;
import dev.leakline.source.JsonParsers;
import dev.leakline.source.ReadException;
import dev.leakline.source.ReadException.Code;
import dev.leakline.source.ReadLimits;
import dev.leakline.source.Source;
import dev.leakline.source.lines.LogLines;
import dev.leakline.source.lines.Speaker;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** The figures of one input as they are gathered: from a document of JSON, or line by line from a text. */
public final class FigureInput {
    private final ReadLimits limits;
    private final LongConsumer progress;
    private final SeriesBook book = new SeriesBook();
    private final RowReader rows = new RowReader(book);
    private final TextFigures lines;
    private String speaker = "";
    private long bytes;

    /** Figures of an input; in texts, those that {@code pattern} finds, where it is not null. */
    public FigureInput(ReadLimits limits, LongConsumer progress, @Nullable LinePattern pattern) {
        this.limits = limits;
        this.progress = progress;
        this.lines = new TextFigures(book, rows, pattern, this::line);
    }

    /** Reads JSON to its end; of several values one after the other, all. */
    void json(InputStream stream, boolean isTimeline) throws IOException {
        JsonParser parser = JsonParsers.open(stream, limits, limits.reportNesting());
        try {
            JsonRows values = new JsonRows(parser, rows, Utterance.of(""));
            while (parser.nextToken() != null) {
                value(parser, values, isTimeline);
                progress.accept(offset(parser));
            }
        } catch (JacksonException e) {
            throw JsonParsers.explain(e, offset(parser));
        } finally {
            bytes = offset(parser);
        }
    }

    private void value(JsonParser parser, JsonRows values, boolean isTimeline) throws IOException {
        if (isTimeline && parser.currentToken() == JsonToken.START_ARRAY) {
            parser.nextToken();
            new TimelineRows(parser, new TimelineSeries(book)).read();
        } else {
            values.read();
        }
    }

    private static long offset(JsonParser parser) {
        return Math.max(parser.currentLocation().getByteOffset(), 0);
    }

    /**
     * Takes the piece of a line at which {@code pieces} stand; {@code mark} is who speaks, where a line begins with it, and {@code form} the form of what is
     * said ({@link dev.leakline.source.lines.LineForms}).
     */
    public void take(LogLines pieces, Speaker mark, long form) throws ReadException {
        speaker = pieces.isStart() ? name(mark) : speaker;
        book.at(pieces.number());
        lines.read(pieces, mark.end(), speaker, form);
        bytes = pieces.position();
        if (lines.isHopeless()) {
            throw new ReadException(
                    Code.LIMIT,
                    bytes,
                    "the pattern is too slow (nested repetitions?); stopped at line " + pieces.number());
        }
    }

    private static String name(Speaker speaker) {
        return speaker.rank() < 0 ? speaker.name() : "rank " + speaker.rank();
    }

    /** Reads a line that may be an object of JSON; what is none is a line like others. */
    private boolean line(String line, Utterance speech) {
        InputStream stream = new ByteArrayInputStream(line.getBytes(StandardCharsets.UTF_8));
        try {
            JsonParser parser = JsonParsers.open(stream, limits, limits.reportNesting());
            parser.nextToken();
            new JsonRows(parser, rows, speech).read();
            return true;
        } catch (IOException | JacksonException e) {
            return false;
        }
    }

    /** Returns whether nothing has been found. */
    public boolean isEmpty() {
        return book.isEmpty() && rows.calls().isEmpty();
    }

    /** Measurements that were found so far. */
    public long found() {
        return book.added() + rows.calls().size();
    }

    /** Lines of figures that were left out, as nobody knows their names and they came once; after {@link #finish}. */
    public List<Long> unsure() {
        return book.unsure();
    }

    /** The clues that monitors, kernels and servers print of one moment, in the order of lines. */
    public List<Clue> printed() {
        return lines.notes();
    }

    /** Bytes that were read. */
    public long bytes() {
        return bytes;
    }

    /** The figures found, named after their sources and their form; if there are none, after the form alone. */
    public Content.Figures finish(Source source, String form, @Nullable ReadException truncation) {
        List<MemorySeries> series = book.finish();
        Measurements measurements = new Measurements(rows.calls(), series, notes());
        String kind = kind(series);
        return new Content.Figures(
                measurements, source.format(kind.isEmpty() ? form : kind + ", " + form), bytes, truncation);
    }

    private List<String> notes() {
        List<String> notes = new ArrayList<>(rows.notes());
        notes.addAll(book.notes());
        if (lines.givenUp() > 0) {
            notes.add(lines.givenUp() + " lines were skipped because the pattern is too slow on them");
        }
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

    private static String name(MemorySeries.Source source) {
        return switch (source) {
            case TELEMETRY -> "telemetry";
            case PROFILER -> "profiler's samples";
            case MEMORY_STATS -> "memory_stats";
            case NVIDIA_SMI -> "nvidia-smi";
            case EXPORTER -> "Prometheus metrics";
            case TIMELINE -> "memory timeline";
            case MONITOR -> "host monitor";
            case LOG -> "log";
        };
    }
}
