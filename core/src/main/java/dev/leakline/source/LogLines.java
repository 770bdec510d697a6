package dev.leakline.source;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.LongArrayList;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The lines of a log, without what hides words: colours, carriage returns, NULs, the escapes of JSON and of Python's repr.
 *
 * <p>A line may have any length. One of more than {@value #MOST} characters is handed out in pieces, which end between words where they
 * can; {@link #isStart} tells the first. So memory does not grow with the input. A carriage return ends a piece too, as what a progress
 * bar writes over is gone from the screen, but the line keeps its number.
 */
public final class LogLines {
    /** Longer than any message, and than nearly every line. */
    static final int MOST = 8192;

    private static final int BUFFER = 1 << 16;
    /** The longest escape that is looked at as one: a backslash, {@code u}, four digits. */
    private static final int LOOK_AHEAD = 6;
    /** A control sequence of a terminal has a few parameters; what goes on longer is none. */
    private static final int MOST_SEQUENCE = 64;

    private static final int UTF_16_BYTES = 2;
    private static final char ESCAPE = 0x1b;
    private static final char BELL = 0x07;

    private final Reader reader;
    private final int bytesPerCharacter;
    private final char[] buffer = new char[BUFFER];
    private int next;
    private int end;
    private long bufferOffset;
    private boolean isEnd;

    private final char[] text = new char[MOST];
    private final LineForm form = new LineForm();
    private final LineForms forms = new LineForms();
    private boolean isExpected;
    private long formNumber = LineForms.NONE;
    /** Where characters were left out: the next ones of the piece, and how far behind its beginning in the input they were. */
    private final IntArrayList jumps = new IntArrayList();

    private final LongArrayList origins = new LongArrayList();
    private int length;
    private int carried;
    private long number = 1;
    private boolean isStart = true;
    private boolean isNextStart = true;
    private boolean isNextLine;

    /** The lines of an input. */
    public static LogLines of(Source source) {
        Charset charset = source.head().charset();
        Reader reader = new InputStreamReader(new BufferedInputStream(source.stream()), charset);
        return new LogLines(reader, charset.equals(StandardCharsets.ISO_8859_1) ? 1 : UTF_16_BYTES);
    }

    /** Reads characters that take so many bytes each. */
    LogLines(Reader reader, int bytesPerCharacter) {
        this.reader = reader;
        this.bytesPerCharacter = bytesPerCharacter;
    }

    /** Goes to the next piece; false where there is none. */
    public boolean next() throws IOException {
        boolean isThere = read();
        if (isThere && !isUtf16()) {
            formNumber = isExpected ? forms.expected() : forms.ofLine(form.text(), length);
        }
        return isThere;
    }

    private boolean read() throws IOException {
        boolean isFresh = isNextLine;
        number += isFresh ? 1 : 0;
        isNextLine = false;
        isStart = isNextStart;
        moveCarried();
        takeExpected();
        while (length < MOST) {
            copyPlain();
            if (length == MOST) {
                break;
            }
            int character = take();
            if (character < 0) {
                isNextStart = true;
                number -= isFresh && length == 0 ? 1 : 0;
                return length > 0;
            }
            if (character == '\n' || character == '\r') {
                isNextLine = character == '\n' || peek(0) == '\n';
                next += character == '\r' && isNextLine ? 1 : 0;
                isNextStart = true;
                return true;
            }
            keep(character);
        }
        cut();
        return true;
    }

    /** Takes over all of a line that is of the form expected, but for its end. */
    private void takeExpected() {
        int to = isStart ? forms.endOfExpected(buffer, next, end) : -1;
        isExpected = to >= 0;
        if (to > next) {
            come(bufferOffset + next);
            length = to - next;
            System.arraycopy(buffer, next, text, 0, length);
            next = to;
        }
    }

    /** Takes over what stands for itself, which is nearly all there is. */
    private void copyPlain() {
        int to = next + Math.min(end - next, MOST - length);
        int copied = form.copy(buffer, next, to, text, length);
        if (copied > 0) {
            come(bufferOffset + next);
            length += copied;
            next += copied;
        }
    }

    /** The next character of the piece is from a place in the input. */
    private void come(long origin) {
        if (jumps.isEmpty() || origins.get(origins.size() - 1) + length - jumps.get(jumps.size() - 1) != origin) {
            jumps.add(length);
            origins.add(origin);
        }
    }

    /** Keeps for the next piece the word that this one would cut in two. */
    private void cut() {
        isNextStart = false;
        int blank = length;
        while (blank > 0 && text[blank - 1] != ' ') {
            blank--;
        }
        carried = blank == 0 ? 0 : MOST - blank;
        length = MOST - carried;
    }

    private void moveCarried() {
        int from = MOST - carried;
        System.arraycopy(text, from, text, 0, carried);
        int jump = carried == 0 ? jumps.size() : jump(from);
        for (int i = jump; i < jumps.size(); i++) {
            origins.set(i - jump, origins.get(i) + Math.max(from - jumps.get(i), 0));
            jumps.set(i - jump, Math.max(jumps.get(i) - from, 0));
        }
        jumps.elementsCount -= jump;
        origins.elementsCount -= jump;
        length = carried;
        carried = 0;
        form.begin();
        for (int i = 0; i < length; i++) {
            form.write(text[i], i);
        }
    }

    private void keep(int character) throws IOException {
        switch (character) {
            case 0 -> {}
            case ESCAPE -> skipSequence();
            case '\\' -> unescape();
            default -> append((char) character);
        }
    }

    private void append(char character) {
        come(bufferOffset + next - 1);
        text[length] = character == '\t' || character == 0xa0 ? ' ' : character;
        form.write(text[length], length);
        length++;
    }

    /** An escape in a string of JSON or of Python's repr; of several backslashes before it, as strings within strings have, the last counts. */
    private void unescape() throws IOException {
        switch (peek(0)) {
            case 'n', 'r', 't' -> {
                next++;
                append(' ');
            }
            case 'u' -> unescape(1, 4);
            case 'x' -> unescape(1, 2);
            case '\\', '"', '\'', '/' -> {}
            default -> append('\\');
        }
    }

    private void unescape(int from, int digits) throws IOException {
        int value = 0;
        for (int i = from; i < from + digits; i++) {
            int digit = Character.digit(peek(i), 16);
            if (digit < 0) {
                append('\\');
                return;
            }
            value = value * 16 + digit;
        }
        next += from + digits;
        switch (value) {
            case ESCAPE -> skipSequence();
            default -> append(value >= ' ' && value < 0x80 ? (char) value : ' ');
        }
    }

    /** What follows an escape character: a control sequence up to its letter, or a title up to its bell. */
    private void skipSequence() throws IOException {
        int kind = peek(0);
        if (kind != '[' && kind != ']') {
            return;
        }
        next++;
        for (int i = 0; i < MOST_SEQUENCE; i++) {
            int character = peek(0);
            if (character < ' ' && character != BELL) {
                return;
            }
            next++;
            if (kind == '[' ? character >= '@' && character <= '~' : character == BELL) {
                return;
            }
        }
    }

    private int take() throws IOException {
        int character = peek(0);
        next += character < 0 ? 0 : 1;
        return character;
    }

    /** A character from here on, or -1 behind the end. */
    private int peek(int ahead) throws IOException {
        if (next + ahead >= end && !isEnd) {
            fill();
        }
        return next + ahead < end ? buffer[next + ahead] : -1;
    }

    private void fill() throws IOException {
        System.arraycopy(buffer, next, buffer, 0, end - next);
        bufferOffset += next;
        end -= next;
        next = 0;
        while (end < LOOK_AHEAD && !isEnd) {
            int read = reader.read(buffer, end, BUFFER - end);
            isEnd = read < 0;
            end += Math.max(read, 0);
        }
    }

    /** The characters of the piece; those from {@link #length} on mean nothing. */
    public char[] text() {
        return text;
    }

    /** The number of the form of the piece ({@link LineForms}). */
    public long form() {
        return formNumber;
    }

    /** The number of the form of what stands in the piece from a place on, before which no number or word ends. */
    public long form(int from) {
        return from == 0 || isUtf16()
                ? formNumber
                : forms.ofRest(isExpected ? forms.lastText() : form.text(), from, length);
    }

    /** Characters of the piece. */
    public int length() {
        return length;
    }

    /** The byte of the input that a character of the piece was. */
    public long offset(int index) {
        int jump = jump(index);
        return (origins.get(jump) + index - jumps.get(jump)) * bytesPerCharacter;
    }

    /** Places of the piece behind which something was left out. */
    int jumps() {
        return jumps.size();
    }

    /** Writes those places, and the characters of the input that stand there. */
    void copyJumps(int[] places, long[] characters) {
        System.arraycopy(jumps.buffer, 0, places, 0, jumps.size());
        System.arraycopy(origins.buffer, 0, characters, 0, origins.size());
    }

    /** The last place at or before a character behind which nothing was left out. */
    private int jump(int index) {
        int found = Arrays.binarySearch(jumps.buffer, 0, jumps.size(), index);
        return found < 0 ? -found - 2 : found;
    }

    /** Bytes of the input that were read. */
    public long position() {
        return (bufferOffset + next) * bytesPerCharacter;
    }

    /** Lines that were read; a last one without an end counts. */
    public long count() {
        return position() == 0 ? 0 : number;
    }

    /** The number of the line, from 1. */
    public long number() {
        return number;
    }

    /** Whether the text is in UTF-16. */
    public boolean isUtf16() {
        return bytesPerCharacter == UTF_16_BYTES;
    }

    /** Whether the piece begins a line. */
    public boolean isStart() {
        return isStart;
    }
}
