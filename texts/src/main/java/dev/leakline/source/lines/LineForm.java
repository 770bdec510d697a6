package dev.leakline.source.lines;

/** The form of a piece of a line: all that is not a digit of a number. */
final class LineForm {
    private static final long SIXES = 0x0606060606060606L;
    /** Bits of half a byte, the upper of which is the same in all digits. */
    private static final int HALF = 4;

    private final LineShape shape;
    private final long number;
    private final long[] text;
    private final long[] numerals;

    /** The form of a stretch of bytes of a shape. */
    LineForm(LineShape shape, long number, long[] words, int from) {
        this.shape = shape;
        this.number = number;
        this.numerals = shape.numerals();
        this.text = new long[numerals.length];
        for (int i = 0; i < text.length; i++) {
            text[i] = fixed(words, from, i, shape);
        }
    }

    /** A word of a stretch without the digits of numbers. */
    private static long fixed(long[] words, int from, int index, LineShape shape) {
        int rest = shape.length() - index * Long.BYTES;
        long word = ByteWords.at(words, from + index * Long.BYTES) & ~shape.numerals()[index];
        return rest < Long.BYTES ? word & ByteWords.first(rest) : word;
    }

    /** A number that is the same for all stretches of one form, and else another one, but for chance. */
    static long hash(LineShape shape, long[] words, int from) {
        long hash = shape.length();
        for (int i = 0; i < shape.numerals().length; i++) {
            hash = ByteWords.mixed(hash, fixed(words, from, i, shape));
        }
        return hash;
    }

    /** Returns whether a stretch of as many bytes is of this form. */
    boolean fits(long[] words, int from) {
        int full = shape.length() / Long.BYTES;
        int at = from;
        for (int i = 0; i < full; i++) {
            if (difference(ByteWords.at(words, at), text[i], numerals[i]) != 0) {
                return false;
            }
            at += Long.BYTES;
        }
        long rest = full == text.length ? 0 : ByteWords.at(words, at) & ByteWords.first(shape.length() % Long.BYTES);
        return full == text.length || difference(rest, text[full], numerals[full]) == 0;
    }

    /** Zero where eight bytes are those of a form: the same, or a digit where it has one, which has an upper half of 3 and would keep it with six more. */
    private static long difference(long word, long fixed, long digits) {
        return ((word ^ fixed) & ~digits) | (((word + (digits & SIXES)) ^ fixed) & (digits << HALF));
    }

    /** The number by which it is known. */
    long number() {
        return number;
    }

    /** How many bytes it has. */
    int length() {
        return shape.length();
    }

    /** Returns whether all of its characters stand for themselves. */
    boolean isPlain() {
        return shape.isPlain();
    }
}
