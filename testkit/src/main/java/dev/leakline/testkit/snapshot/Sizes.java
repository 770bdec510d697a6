package dev.leakline.testkit.snapshot;

/** Sizes in bytes. */
public final class Sizes {
    public static final long KB = 1L << 10;
    public static final long MB = 1L << 20;
    public static final long GB = 1L << 30;

    private Sizes() {}

    /** The least multiple of {@code unit} that is not below {@code size}. */
    static long roundUp(long size, long unit) {
        return Math.ceilDiv(size, unit) * unit;
    }
}
