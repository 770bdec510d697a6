package dev.leakline.hash;

/** Little-endian integers in arrays of bytes, as browsers can read them: byte by byte. */
public final class LittleEndian {
    private LittleEndian() {}

    /** The two bytes from {@code at} on. */
    public static short getShort(byte[] bytes, int at) {
        return (short) ((bytes[at] & 0xff) | (bytes[at + 1] << 8));
    }

    /** The four bytes from {@code at} on. */
    public static int getInt(byte[] bytes, int at) {
        return (bytes[at] & 0xff)
                | ((bytes[at + 1] & 0xff) << 8)
                | ((bytes[at + 2] & 0xff) << 16)
                | (bytes[at + 3] << 24);
    }

    /** The eight bytes from {@code at} on. */
    public static long getLong(byte[] bytes, int at) {
        return (getInt(bytes, at) & 0xffff_ffffL) | ((long) getInt(bytes, at + 4) << 32);
    }
}
