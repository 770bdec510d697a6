package dev.leakline.python;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The text of a Python file, and where its lines begin. Offsets count chars; lines and columns count from 1, as editors show them. */
public final class PythonText {
    /** PEP 263: a comment in one of the first two lines names the encoding. */
    private static final Pattern CODING = Pattern.compile("^[ \\t\\f]*#.*?coding[:=][ \\t]*([-\\w.]+)");

    private final String text;
    private final int[] starts;
    private final @Nullable String error;

    private PythonText(String text, @Nullable String error) {
        this.text = text;
        this.starts = lineStarts(text);
        this.error = error;
    }

    public static PythonText of(String text) {
        return new PythonText(text, text.indexOf('\0') >= 0 ? "source code contains null bytes" : null);
    }

    /** Decodes as Python does. Bytes that do not fit the encoding become replacement characters, and {@link #error} says so. */
    public static PythonText decode(byte[] bytes) {
        boolean marked =
                bytes.length >= 3 && bytes[0] == (byte) 0xEF && bytes[1] == (byte) 0xBB && bytes[2] == (byte) 0xBF;
        byte[] content = marked ? Arrays.copyOfRange(bytes, 3, bytes.length) : bytes;
        String name = marked ? null : declaredEncoding(content);
        Charset charset = StandardCharsets.UTF_8;
        if (name != null) {
            try {
                charset = Charset.forName(javaName(name));
            } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
                return new PythonText(new String(content, StandardCharsets.ISO_8859_1), "unknown encoding: " + name);
            }
        }
        try {
            return of(charset.newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(content))
                    .toString());
        } catch (CharacterCodingException e) {
            return new PythonText(new String(content, charset), "is not " + charset);
        }
    }

    private static @Nullable String declaredEncoding(byte[] bytes) {
        String head = new String(bytes, 0, Math.min(bytes.length, 400), StandardCharsets.ISO_8859_1);
        return head.lines()
                .limit(2)
                .map(CODING::matcher)
                .filter(Matcher::find)
                .map(matcher -> matcher.group(1))
                .findFirst()
                .orElse(null);
    }

    /** Python calls some encodings otherwise. */
    private static String javaName(String name) {
        String plain = name.toLowerCase(Locale.ROOT).replace('_', '-');
        return plain.startsWith("utf-8") ? "UTF-8" : plain.matches("(iso-)?latin-?1") ? "ISO-8859-1" : plain;
    }

    private static int[] lineStarts(String text) {
        int[] starts = new int[16];
        int count = 1;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\n' || (c == '\r' && (i + 1 == text.length() || text.charAt(i + 1) != '\n'))) {
                if (count == starts.length) {
                    starts = Arrays.copyOf(starts, 2 * count);
                }
                starts[count++] = i + 1;
            }
        }
        return Arrays.copyOf(starts, count);
    }

    public String text() {
        return text;
    }

    /** Why no Python would read this text, or null. */
    public @Nullable String error() {
        return error;
    }

    public int lines() {
        return starts.length;
    }

    public int line(int offset) {
        int found = Arrays.binarySearch(starts, offset);
        return found >= 0 ? found + 1 : -found - 1;
    }

    public int column(int offset) {
        int start = starts[line(offset) - 1];
        return text.codePointCount(start, offset) + 1;
    }

    /** The offset of a column of a line; the opposite of {@link #line} and {@link #column}. */
    public int offset(int line, int column) {
        return text.offsetByCodePoints(starts[line - 1], column - 1);
    }

    public int lineStart(int line) {
        return starts[line - 1];
    }

    /** The end of a line, before its line break. */
    public int lineEnd(int line) {
        int end = line < starts.length ? starts[line] : text.length();
        while (end > starts[line - 1] && (text.charAt(end - 1) == '\n' || text.charAt(end - 1) == '\r')) {
            end--;
        }
        return end;
    }

    public String lineText(int line) {
        return text.substring(lineStart(line), lineEnd(line));
    }

    public String lineBreak() {
        int end = lineEnd(1);
        return text.startsWith("\r\n", end) ? "\r\n" : text.startsWith("\r", end) ? "\r" : "\n";
    }

    /** The white space before the first word of the line. */
    public String indentation(int line) {
        String whole = lineText(line);
        int end = 0;
        while (end < whole.length() && " \t\f".indexOf(whole.charAt(end)) >= 0) {
            end++;
        }
        return whole.substring(0, end).replace("\f", "");
    }
}
