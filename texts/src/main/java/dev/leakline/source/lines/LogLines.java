package dev.leakline.source.lines;

import dev.leakline.source.Source;
import dev.leakline.source.lines.PieceReader.End;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/**
 * The lines of a log, without what hides words: colours, carriage returns, NULs, the escapes of JSON and of Python's repr.
 *
 * <p>A line may have any length. One of more than {@value PieceText#MOST} characters is handed out in pieces, which end between words where they
 * can; {@link #isStart} tells the first. So memory does not grow with the input. A carriage return ends a piece too, as what a progress
 * bar writes over is gone from the screen, but the line keeps its number.
 *
 * <p>Nearly all lines stand for themselves: those are told by their bytes, and get characters where somebody asks ({@link PlainLines}). Others are read
 * a character at a time ({@link PieceReader}), and so are texts in UTF-16, whose lines have no forms.
 */
public final class LogLines {
    private static final int UTF_16_BYTES = 2;

    private final LineForms forms = new LineForms();
    private final PlainLines plain;
    private final PieceReader reader;
    private final int bytesPerCharacter;
    private final long[] packed = new long[PieceText.MOST / Long.BYTES + 2];
    private boolean isPlain;
    private int length;
    private long form = LineForms.NONE;
    private long number = 1;
    private boolean isStart = true;
    private boolean isNextStart = true;
    private boolean isNextLine;

    /** The lines of an input. */
    public static LogLines of(Source source) {
        Charset charset = source.head().charset();
        return charset.equals(StandardCharsets.ISO_8859_1)
                ? new LogLines(source.stream())
                : new LogLines(new InputStreamReader(new BufferedInputStream(source.stream()), charset));
    }

    /** Reads characters of a byte each. */
    LogLines(InputStream stream) {
        LogBytes bytes = new LogBytes(stream);
        plain = new PlainLines(bytes, forms);
        reader = new PieceReader(bytes);
        bytesPerCharacter = 1;
    }

    private LogLines(Reader utf16) {
        plain = new PlainLines(new LogBytes(InputStream.nullInputStream()), forms);
        reader = new PieceReader(utf16::read);
        bytesPerCharacter = UTF_16_BYTES;
    }

    /** Goes to the next piece; false where there is none. */
    public boolean next() throws IOException {
        boolean isFresh = isNextLine;
        number += isFresh ? 1 : 0;
        isNextLine = false;
        isStart = isNextStart;
        isNextStart = true;
        LineForm next = isStart && !isUtf16() && reader.isBetween() ? plain.next() : null;
        isPlain = next != null;
        return next == null ? read(isFresh) : take(next);
    }

    private boolean take(LineForm next) {
        isNextLine = plain.isEndOfLine();
        length = next.length();
        form = next.number();
        return true;
    }

    private boolean read(boolean isFresh) throws IOException {
        if (!isUtf16() && reader.isBetween()) {
            reader.goTo(plain.position());
        }
        End end = reader.read();
        length = reader.piece().length();
        boolean isThere = end != End.INPUT || length > 0;
        number -= isFresh && !isThere ? 1 : 0;
        isNextLine = end == End.LINE;
        isNextStart = end != End.CUT;
        form = isUtf16() ? LineForms.NONE : formOfPiece();
        return isThere;
    }

    private long formOfPiece() {
        ByteWords.pack(reader.piece().text(), length, packed);
        if (length > LineForms.MOST) {
            return LineForms.NONE;
        }
        LineForm known = forms.of(packed, 0, length);
        forms.goTo(known);
        return known.number();
    }

    /** The characters of the piece; those from {@link #length} on mean nothing. */
    public char[] text() {
        return isPlain ? plain.line().text() : reader.piece().text();
    }

    /** The byte that a character is, which is of an input of bytes. */
    public byte at(int index) {
        return isPlain ? plain.line().at(index) : (byte) reader.piece().text()[index];
    }

    /** Copies bytes from a place on. */
    public void copy(int from, byte[] bytes, int count) {
        if (isPlain) {
            plain.line().copy(from, bytes, count);
        } else {
            for (int i = 0; i < count; i++) {
                bytes[i] = at(from + i);
            }
        }
    }

    /** The number of the form of the piece ({@link LineForms}). */
    public long form() {
        return form;
    }

    /** The number of the form of what stands in the piece from a place on, before which no number or word ends. */
    public long form(int from) {
        if (from == 0 || isUtf16() || length - from > LineForms.MOST) {
            return from == 0 ? form : LineForms.NONE;
        }
        return (isPlain ? plain.rest(from, length) : forms.of(packed, from, length - from)).number();
    }

    /** Characters of the piece. */
    public int length() {
        return length;
    }

    /** Has a copy of the piece be what this stands at. */
    void copyTo(LogPiece piece) {
        if (isPlain) {
            piece.goTo(plain.line());
        } else {
            piece.goTo(reader.piece());
        }
    }

    /** Bytes of the input that were read. */
    public long position() {
        return !isUtf16() && reader.isBetween() ? plain.position() : reader.position() * bytesPerCharacter;
    }

    /** Lines that were read; a last one without an end counts. */
    public long count() {
        return position() == 0 ? 0 : number;
    }

    /** The number of the line, from 1. */
    public long number() {
        return number;
    }

    /** Returns whether the text is in UTF-16. */
    public boolean isUtf16() {
        return bytesPerCharacter == UTF_16_BYTES;
    }

    /** Returns whether the piece begins a line. */
    public boolean isStart() {
        return isStart;
    }
}
