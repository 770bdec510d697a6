package dev.leakline.primitive;

import org.jspecify.annotations.Nullable;

/**
 * The values of one sealed page of a {@link PackedTable}: {@code base + (stored << shift)}, stored in as few bytes as fit.
 *
 * <p>One class with an array of whichever width, at most one of which is there: a page is asked for a value many times for each event, and
 * a call that might go to one of five classes would take longer than the answer.
 */
final class PackedPage {
    private final long base;
    private final int shift;
    private byte @Nullable [] bytes;
    private char @Nullable [] shorts;
    private int @Nullable [] ints;
    private long @Nullable [] longs;

    /** Packs all of {@code values}, which the caller may reuse afterwards. */
    PackedPage(long[] values) {
        long least = values[0];
        for (long value : values) {
            least = Math.min(least, value);
        }
        long bits = 0;
        for (long value : values) {
            bits |= value - least;
        }
        base = least;
        shift = bits == 0 ? 0 : Long.numberOfTrailingZeros(bits);
        store(values, bits >>> shift); // unsigned: the differences of a page may take all 64 bits
    }

    private void store(long[] values, long widest) {
        if (widest == 0) {
            return;
        }
        if (widest >>> 8 == 0) {
            bytes = bytes(values);
        } else if (widest >>> 16 == 0) {
            shorts = shorts(values);
        } else if (widest >>> 32 == 0) {
            ints = ints(values);
        } else {
            longs = values.clone();
        }
    }

    private byte[] bytes(long[] values) {
        byte[] stored = new byte[values.length];
        for (int i = 0; i < stored.length; i++) {
            stored[i] = (byte) ((values[i] - base) >>> shift);
        }
        return stored;
    }

    private char[] shorts(long[] values) {
        char[] stored = new char[values.length];
        for (int i = 0; i < stored.length; i++) {
            stored[i] = (char) ((values[i] - base) >>> shift);
        }
        return stored;
    }

    private int[] ints(long[] values) {
        int[] stored = new int[values.length];
        for (int i = 0; i < stored.length; i++) {
            stored[i] = (int) ((values[i] - base) >>> shift);
        }
        return stored;
    }

    /** The value at an index of the page. */
    long get(int index) {
        if (ints != null) {
            return base + ((ints[index] & 0xffff_ffffL) << shift);
        }
        if (bytes != null) {
            return base + ((bytes[index] & 0xffL) << shift);
        }
        if (shorts != null) {
            return base + ((long) shorts[index] << shift);
        }
        return longs == null ? base : longs[index];
    }
}
