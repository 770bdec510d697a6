package dev.leakline.source;

import dev.leakline.text.Printable;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/** The first bytes of an input that nothing compresses any more: what tells its format. */
public final class Head {
    private static final int[] UTF_8_MARK = {0xef, 0xbb, 0xbf};

    private final byte[] bytes;

    public Head(byte[] bytes) {
        this.bytes = bytes.clone();
    }

    /** Returns whether there is nothing in the input. */
    public boolean isEmpty() {
        return bytes.length == 0;
    }

    /** A character for each byte, without the byte order mark of UTF-8. */
    public String text() {
        int from = hasMark() ? UTF_8_MARK.length : 0;
        return new String(bytes, from, bytes.length - from, StandardCharsets.ISO_8859_1);
    }

    private boolean hasMark() {
        return startsWith(UTF_8_MARK);
    }

    /** Returns whether the input begins with these bytes, given as numbers from 0 to 255. */
    public boolean startsWith(int... expected) {
        for (int i = 0; i < expected.length; i++) {
            if (i >= bytes.length || (bytes[i] & 0xff) != expected[i]) {
                return false;
            }
        }
        return true;
    }

    /** The first byte that is neither blank nor part of a byte order mark; a blank where there is none. */
    public int firstInk() {
        for (int i = hasMark() ? UTF_8_MARK.length : 0; i < bytes.length; i++) {
            if (!Character.isWhitespace(bytes[i])) {
                return bytes[i] & 0xff;
            }
        }
        return ' ';
    }

    /** Returns whether it begins as JSON does, with an object or a list. */
    public boolean isBracketed() {
        return firstInk() == '{' || firstInk() == '[';
    }

    /** Returns whether there are bytes that texts do not have; terminals' escapes and the NULs of rotated logs are in some. */
    public boolean hasControls() {
        for (byte value : bytes) {
            if (value > 0 && value < ' ' && value != 0x1b && (value < '\b' || value > '\r')) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether it may be a text: UTF-16, or nothing that texts do not have. */
    public boolean mayBeText() {
        return !charset().equals(StandardCharsets.ISO_8859_1) || !hasControls();
    }

    /** UTF-16 says so by its first two bytes; of anything else, bytes are read, of which only those of ASCII are looked at. */
    public Charset charset() {
        return startsWith(0xff, 0xfe)
                ? StandardCharsets.UTF_16LE
                : startsWith(0xfe, 0xff) ? StandardCharsets.UTF_16BE : StandardCharsets.ISO_8859_1;
    }

    /** How it begins, for people: its first line, or its first bytes where that is no text. */
    public String describe() {
        String text = new String(bytes, 0, Math.min(bytes.length, 60), StandardCharsets.UTF_8);
        String line = text.strip().lines().findFirst().orElse("");
        boolean isText = line.chars().allMatch(c -> c >= ' ' && c != 0xfffd);
        return isText ? "it begins with the text '" + Printable.of(line, 40) + "'" : firstBytes();
    }

    /** Its first few bytes, for people. */
    public String firstBytes() {
        StringBuilder text = new StringBuilder("it begins with the bytes");
        for (int i = 0; i < Math.min(bytes.length, 8); i++) {
            text.append(String.format(" %02x", bytes[i]));
        }
        return text.toString();
    }
}
