package dev.leakline.source;

/**
 * A few hundred words as numbers, looked up where they stand in a text, without making strings: a text is nearly all other words.
 * Capitals do not count.
 */
public final class WordTable {
    /** The value of a word that is not in the table. */
    public static final int OTHER = 0;

    /** A power of two, some times the number of words, so that chains are short. */
    private static final int SLOTS = 1024;

    private final String[] words = new String[SLOTS];
    private final int[] numbers = new int[SLOTS];
    /** By first and by last letter, a bit for each length of word; what lacks one of them is no word of ours. */
    private final long[] lengths = new long[32];

    private final long[] lengthsByLast = new long[32];

    private int size;

    /** Adds a word in small letters, with a number that is not {@link #OTHER}; the last number counts. */
    public void put(String word, int number) {
        if (++size > SLOTS / 2) {
            throw new IllegalStateException("a table of " + SLOTS + " slots is too small");
        }
        char[] text = word.toCharArray();
        lengths[text[0] & 31] |= 1L << text.length;
        lengthsByLast[text[text.length - 1] & 31] |= 1L << text.length;
        int slot = hash(text, 0, text.length) & (SLOTS - 1);
        while (words[slot] != null && !words[slot].equals(word)) {
            slot = (slot + 1) & (SLOTS - 1);
        }
        words[slot] = word;
        numbers[slot] = number;
    }

    /** The number of the word between two places of a text. */
    public int get(char[] text, int from, int to) {
        long possible = lengths[text[from] & 31] & lengthsByLast[text[to - 1] & 31];
        if (to - from >= Long.SIZE || (possible >>> (to - from) & 1) == 0) {
            return OTHER;
        }
        int slot = hash(text, from, to) & (SLOTS - 1);
        while (words[slot] != null) {
            if (isSame(words[slot], text, from, to)) {
                return numbers[slot];
            }
            slot = (slot + 1) & (SLOTS - 1);
        }
        return OTHER;
    }

    private static boolean isSame(String word, char[] text, int from, int to) {
        if (word.length() != to - from) {
            return false;
        }
        for (int i = from; i < to; i++) {
            if (word.charAt(i - from) != small(text[i])) {
                return false;
            }
        }
        return true;
    }

    private static int hash(char[] text, int from, int to) {
        int hash = to - from;
        for (int i = from; i < to; i++) {
            hash = hash * 31 + small(text[i]);
        }
        return hash ^ hash >>> 12;
    }

    private static char small(char character) {
        return character >= 'A' && character <= 'Z' ? (char) (character + 32) : character;
    }
}
