package dev.leakline.source;

import java.util.Arrays;

/**
 * Numbers the forms of lines ({@link LineForm}). Logs have few of them, so what was concluded from a form is kept beside its number
 * ({@link FormMemo}). The lines of a loop come in one order, so a line is first compared with the form that came last behind the one before.
 */
public final class LineForms {
    /** Where a line has none. */
    public static final long NONE = -1;

    /** Bits of a number that say in which place the form is kept; one that needs the place later takes it over, and has another number. */
    static final int PLACE_BITS = 11;
    /** Longer lines have no form: of logs they are few. */
    private static final int MOST = 1024;

    private final char[][] forms = new char[1 << PLACE_BITS][];
    private final int[] lengths = new int[1 << PLACE_BITS];
    private final long[] numbers = new long[1 << PLACE_BITS];
    /** By place, that of the form that came behind it. */
    private final int[] successors = new int[1 << PLACE_BITS];
    /** The place of the last line's. */
    private int last;

    private long count;

    /**
     * Where a line ends of which characters from a place on are the beginning, where it is of the form that is expected next and stands for itself;
     * -1 where it is not.
     */
    int endOfExpected(char[] text, int from, int to) {
        int place = successors[last];
        char[] form = forms[place];
        int end = from + lengths[place];
        if (form == null || end >= to || (text[end] != '\n' && text[end] != '\r')) {
            return -1;
        }
        for (int i = from; i < end; i++) {
            char wanted = form[i - from];
            char character = text[i];
            if (character != wanted && (wanted != LineForm.NUMERAL || character < '0' || character > '9')) {
                return -1;
            }
        }
        return end;
    }

    /** The number of the form that was expected, as the line is of it. */
    long expected() {
        last = successors[last];
        return numbers[last];
    }

    /** The number of the form of a line, or {@link #NONE}. */
    long ofLine(char[] form, int length) {
        if (length > MOST) {
            return NONE;
        }
        int place = place(form, 0, length);
        successors[last] = place;
        last = place;
        return numbers[place];
    }

    /** The form of the last line. */
    char[] lastText() {
        return forms[last];
    }

    /** The number of the form of a part of a line, or {@link #NONE}. */
    long ofRest(char[] form, int from, int to) {
        return to - from > MOST ? NONE : numbers[place(form, from, to)];
    }

    private int place(char[] form, int from, int to) {
        int hash = to - from;
        for (int i = from; i < to; i++) {
            hash = hash * 31 + form[i];
        }
        int place = (hash ^ (hash >>> PLACE_BITS) ^ (hash >>> (2 * PLACE_BITS))) & (forms.length - 1);
        char[] known = forms[place];
        if (known == null || lengths[place] != to - from || !Arrays.equals(form, from, to, known, 0, to - from)) {
            takeOver(place, form, from, to - from);
        }
        return place;
    }

    private void takeOver(int place, char[] form, int from, int length) {
        char[] old = forms[place];
        if (old == null || old.length < length) {
            forms[place] = Arrays.copyOfRange(form, from, from + length);
        } else {
            System.arraycopy(form, from, old, 0, length);
        }
        lengths[place] = length;
        numbers[place] = (count++ << PLACE_BITS) | place;
    }
}
