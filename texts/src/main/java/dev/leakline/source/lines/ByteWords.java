package dev.leakline.source.lines;

/** Bytes in words of eight, the first the lowest, looked at a word at a time. A stretch of them may begin anywhere. */
final class ByteWords {
    private static final long TOPS = 0x8080808080808080L;
    private static final long BLANKS = 0x2020202020202020L;
    /** Sets the top bit of bytes from a zero on when added to them; the next one that of bytes behind a nine. */
    private static final long FROM_ZERO = 0x5050505050505050L;

    private static final long BEHIND_NINE = 0x4646464646464646L;
    /** Odd, and with bits all over. */
    private static final long SCATTER = 0x9e3779b97f4a7c15L;

    private static final int BITS = 3;

    private ByteWords() {}

    /** Eight bytes from a place on. */
    static long at(long[] words, int from) {
        int word = from >>> BITS;
        int shift = from << BITS;
        return (words[word] >>> shift) | (words[word + 1] << 1 << ~shift);
    }

    /** A byte of a word. */
    static int byteAt(long[] words, int place) {
        return (int) (words[place >>> BITS] >>> (place << BITS)) & 0xff;
    }

    /** The place of the first byte before {@code to} that is less than a blank; -1 where there is none. */
    static int firstControl(long[] words, int from, int to) {
        for (int at = from; at < to; at += Long.BYTES) {
            long word = at(words, at);
            long controls = (word - BLANKS) & ~word & TOPS;
            if (controls != 0) {
                int found = at + (Long.numberOfTrailingZeros(controls) >>> BITS);
                return found < to ? found : -1;
            }
        }
        return -1;
    }

    /** A number that is the same for all stretches that differ only in digits, and else another one, but for chance. */
    static long hash(long[] words, int from, int length) {
        long hash = length;
        int at = from;
        for (int last = from + length - Long.BYTES; at <= last; at += Long.BYTES) {
            hash = mixed(hash, zeroed(at(words, at)));
        }
        int rest = from + length - at;
        return rest == 0 ? hash : mixed(hash, zeroed(at(words, at) & first(rest)));
    }

    /** The same word with each digit a zero. */
    private static long zeroed(long word) {
        long low = word & ~TOPS;
        long digits = (low + FROM_ZERO) & ~(low + BEHIND_NINE) & ~word & TOPS;
        return word & ~((digits >>> 3) - (digits >>> 7));
    }

    /** A hash with one word more. */
    static long mixed(long hash, long word) {
        long mixed = (hash ^ word) * SCATTER;
        return mixed ^ (mixed >>> Integer.SIZE);
    }

    /** A word of which the first bytes are kept, fewer than eight. */
    static long first(int count) {
        return (1L << (count << BITS)) - 1;
    }

    /** Packs characters of a byte each. */
    static void pack(char[] text, int length, long[] words) {
        for (int at = 0; at < length; at += Long.BYTES) {
            long word = 0;
            for (int i = Math.min(Long.BYTES, length - at); i-- > 0; ) {
                word = word << Byte.SIZE | text[at + i];
            }
            words[at >>> BITS] = word;
        }
    }
}
