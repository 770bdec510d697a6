package dev.leakline.read.snapshot;

import dev.leakline.source.ReadException;
import dev.leakline.source.ReadException.Code;
import java.util.Arrays;

/**
 * The memo of a pickle: four bytes an entry, since every container of a file has one.
 *
 * <p>An entry is the kind of a value and the number that stands for it. Rows are remembered as {@link ValueStack#OTHER}: no
 * writer ever refers back to one. What is kept is the complement of an entry, so that new pages are empty as they come.
 */
final class Memo {
    private static final int PAGE_BITS = 14;
    private static final int PAGE = 1 << PAGE_BITS;
    private static final int NUMBER_BITS = 27;
    private static final int NUMBER_MASK = (1 << NUMBER_BITS) - 1;
    /** Nothing is remembered. */
    static final int UNSET = -1;

    private int[][] pages = new int[64][];
    /** The number of entries, which MEMOIZE takes for its next one. */
    private int count;

    /** Remembers a value under the next free number, which it answers. */
    int add(byte kind, long value) throws ReadException {
        page(count >>> PAGE_BITS)[count & PAGE - 1] = ~entry(kind, value);
        return count++;
    }

    /** How many values are remembered. */
    int size() {
        return count;
    }

    /** Forgets the values that were added since there were {@code size}. */
    void shrink(int size) {
        count = size;
    }

    /** Remembers a value, or corrects what is remembered. */
    void put(int index, byte kind, long value) throws ReadException {
        int[] page = page(index >>> PAGE_BITS);
        int slot = index & PAGE - 1;
        if (page[slot] == ~UNSET) {
            count++;
        }
        page[slot] = ~entry(kind, value);
    }

    /** The entry under a number, or {@link #UNSET}. */
    int get(int index) {
        int page = index >>> PAGE_BITS;
        if (page >= pages.length || pages[page] == null) {
            return UNSET;
        }
        return ~pages[page][index & PAGE - 1];
    }

    static byte kind(int entry) {
        return (byte) (entry >>> NUMBER_BITS);
    }

    static int number(int entry) {
        return entry & NUMBER_MASK;
    }

    private static int entry(byte kind, long value) throws ReadException {
        if (ValueStack.isRows(kind) || kind == ValueStack.INT || kind == ValueStack.FLOAT) {
            return ValueStack.OTHER;
        }
        if (value > NUMBER_MASK) {
            throw new ReadException(Code.LIMIT, -1, "more than " + NUMBER_MASK + " distinct strings or stacks");
        }
        return kind << NUMBER_BITS | (int) value;
    }

    private int[] page(int page) {
        if (page >= pages.length) {
            pages = Arrays.copyOf(pages, Math.max(page + 1, pages.length * 2));
        }
        int[] found = pages[page];
        if (found == null) {
            found = new int[PAGE];
            pages[page] = found;
        }
        return found;
    }
}
