package dev.leakline.read.trace;

import java.util.Arrays;
import java.util.Comparator;

/**
 * Sorts rows by time.
 *
 * <p>Time and row are packed into one number, as many bits of the time as there is room for, so that primitives are sorted and nothing is
 * compared through tables. Rows whose packed times are equal are few; those alone are compared by all that tells them apart.
 */
final class TimeOrder {
    /** Above so many rows of equal time, sorting by insertion becomes slow. */
    private static final int FEW = 32;

    /** The times of rows. */
    interface Times {
        long at(int row);
    }

    private TimeOrder() {}

    /** The rows from 0 on by their times; those of equal times by a comparator, and as they came where that finds no difference. */
    static int[] of(int count, Times times, Comparator<Integer> ties) {
        long first = Long.MAX_VALUE;
        long last = Long.MIN_VALUE;
        for (int row = 0; row < count; row++) {
            first = Math.min(first, times.at(row));
            last = Math.max(last, times.at(row));
        }
        int rowBits = bits(count);
        int shift = Math.max(bits(last - first) + rowBits - (Long.SIZE - 1), 0);
        long[] keys = new long[count];
        for (int row = 0; row < count; row++) {
            keys[row] = ((times.at(row) - first) >>> shift) << rowBits | row;
        }
        Arrays.sort(keys);
        return ordered(
                keys, rowBits, Comparator.<Integer>comparingLong(times::at).thenComparing(ties));
    }

    private static int bits(long value) {
        return Long.SIZE - Long.numberOfLeadingZeros(value);
    }

    private static int[] ordered(long[] keys, int rowBits, Comparator<Integer> exact) {
        int[] rows = new int[keys.length];
        long mask = (1L << rowBits) - 1;
        int run = 0;
        for (int i = 0; i < keys.length; i++) {
            rows[i] = (int) (keys[i] & mask);
            if (keys[i] >>> rowBits != keys[run] >>> rowBits) {
                sort(rows, run, i, exact);
                run = i;
            }
        }
        sort(rows, run, keys.length, exact);
        return rows;
    }

    private static void sort(int[] rows, int from, int to, Comparator<Integer> order) {
        if (to - from > FEW) {
            Integer[] run = Arrays.stream(rows, from, to).boxed().toArray(Integer[]::new);
            Arrays.sort(run, order);
            for (int i = from; i < to; i++) {
                rows[i] = run[i - from];
            }
            return;
        }
        for (int i = from + 1; i < to; i++) {
            int row = rows[i];
            int place = i;
            while (place > from && order.compare(rows[place - 1], row) > 0) {
                rows[place] = rows[place - 1];
                place--;
            }
            rows[place] = row;
        }
    }
}
