package dev.leakline.python;

import java.util.Arrays;

/**
 * The columns at which the blocks around a line begin, and the tokens that say where blocks begin and end. As in CPython, a column counts with
 * tabs of eight characters and with tabs of one; where the two compare differently the indentation means what the tabs of an editor make of it, and
 * that is an error.
 */
final class Indents {
    private final Tokens tokens;
    private int[] columns = new int[16];
    private int[] characters = new int[16];
    private int depth;

    Indents(Tokens tokens) {
        this.tokens = tokens;
    }

    /** A line with a statement begins at the column; one that fits no block around it is taken for a line of the next outer one. */
    void indent(int column, int length, int place) {
        if (column > columns[depth]) {
            check(length > characters[depth], place);
            open(column, length);
            tokens.add(Token.INDENT, place, place);
            return;
        }
        while (column < columns[depth]) {
            depth--;
            tokens.add(Token.DEDENT, place, place);
        }
        if (column > columns[depth]) {
            tokens.error(place, "unindent does not match any outer indentation level");
        } else {
            check(length == characters[depth], place);
        }
    }

    private void open(int column, int length) {
        if (++depth == columns.length) {
            columns = Arrays.copyOf(columns, 2 * depth);
            characters = Arrays.copyOf(characters, 2 * depth);
        }
        columns[depth] = column;
        characters[depth] = length;
    }

    private void check(boolean isConsistent, int place) {
        if (!isConsistent) {
            tokens.error(place, "inconsistent use of tabs and spaces in indentation");
        }
    }

    /** Ends all blocks at the end of the file. */
    void finish(int place) {
        for (; depth > 0; depth--) {
            tokens.add(Token.DEDENT, place, place);
        }
    }
}
