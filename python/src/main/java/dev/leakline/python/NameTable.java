package dev.leakline.python;

import java.text.Normalizer;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * The words of a file, each kept once: a name that stands in the text a hundred times is one string, and a keyword is told from a name by
 * the same look. Open addressing over hashes of the characters, so that no string is made only to be looked up. The hash has a factor that
 * each process draws anew, as words come from files, and could be chosen to collide.
 */
final class NameTable {
    private static final int FIRST_SLOTS = 1024;
    private static final int FACTOR = new Random().nextInt() | 0x10001;
    private static final NameTable KEYWORDS = keywords();

    private @Nullable String[] words;
    private Token[] tokens;
    private int[] hashes;
    private int count;

    private NameTable(@Nullable String[] words, Token[] tokens, int[] hashes, int count) {
        this.words = words;
        this.tokens = tokens;
        this.hashes = hashes;
        this.count = count;
    }

    /** A table that knows the keywords. */
    static NameTable create() {
        return new NameTable(KEYWORDS.words.clone(), KEYWORDS.tokens.clone(), KEYWORDS.hashes.clone(), KEYWORDS.count);
    }

    private static NameTable keywords() {
        NameTable table =
                new NameTable(new @Nullable String[FIRST_SLOTS], new Token[FIRST_SLOTS], new int[FIRST_SLOTS], 0);
        for (Token token : Token.values()) {
            String word = token.text();
            if (token.isKeyword() && word != null) {
                table.tokens[table.slot(word.toCharArray(), 0, word.length())] = token;
            }
        }
        return table;
    }

    /** The slot of a word; a new one is a name. */
    int slot(char[] chars, int start, int end) {
        int hash = end - start;
        for (int i = start; i < end; i++) {
            hash = (hash ^ chars[i]) * FACTOR;
        }
        hash ^= hash >>> 15;
        int slot = find(hash, chars, start, end);
        if (words[slot] != null) {
            return slot;
        }
        words[slot] = new String(chars, start, end - start);
        tokens[slot] = Token.NAME;
        hashes[slot] = hash;
        count++;
        if (2 * count > words.length) {
            grow();
            return find(hash, chars, start, end);
        }
        return slot;
    }

    private int find(int hash, char[] chars, int start, int end) {
        int mask = words.length - 1;
        int slot = hash & mask;
        for (String word = words[slot]; word != null; word = words[slot]) {
            if (hashes[slot] == hash && isSame(word, chars, start, end)) {
                return slot;
            }
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private static boolean isSame(String word, char[] chars, int start, int end) {
        int length = end - start;
        if (word.length() != length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (word.charAt(i) != chars[start + i]) {
                return false;
            }
        }
        return true;
    }

    private void grow() {
        NameTable old = new NameTable(words, tokens, hashes, count);
        int size = 2 * old.words.length;
        words = new @Nullable String[size];
        tokens = new Token[size];
        hashes = new int[size];
        for (int i = 0; i < old.words.length; i++) {
            if (old.words[i] != null) {
                int slot = old.hashes[i] & (size - 1);
                while (words[slot] != null) {
                    slot = (slot + 1) & (size - 1);
                }
                words[slot] = old.words[i];
                tokens[slot] = old.tokens[i];
                hashes[slot] = old.hashes[i];
            }
        }
    }

    Token token(int slot) {
        return tokens[slot];
    }

    String word(int slot) {
        String word = words[slot];
        if (word == null) {
            throw new IllegalArgumentException("no word in slot " + slot);
        }
        return word;
    }

    /** The identifier that Python takes a word for: names that look alike are the same name (PEP 3131). */
    static String identifier(String word) {
        for (int i = 0; i < word.length(); i++) {
            if (word.charAt(i) >= 0x80) {
                return Normalizer.normalize(word, Normalizer.Form.NFKC);
            }
        }
        return word;
    }
}
