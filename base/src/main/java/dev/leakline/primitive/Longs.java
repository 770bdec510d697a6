package dev.leakline.primitive;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** An immutable column of longs. */
public final class Longs {
    /** No rows. */
    public static final Longs NONE = new Longs(new long[0]);

    private final long[] values;

    private Longs(long[] values) {
        this.values = values;
    }

    /** A column of the given values; later changes to the array change nothing. */
    public static Longs of(long... values) {
        return new Longs(values.clone());
    }

    /** The value of a row. */
    public long get(int row) {
        return values[row];
    }

    /** Rows. */
    public int size() {
        return values.length;
    }

    /** The nearest floating point numbers, which are exact below 2 to the 53rd: eight bytes a row, the lowest first. */
    public byte[] littleEndianDoubles() {
        ByteBuffer bytes = ByteBuffer.allocate(Math.multiplyExact(values.length, Double.BYTES))
                .order(ByteOrder.LITTLE_ENDIAN);
        for (long value : values) {
            bytes.putDouble((double) value);
        }
        return bytes.array();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Longs longs && Arrays.equals(values, longs.values);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(values);
    }

    @Override
    public String toString() {
        return Arrays.toString(values);
    }
}
