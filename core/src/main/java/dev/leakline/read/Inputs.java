package dev.leakline.read;

import com.github.luben.zstd.ZstdIOException;
import com.github.luben.zstd.ZstdInputStream;
import dev.leakline.primitive.Printable;
import dev.leakline.read.ReadException.Code;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/** Tells by its first bytes what an input is, and takes compression away. */
final class Inputs {
    /** Enough of an input to tell what it is, byte order marks and leading blank lines included. */
    static final int HEAD = 4096;

    private static final int BUFFER = 1 << 16;
    /** A file compressed twice is a mistake that happens; more often than this nobody makes it. */
    private static final int MAX_COMPRESSIONS = 3;

    /** What an input is, once nothing compresses it. */
    enum Kind {
        PICKLE,
        JSON,
        /** What the probe writes of the objects of a process. */
        HOLDERS,
        /** JSON that Leakline wrote. */
        REPORT,
        /** A trace of torch.profiler. */
        TRACE,
        /** Figures: JSON of other kinds, and text. */
        MEASUREMENTS,
        HTML
    }

    /** An input whose kind is known; {@code compression} is {@code gzip}, {@code zstd} or empty. */
    record Sniffed(Kind kind, String compression, InputStream stream) {}

    /** What tells a trace that begins with other things: its events. */
    private static final Pattern TRACE_EVENTS = Pattern.compile("\"traceEvents\"\\s*:\\s*\\[");

    private Inputs() {}

    /** An input that nothing compresses any more; {@code compression} is {@code gzip}, {@code zstd} or empty. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Opened(byte[] head, String compression, InputStream stream) {}

    /** Opens a file; errors do not name it, since whoever asked for it knows best how to. */
    static InputStream open(Path path) throws IOException {
        if (Files.isDirectory(path)) {
            throw new ReadException(Code.UNREADABLE, -1, "it is a directory; name a file in it");
        }
        try {
            return Files.newInputStream(path);
        } catch (NoSuchFileException e) {
            throw new ReadException(Code.UNREADABLE, -1, "there is no such file");
        } catch (AccessDeniedException e) {
            throw new ReadException(Code.UNREADABLE, -1, "no permission to read it");
        }
    }

    /** Looks at the first bytes; the stream answered stands at the beginning of the uncompressed input. */
    static Sniffed sniff(InputStream raw, ReadLimits limits) throws IOException {
        Opened opened = open(raw, limits);
        Kind kind = kind(opened.head);
        boolean mayBeOther = (kind == Kind.MEASUREMENTS || kind == Kind.JSON) && firstInk(opened.head) == '{';
        return new Sniffed(
                mayBeOther && hasTraceEvents(opened.stream) ? Kind.TRACE : kind, opened.compression, opened.stream);
    }

    /** Programs put what they know of the machine before the events of a trace: up to 26 kB have been seen. */
    private static boolean hasTraceEvents(InputStream stream) throws IOException {
        stream.mark(BUFFER);
        try {
            return TRACE_EVENTS.matcher(text(stream.readNBytes(BUFFER))).find();
        } catch (IOException e) {
            return false; // whoever reads it will meet the error again
        } finally {
            stream.reset();
        }
    }

    /** Takes compression away. */
    static Opened open(InputStream raw, ReadLimits limits) throws IOException {
        InputStream stream = new BufferedInputStream(raw, BUFFER);
        String compression = "";
        for (int i = 0; i < MAX_COMPRESSIONS; i++) {
            byte[] head = head(stream);
            if (startsWith(head, 0x1f, 0x8b)) {
                compression = "gzip";
                stream = inflated(new GZIPInputStream(stream, BUFFER), limits);
            } else if (startsWith(head, 0x28, 0xb5, 0x2f, 0xfd)) {
                compression = "zstd";
                stream = inflated(new ZstdInputStream(stream), limits);
            } else {
                return new Opened(head, compression, stream);
            }
        }
        throw new ReadException(Code.NOT_A_SNAPSHOT, 0, "it is compressed " + MAX_COMPRESSIONS + " times over");
    }

    private static InputStream inflated(InputStream stream, ReadLimits limits) {
        return new BufferedInputStream(new LimitedInput(stream, limits.inflatedBytes()), BUFFER);
    }

    private static byte[] head(InputStream stream) throws IOException {
        stream.mark(HEAD);
        try {
            byte[] head = stream.readNBytes(HEAD);
            stream.reset();
            return head;
        } catch (IOException e) {
            throw explain(e, 0);
        }
    }

    /** What an input is by its first bytes; fails where that is no snapshot. */
    static Kind kind(byte[] head) throws ReadException {
        if (head.length == 0) {
            throw new ReadException(Code.EMPTY, 0, "it is empty");
        }
        if (HoldersReader.isDump(head)) {
            return Kind.HOLDERS;
        }
        refuseKnownOthers(head);
        int first = firstInk(head);
        return switch (first) {
            case '{', '[' -> json(text(head));
            case '<' -> Kind.HTML;
            case 0x80 -> Kind.PICKLE;
            case '(', ']', '}' -> EvidenceKind.isPickle(head) ? Kind.PICKLE : text(first, head);
            default -> text(first, head);
        };
    }

