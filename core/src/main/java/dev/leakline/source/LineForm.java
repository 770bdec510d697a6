package dev.leakline.source;

import java.util.Arrays;

/**
 * The form of a piece of a line: what is left of it when every digit of a number is {@link #NUMERAL}. Digits that belong to a word, as in
 * {@code layer3} and {@code v1.5}, stay what they are. It is written while the piece is; in UTF-16 it means nothing.
 */
final class LineForm {
    /** Stands for a digit of a number. Like the next one, it is no character of an input of bytes. */
    static final char NUMERAL = 0xffff;
    /** Stands for a backslash, of which the input may have several, or an escape. */
    private static final char BACKSLASH = 0xfffe;

    private static final int BYTES = 256;
    /** Bits of a kind: a character of a word; one that belongs to what stands before it; a digit. */
    private static final int WORD = 1;

    private static final int JOINED = 2;
    private static final int DIGIT_BIT = 2;
    /** The kind of what may not stand for itself: see {@link LogLines}. */
    private static final byte SPECIAL = -1;

    private static final byte[] KINDS = kinds();

    private final char[] text = new char[LogLines.MOST];
    /** 1 behind a character of a word, and behind what belongs to one; else 0. */
    private int word;

    private static byte[] kinds() {
        byte[] kinds = new byte[BYTES];
        Arrays.fill(kinds, 0, ' ', SPECIAL);
        Arrays.fill(kinds, '0', '9' + 1, (byte) ((1 << DIGIT_BIT) | JOINED));
        Arrays.fill(kinds, 'a', 'z' + 1, (byte) WORD);
        Arrays.fill(kinds, 'A', 'Z' + 1, (byte) WORD);
        kinds['_'] = WORD;
        kinds['.'] = JOINED;
        kinds['\\'] = SPECIAL;
        kinds[0xa0] = SPECIAL;
        return kinds;
    }

    /** Begins a piece. */
    void begin() {
        word = 0;
    }

    /** Copies to a place of a piece what stands for itself, and writes its form; how many characters these were. */
    int copy(char[] source, int from, int to, char[] piece, int place) {
        char[] form = text;
        int isOfWord = word;
        int at = from;
        int shift = place - from;
        while (at < to) {
            char character = source[at];
            int kind = character < BYTES ? KINDS[character] : SPECIAL;
            if (kind < 0) {
                break;
            }
            piece[at + shift] = character;
            form[at + shift] = ((kind >> DIGIT_BIT) & ~isOfWord) == 0 ? character : NUMERAL;
            isOfWord = (kind | ((kind >> 1) & isOfWord)) & 1;
            at++;
        }
        word = isOfWord;
        return at - from;
    }

    /** Writes the form of one character more. */
    void write(char character, int place) {
        int kind = character < BYTES ? Math.max(KINDS[character], 0) : 0;
        char plain = character == '\\' ? BACKSLASH : character;
        text[place] = ((kind >> DIGIT_BIT) & ~word) == 0 ? plain : NUMERAL;
        word = (kind | ((kind >> 1) & word)) & 1;
    }

    /** The form, as many characters as the piece has. */
    char[] text() {
        return text;
    }
}
