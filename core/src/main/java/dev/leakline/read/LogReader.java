package dev.leakline.read;

import dev.leakline.read.Inputs.Opened;
import dev.leakline.read.ReadException.Code;
import dev.leakline.result.InputFile;
import dev.leakline.result.OutOfMemoryLog;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds the messages about memory that ran out in any text: logs of one process or of many, JSON lines, notebooks, pages; plain, gzip or
 * zstd; UTF-8, UTF-16 or anything else that holds ASCII.
 *
 * <p>It reads once, in time that grows with the length of the text, and in a bounded piece of memory.
 */
public final class LogReader {
    /** Speakers that are listened to at a time; the messages of others, who were silent longest, end. */
    private static final int MOST_SPEAKERS = 1024;
    /** How often to tell how far reading has come, in pieces of text. */
    private static final int PIECES_PER_REPORT = 1 << 12;

    private static final int UTF_16_BYTES = 2;

    private final LongConsumer progress;
    private final LogTokens tokens = new LogTokens(LogVocabulary.DEFAULT);

    /** A reader that tells {@code progress} now and then how many uncompressed bytes it has come to. */
    public LogReader(LongConsumer progress) {
        this.progress = progress;
    }

    /** Reads a text to its end; {@code name} stands for it in reports. The stream stays the caller's to close. */
    public OutOfMemoryLog read(String name, InputStream stream) throws IOException {
        try {
            Opened opened = Inputs.open(stream, ReadLimits.DEFAULT);
            Inputs.refuseKnownOthers(opened.head());
            return new Pass(name, opened).run();
        } catch (IOException e) {
            throw Inputs.explain(e, 0);
        }
    }

    /** One text. */
    private final class Pass {
        private final String name;
        private final Opened opened;
        private final Charset charset;
        private final LogLines lines;
        private final MessageGroups groups = new MessageGroups();
        private final Map<String, MessageParser> parsers = new LinkedHashMap<>(16, 0.75f, true);
        private MessageParser current;
        private long pieces;

        Pass(String name, Opened opened) throws IOException {
            this.name = name;
            this.opened = opened;
            this.charset = charset(opened.head());
            this.lines = new LogLines(
                    text(opened.stream(), charset), charset.equals(StandardCharsets.ISO_8859_1) ? 1 : UTF_16_BYTES);
            this.current = parser(Speaker.NOBODY);
        }

        OutOfMemoryLog run() throws IOException {
            String incomplete = null;
            try {
                while (lines.next()) {
                    listen();
                }
            } catch (IOException e) {
                ReadException known = Inputs.explain(e, lines.position());
                if (lines.position() == 0) {
                    throw known;
                }
                incomplete = known.getMessage();
            }
            parsers.values().forEach(MessageParser::close);
            if (groups.found().isEmpty() && EvidenceKind.hasControls(opened.head())) {
                throw new ReadException(
                        Code.NOT_A_SNAPSHOT,
                        0,
                        "neither a memory snapshot nor a text: " + Inputs.firstBytes(opened.head()));
            }
            return result(incomplete);
        }

        private void listen() {
            int from = 0;
            if (lines.isStart()) {
                Speaker speaker = Speaker.of(lines.text(), lines.length());
                from = speaker.end();
                current = parser(speaker);
            }
            current.beginPiece(from);
            tokens.cut(lines.text(), from, lines.length(), current);
            current.endPiece();
            if (++pieces % PIECES_PER_REPORT == 0) {
                progress.accept(lines.position());
            }
        }

        private MessageParser parser(Speaker speaker) {
            MessageParser known = parsers.get(speaker.name());
            if (known != null) {
                return known;
            }
            if (parsers.size() >= MOST_SPEAKERS) {
                Map.Entry<String, MessageParser> oldest =
                        parsers.entrySet().iterator().next();
                oldest.getValue().close();
                parsers.remove(oldest.getKey());
            }
            MessageParser parser = new MessageParser(lines, groups, speaker.rank());
            parsers.put(speaker.name(), parser);
            return parser;
        }

        private OutOfMemoryLog result(@Nullable String incomplete) {
            String encoding = charset.equals(StandardCharsets.ISO_8859_1) ? "" : ", UTF-16";
            String compression = opened.compression().isEmpty() ? "" : ", " + opened.compression();
            return new OutOfMemoryLog(
                    new InputFile(name, "text" + encoding + compression, lines.position(), "", incomplete),
                    lines.count(),
                    groups.found(),
                    groups.omitted(),
                    groups.mentions(),
                    groups.mentionCount());
        }
    }

    /** UTF-16 says so by its first two bytes; of anything else, bytes are read, of which only those of ASCII are looked at. */
    static Charset charset(byte[] head) {
        boolean isLittle = head.length > 1 && head[0] == (byte) 0xff && head[1] == (byte) 0xfe;
        boolean isBig = head.length > 1 && head[0] == (byte) 0xfe && head[1] == (byte) 0xff;
        return isLittle ? StandardCharsets.UTF_16LE : isBig ? StandardCharsets.UTF_16BE : StandardCharsets.ISO_8859_1;
    }

    /** The characters of a text. */
    static Reader text(InputStream stream, Charset charset) {
        return new InputStreamReader(new BufferedInputStream(stream), charset);
    }
}
