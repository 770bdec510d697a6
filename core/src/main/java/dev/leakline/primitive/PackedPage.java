package dev.leakline.primitive;

/** The values of one sealed page of a {@link PackedTable}: {@code base + (stored << shift)}, stored in as few bytes as fit. */
sealed interface PackedPage {
    /** The value at an index of the page. */
    long get(int index);

    /** Packs all of {@code values}, which the caller may reuse afterwards. */
    static PackedPage of(long[] values) {
        long base = values[0];
        for (long value : values) {
            base = Math.min(base, value);
        }
        long bits = 0;
        for (long value : values) {
            bits |= value - base;
        }
        return pack(values, base, bits);
    }

    private static PackedPage pack(long[] values, long base, long bits) {
        if (bits == 0) {
            return new Constant(base);
        }
        int shift = Long.numberOfTrailingZeros(bits);
        long widest = bits >>> shift; // unsigned: the differences of a page may take all 64 bits
        if (widest >>> 8 == 0) {
            return new Bytes(base, shift, bytes(values, base, shift));
        }
        if (widest >>> 16 == 0) {
            return new Shorts(base, shift, shorts(values, base, shift));
        }
        if (widest >>> 32 == 0) {
            return new Ints(base, shift, ints(values, base, shift));
        }
        return new Longs(values.clone());
    }

    private static byte[] bytes(long[] values, long base, int shift) {
        byte[] stored = new byte[values.length];
        for (int i = 0; i < stored.length; i++) {
            stored[i] = (byte) ((values[i] - base) >>> shift);
        }
        return stored;
    }

    private static char[] shorts(long[] values, long base, int shift) {
        char[] stored = new char[values.length];
        for (int i = 0; i < stored.length; i++) {
            stored[i] = (char) ((values[i] - base) >>> shift);
        }
        return stored;
    }

    private static int[] ints(long[] values, long base, int shift) {
        int[] stored = new int[values.length];
        for (int i = 0; i < stored.length; i++) {
            stored[i] = (int) ((values[i] - base) >>> shift);
        }
        return stored;
    }

    /** A page of one value. */
    record Constant(long value) implements PackedPage {
        @Override
        public long get(int index) {
            return value;
        }
    }

    /** One byte a value. */
    @SuppressWarnings("ArrayRecordComponent") // never compared, never shown: the array belongs to the page
    record Bytes(long base, int shift, byte[] stored) implements PackedPage {
        @Override
        public long get(int index) {
            return base + ((stored[index] & 0xffL) << shift);
        }
    }

    /** Two bytes a value. */
    @SuppressWarnings("ArrayRecordComponent") // as Bytes
    record Shorts(long base, int shift, char[] stored) implements PackedPage {
        @Override
        public long get(int index) {
            return base + ((long) stored[index] << shift);
        }
    }

    /** Four bytes a value. */
    @SuppressWarnings("ArrayRecordComponent") // as Bytes
    record Ints(long base, int shift, int[] stored) implements PackedPage {
        @Override
        public long get(int index) {
            return base + ((stored[index] & 0xffff_ffffL) << shift);
        }
    }

    /** Eight bytes a value, as they came. */
    @SuppressWarnings("ArrayRecordComponent") // as Bytes
    record Longs(long[] stored) implements PackedPage {
        @Override
        public long get(int index) {
            return stored[index];
        }
    }
}
