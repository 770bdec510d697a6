package dev.leakline.primitive;

import java.util.Arrays;

/**
 * A growing table of longs that stores each page of each column as narrowly as its values allow.
 *
 * <p>Rows arrive in an open page of {@value #PAGE}. A full page is sealed: in each column the smallest value is subtracted, the
 * trailing zero bits that all differences share are shifted away, and what remains is kept in no, one, two, four or eight bytes a
 * value. The columns of a memory snapshot are made for this: addresses are multiples of 512 within a few gigabytes (four bytes),
 * times rise slowly (four bytes), streams, pools and metadata hardly ever change (nothing at all). The assumption may fail; then
 * a page costs eight bytes a value and nothing else changes.
 *
 * <p>Rows are never changed or removed. One thread may add; once nobody adds, any number may read.
 */
public final class PackedTable {
    private static final int PAGE_BITS = 12;
    /** Rows of a page. */
    private static final int PAGE = 1 << PAGE_BITS;

    private static final int PAGE_MASK = PAGE - 1;

    private final long[][] open;
    private final PackedPage[][] sealed;
    private int size;

    /** An empty table. */
    public PackedTable(int columns) {
        open = new long[columns][PAGE];
        sealed = new PackedPage[columns][16];
    }

    /** Sets a column of the row that the next {@link #endRow()} adds; every column has to be set for every row. */
    public void set(int column, long value) {
        open[column][size & PAGE_MASK] = value;
    }

    /** Adds the row whose columns were set. */
    public void endRow() {
        if ((++size & PAGE_MASK) == 0) {
            seal((size >>> PAGE_BITS) - 1);
        }
    }

    /** A value; rows count from 0. Throws {@link IndexOutOfBoundsException} for a row that was never added. */
    public long get(int column, int row) {
        int page = row >>> PAGE_BITS;
        if (page < size >>> PAGE_BITS) {
            return sealed[column][page].get(row & PAGE_MASK);
        }
        if (row >= size) {
            throw new IndexOutOfBoundsException("row " + row + " of " + size);
        }
        return open[column][row & PAGE_MASK];
    }

    /** Rows added so far. */
    public int size() {
        return size;
    }

    private void seal(int page) {
        for (int column = 0; column < open.length; column++) {
            if (page == sealed[column].length) {
                sealed[column] = Arrays.copyOf(sealed[column], page * 2);
            }
            sealed[column][page] = new PackedPage(open[column]);
        }
    }
}
