package dev.leakline.primitive;

import java.util.Arrays;

/**
 * A growing column of ints in pages of {@value #PAGE}, so that growing never copies what is there.
 *
 * <p>Rows may be overwritten. One thread may write; once nobody writes, any number may read.
 */
public final class IntColumn {
    private static final int PAGE_BITS = 14;
    private static final int PAGE = 1 << PAGE_BITS;
    private static final int PAGE_MASK = PAGE - 1;

    private int[][] pages = new int[16][];
    private int size;

    /** Appends one value. */
    public void add(int value) {
        int page = size >>> PAGE_BITS;
        if ((size & PAGE_MASK) == 0) {
            openPage(page);
        }
        pages[page][size++ & PAGE_MASK] = value;
    }

    /** The value of a row below {@link #size()}; what stands in rows beyond it is undefined. */
    public int get(int row) {
        return pages[row >>> PAGE_BITS][row & PAGE_MASK];
    }

    /** Overwrites a row below {@link #size()}. */
    public void set(int row, int value) {
        pages[row >>> PAGE_BITS][row & PAGE_MASK] = value;
    }

    /** Rows added so far. */
    public int size() {
        return size;
    }

    private void openPage(int page) {
        if (page == pages.length) {
            pages = Arrays.copyOf(pages, page * 2);
        }
        pages[page] = new int[PAGE];
    }
}
