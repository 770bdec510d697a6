package dev.leakline.primitive;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** An immutable column of ints. */
public final class Ints {
    /** No rows. */
    public static final Ints NONE = new Ints(new int[0]);

    private final int[] values;

    private Ints(int[] values) {
        this.values = values;
    }

    /** A column of the given values; later changes to the array change nothing. */
    public static Ints of(int... values) {
        return new Ints(values.clone());
    }

    /** The value of a row. */
    public int get(int row) {
        return values[row];
    }

    /** Returns whether any row has a value. */
    public boolean contains(int value) {
        return Arrays.stream(values).anyMatch(other -> other == value);
    }

    /** Rows. */
    public int size() {
        return values.length;
    }

    /** Four bytes a row, the lowest first. */
    public byte[] littleEndian() {
        ByteBuffer bytes = ByteBuffer.allocate(Math.multiplyExact(values.length, Integer.BYTES))
                .order(ByteOrder.LITTLE_ENDIAN);
        bytes.asIntBuffer().put(values);
        return bytes.array();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Ints ints && Arrays.equals(values, ints.values);
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