    /** JSON is a snapshot's unless it is known to be something else's: errors about it then name what is missing. */
    private static Kind json(String text) {
        JsonHead head = new JsonHead(text);
        if (head.isOurs()) {
            return Kind.REPORT;
        }
        if (head.isTrace()) {
            return Kind.TRACE;
        }
        return head.isFigures() && !EvidenceKind.isSnapshotJson(text) ? Kind.MEASUREMENTS : Kind.JSON;
    }

    /** Texts are in UTF-8, or in UTF-16 behind a byte order mark, as PowerShell writes them. */
    private static Kind text(int first, byte[] head) throws ReadException {
        boolean isUtf16 = startsWith(head, 0xff, 0xfe) || startsWith(head, 0xfe, 0xff);
        if (!isUtf16 && (first < ' ' || EvidenceKind.hasControls(head))) {
            throw notASnapshot(describe(head));
        }
        return Kind.MEASUREMENTS;
    }

    /** Fails for files that are known and hold nothing to read. */
    static void refuseKnownOthers(byte[] head) throws ReadException {
        if (startsWith(head, 'P', 'K', 3, 4)) {
            boolean isCheckpoint = text(head).contains("data.pkl");
            throw notASnapshot(
                    isCheckpoint
                            ? "it is a torch checkpoint (weights, not a memory snapshot)"
                            : "it is a zip archive; unpack it first");
        }
        if (startsWith(head, 0x80, 2, 0x8a, 10, 0x6c, 0xfc, 0x9c, 0x46)) {
            throw notASnapshot("it is an old torch checkpoint (weights, not a memory snapshot)");
        }
        if (HoldersReader.isDump(head)) {
            throw notASnapshot("it is a holder dump; leakline holders says what it holds");
        }
        if (startsWith(head, 0x89, 'P', 'N', 'G')) {
            throw notASnapshot("it is a PNG image");
        }
        if (startsWith(head, 0x7f, 'E', 'L', 'F')) {
            throw notASnapshot("it is a program");
        }
    }

    /** A character for each byte. */
    static String text(byte[] head) {
        return new String(head, StandardCharsets.ISO_8859_1);
    }

    /** The first byte that is neither blank nor part of a byte order mark. */
    static int firstInk(byte[] head) {
        int from = startsWith(head, 0xef, 0xbb, 0xbf) ? 3 : 0;
        for (int i = from; i < head.length; i++) {
            if (!Character.isWhitespace(head[i])) {
                return head[i] & 0xff;
            }
        }
        return ' ';
    }

    static String describe(byte[] head) {
        String text = new String(head, 0, Math.min(head.length, 60), StandardCharsets.UTF_8);
        String line = text.strip().lines().findFirst().orElse("");
        boolean isText = line.chars().allMatch(c -> c >= ' ' && c != 0xfffd);
        return isText ? "it begins with the text '" + Printable.of(line, 40) + "'" : firstBytes(head);
    }

    /** The first few bytes, for people. */
    static String firstBytes(byte[] head) {
        StringBuilder bytes = new StringBuilder("it begins with the bytes");
        for (int i = 0; i < Math.min(head.length, 8); i++) {
            bytes.append(String.format(" %02x", head[i]));
        }
        return bytes.toString();
    }

    static ReadException notASnapshot(String what) {
        return new ReadException(
                Code.NOT_A_SNAPSHOT,
                0,
                "not a memory snapshot: " + what
                        + ". Expected what torch.cuda.memory._dump_snapshot() writes: a pickle, plain, gzip or zstd, or JSON of the same");
    }

    /** That a text or JSON holds no figures, and what would be some. */
    static ReadException noFigures(byte[] head) {
        return new ReadException(
                Code.NOT_A_SNAPSHOT,
                0,
                "not a memory snapshot, and no figures of memory are in it: " + describe(head)
                        + ". Expected what torch.cuda.memory._dump_snapshot() writes, or sizes beside words for memory: in a log"
                        + " (--pattern says which others), nvidia-smi's output, memory_stats(), telemetry");
    }

    private static boolean startsWith(byte[] head, int... bytes) {
        for (int i = 0; i < bytes.length; i++) {
            if (i >= head.length || (head[i] & 0xff) != bytes[i]) {
                return false;
            }
        }
        return true;
    }

    /** A failure of the stream below as one that says what it means for the input. */
    static ReadException explain(IOException failure, long offset) {
        return switch (failure) {
            case ReadException known -> known;
            case EOFException _ ->
                new ReadException(
                        Code.TRUNCATED,
                        offset,
                        "its compressed data ends in the middle, after " + offset + " bytes of content");
            case ZipException _ -> damaged(failure, offset);
            case ZstdIOException _ -> damaged(failure, offset);
            default ->
                new ReadException(
                        Code.UNREADABLE, offset, "reading fails at byte " + offset + ": " + failure.getMessage());
        };
    }

    private static ReadException damaged(IOException failure, long offset) {
        boolean isCut = String.valueOf(failure.getMessage()).contains("Truncated");
        return new ReadException(
                isCut ? Code.TRUNCATED : Code.DAMAGED,
                offset,
                "its compressed data is damaged after " + offset + " bytes of content: " + failure.getMessage());
    }
}
