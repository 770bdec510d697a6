package dev.leakline.python;

import java.util.Arrays;

/**
 * Everything open at a place of the text, the innermost last: brackets, format strings, the replacement fields in these, and the format
 * specifications in those. A string, or a field or specification of it, carries how the string is quoted.
 */
final class OpenBrackets {
    /** A bracket of the language. */
    static final int BRACKET = 1;
    /** A brace of the language, which a brace ends, as one ends a field. */
    static final int BRACE = 2;
    /** The text of a format string. */
    static final int STRING = 3;
    /** An expression in the braces of a format string. */
    static final int FIELD = 4;
    /** The part behind the colon in such braces, which is text again. */
    static final int SPECIFICATION = 5;

    private static final int KIND = 7;
    private static final int TRIPLE = 8;
    private static final int RAW = 16;
    private static final int QUOTE_SHIFT = 8;

    private int[] entries = new int[16];
    private int[] places = new int[16];
    private int size;
    private int fields;
    private int shortStrings;

    boolean isEmpty() {
        return size == 0;
    }

    int size() {
        return size;
    }

    /** The kind of the innermost, or 0. */
    int top() {
        return size == 0 ? 0 : entries[size - 1] & KIND;
    }

    /** Tells whether the next character is text of a format string, and no token. */
    boolean isText() {
        int top = top();
        return top == STRING || top == SPECIFICATION;
    }

    char quote() {
        return (char) (entries[size - 1] >>> QUOTE_SHIFT);
    }

    boolean isTriple() {
        return (entries[size - 1] & TRIPLE) != 0;
    }

    boolean isRaw() {
        return (entries[size - 1] & RAW) != 0;
    }

    /** Tells whether a line that ends here ends in a string that has to end on its line, but for its fields since Python 3.12. */
    boolean isInShortString() {
        return shortStrings > 0;
    }

    boolean isInField() {
        return fields > 0;
    }

    void open(int kind, int place) {
        push(kind, place);
    }

    void openString(char quote, boolean isTriple, boolean isRaw, int place) {
        push(STRING | (isTriple ? TRIPLE : 0) | (isRaw ? RAW : 0) | (quote << QUOTE_SHIFT), place);
    }

    /** The place where the innermost was opened. */
    int place() {
        return places[size - 1];
    }

    /** Opens a field or a specification of the innermost string. */
    void openIn(int kind) {
        push((entries[size - 1] & ~KIND) | kind, places[size - 1]);
    }

    private void push(int entry, int place) {
        if (size == entries.length) {
            entries = Arrays.copyOf(entries, 2 * size);
            places = Arrays.copyOf(places, 2 * size);
        }
        places[size] = place;
        entries[size++] = entry;
        count(entry, 1);
    }

    private void count(int entry, int by) {
        if ((entry & KIND) == FIELD) {
            fields += by;
        } else if ((entry & KIND) == STRING && (entry & TRIPLE) == 0) {
            shortStrings += by;
        }
    }

    void close() {
        count(entries[--size], -1);
    }

    void closeTo(int depth) {
        while (size > depth) {
            close();
        }
    }

    /** The number of those around the outermost string that has to end on its line. */
    int outsideShortString() {
        int depth = 0;
        while (depth < size && (entries[depth] & (KIND | TRIPLE)) != STRING) {
            depth++;
        }
        return depth;
    }

    /** Closes all down to the innermost of a kind, and that. */
    void closeInnermost(int kind) {
        while (top() != kind) {
            close();
        }
        close();
    }
}
