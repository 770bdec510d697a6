package dev.leakline.read;

import dev.leakline.read.ReadException.Code;
import dev.leakline.read.figures.LinePattern;
import dev.leakline.read.figures.RowReader;
import dev.leakline.read.figures.SeriesBook;
import dev.leakline.read.figures.Speech;
import dev.leakline.read.figures.TextFigures;
import dev.leakline.read.figures.Timeline;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** An input with figures on its way into a book: as one document of JSON, or line by line. */
final class FigureInput {
    /** How often to tell how far reading has come, in lines. */
    private static final int LINES_PER_REPORT = 1 << 12;

    private static final int UTF_16_BYTES = 2;

    private final ReadLimits limits;
    private final LongConsumer progress;
    private final SeriesBook book;
    private final RowReader rows;
    private final TextFigures lines;
    private long bytes;

    FigureInput(
            ReadLimits limits, LongConsumer progress, SeriesBook book, RowReader rows, @Nullable LinePattern pattern) {
        this.limits = limits;
        this.progress = progress;
        this.book = book;
        this.rows = rows;
        this.lines = new TextFigures(book, rows, pattern, this::line);
    }

    /** Reads JSON to its end; of several values one after the other, all. */
    void json(InputStream stream, boolean isTimeline) throws IOException {
        JsonParser parser = JsonParsers.open(stream, limits, limits.reportNesting());
        try {
            JsonRows values = new JsonRows(parser, rows, Speech.of(""));
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
            new TimelineRows(parser, new Timeline(book)).read();
        } else {
            values.read();
        }
    }

    private static long offset(JsonParser parser) {
        return Math.max(parser.currentLocation().getByteOffset(), 0);
    }

    /** Reads a text to its end. */
    void text(InputStream stream, Charset charset) throws IOException {
        LogLines pieces = new LogLines(
                LogReader.text(stream, charset), charset.equals(StandardCharsets.ISO_8859_1) ? 1 : UTF_16_BYTES);
        String speaker = "";
        for (long count = 0; pieces.next(); count++) {
            Speaker mark = pieces.isStart() ? Speaker.of(pieces.text(), pieces.length()) : Speaker.NOBODY;
            speaker = pieces.isStart() ? name(mark) : speaker;
            lines.read(new String(pieces.text(), mark.end(), pieces.length() - mark.end()), speaker);
            bytes = pieces.position();
            if (lines.isHopeless()) {
                throw new ReadException(
                        Code.LIMIT,
                        bytes,
                        "the pattern takes too long, as repetitions within repetitions do; given up at line "
                                + pieces.number());
            }
            if (count % LINES_PER_REPORT == 0) {
                progress.accept(bytes);
            }
        }
    }

    private static String name(Speaker speaker) {
        return speaker.rank() < 0 ? speaker.name() : "rank " + speaker.rank();
    }

    /** Reads a line that may be an object of JSON; what is none is a line like others. */
    private boolean line(String line, Speech speech) {
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

    /** Bytes that were read. */
    long bytes() {
        return bytes;
    }

    /** What was left out, in sentences. */
    List<String> notes() {
        List<String> notes = new ArrayList<>();
        if (lines.givenUp() > 0) {
            notes.add(lines.givenUp() + " lines are left out, as the pattern takes too long on them");
        }
        if (lines.outOfMemory() > 0) {
            notes.add(lines.outOfMemory() + " lines are about memory that ran out; leakline oom explains them");
        }
        return notes;
    }
}
