package dev.leakline.source;

import java.util.Arrays;

/**
 * Numbers the forms of lines: what is left of a line when every digit of a number is the same digit. Logs have few of them, so what was concluded
 * from a form is kept beside its number ({@link FormMemo}). Digits that belong to a word, as in {@code layer3} and {@code v1.5}, stay what they are.
 */
public final class LineForms {
    /** Where a line has none. */
    public static final long NONE = -1;

    /** Bits of a number that say in which place the form is kept; one that needs the place later takes it over, and has another number. */
    static final int PLACE_BITS = 11;
    /** Longer lines have no form: of logs they are few. */
    private static final int MOST = 1024;

    private static final int ASCII = 128;
    private static final byte OTHER = 0;
    private static final byte DIGIT = 1;
    /** Belongs to what stands before it. */
    private static final byte POINT = 2;

    private static final byte WORD = 3;
    private static final byte[] KINDS = kinds();

    private final char[][] forms = new char[1 << PLACE_BITS][];
    private final int[] lengths = new int[1 << PLACE_BITS];
    private final long[] numbers = new long[1 << PLACE_BITS];
    private final char[] form = new char[MOST];
    private long count;

    private static byte[] kinds() {
        byte[] kinds = new byte[ASCII];
        Arrays.fill(kinds, '0', '9' + 1, DIGIT);
        Arrays.fill(kinds, 'a', 'z' + 1, WORD);
        Arrays.fill(kinds, 'A', 'Z' + 1, WORD);
        kinds['_'] = WORD;
        kinds['.'] = POINT;
        return kinds;
    }

    /** The number of the form of a part of a line, or {@link #NONE}. */
    public long of(char[] text, int from, int to) {
        int length = to - from;
        if (length > MOST) {
            return NONE;
        }
        int hash = write(text, from, length);
        int place = (hash ^ (hash >>> PLACE_BITS) ^ (hash >>> (2 * PLACE_BITS))) & (forms.length - 1);
        char[] known = forms[place];
        if (known == null || lengths[place] != length || !Arrays.equals(form, 0, length, known, 0, length)) {
            takeOver(place, length);
        }
        return numbers[place];
    }

    private int write(char[] text, int from, int length) {
        int hash = length;
        boolean isOfWord = false;
        for (int i = 0; i < length; i++) {
            char character = text[from + i];
            byte kind = character < ASCII ? KINDS[character] : OTHER;
            if (kind == DIGIT) {
                character = isOfWord ? character : '0';
            } else if (kind != POINT) {
                isOfWord = kind == WORD;
            }
            form[i] = character;
            hash = hash * 31 + character;
        }
        return hash;
    }

    private void takeOver(int place, int length) {
        char[] old = forms[place];
        if (old == null || old.length < length) {
            forms[place] = Arrays.copyOf(form, length);
        } else {
            System.arraycopy(form, 0, old, 0, length);
        }
        lengths[place] = length;
        numbers[place] = (count++ << PLACE_BITS) | place;
    }
}
