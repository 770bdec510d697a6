package dev.leakline.source.lines;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The form that lines share which differ only in digits: which of these are of numbers. Digits that belong to a word, as in {@code layer3} and
 * {@code v1.5}, are not.
 */
final class LineShape {
    private static final int BYTES = 256;
    /** Bits of a kind: a character of a word; one that belongs to what stands before it; a digit; one that may not stand for itself. */
    private static final int WORD = 1;

    private static final int JOINED = 2;
    private static final int DIGIT = 4;
    private static final int SPECIAL = 8;
    /** Bits in which digits differ. */
    private static final long DIGITS = 0x0f;

    private static final byte[] KINDS = kinds();

    private final long hash;
    private final int length;
    private final long[] numerals;
    private boolean isPlain = true;
    /** The form of the last line of this shape. */
    private @Nullable LineForm last;

    private static byte[] kinds() {
        byte[] kinds = new byte[BYTES];
        Arrays.fill(kinds, 0, ' ', (byte) SPECIAL);
        Arrays.fill(kinds, '0', '9' + 1, (byte) (DIGIT | JOINED));
        Arrays.fill(kinds, 'a', 'z' + 1, (byte) WORD);
        Arrays.fill(kinds, 'A', 'Z' + 1, (byte) WORD);
        kinds['_'] = WORD;
        kinds['.'] = JOINED;
        kinds['\\'] = SPECIAL;
        kinds[0xa0] = SPECIAL;
        return kinds;
    }

    /** The shape of a stretch of bytes, which have this hash. */
    LineShape(long[] words, int from, int length, long hash) {
        this.hash = hash;
        this.length = length;
        this.numerals = new long[(length + Long.BYTES - 1) / Long.BYTES];
        boolean isOfWord = false;
        for (int i = 0; i < length; i++) {
            int kind = KINDS[ByteWords.byteAt(words, from + i)];
            if ((kind & DIGIT) != 0 && !isOfWord) {
                numerals[i / Long.BYTES] |= DIGITS << (i * Byte.SIZE);
            }
            isOfWord = (kind & WORD) != 0 || ((kind & JOINED) != 0 && isOfWord);
            isPlain &= kind != SPECIAL;
        }
    }

    /** Returns whether it is that of lines of such a length and hash. */
    boolean isOf(int lengthOfIt, long hashOfIt) {
        return length == lengthOfIt && hash == hashOfIt;
    }

    /** How many bytes its lines have. */
    int length() {
        return length;
    }

    /** Which half bytes are those of a number's digits, by words. */
    long[] numerals() {
        return numerals;
    }

    /** Returns whether all characters of its lines stand for themselves. */
    boolean isPlain() {
        return isPlain;
    }

    /** The form of the last line of this shape. */
    @Nullable
    LineForm last() {
        return last;
    }

    /** Takes over the form of a line. */
    void last(LineForm form) {
        last = form;
    }
}
