package dev.leakline.hash;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Little-endian integers in arrays of bytes, each read in one access; the module for browsers has a form of its own. */
public final class LittleEndian {
    private static final VarHandle SHORT = view(short[].class);
    private static final VarHandle INT = view(int[].class);
    private static final VarHandle LONG = view(long[].class);

    private LittleEndian() {}

    private static VarHandle view(Class<?> array) {
        return MethodHandles.byteArrayViewVarHandle(array, ByteOrder.LITTLE_ENDIAN);
    }

    /** The two bytes from {@code at} on. */
    public static short getShort(byte[] bytes, int at) {
        return (short) SHORT.get(bytes, at);
    }

    /** The four bytes from {@code at} on. */
    public static int getInt(byte[] bytes, int at) {
        return (int) INT.get(bytes, at);
    }

    /** The eight bytes from {@code at} on. */
    public static long getLong(byte[] bytes, int at) {
        return (long) LONG.get(bytes, at);
    }
}
