package dev.leakline.text;

import java.util.Locale;

/** Formats bytes in binary units, as PyTorch's own messages do. */
public final class ByteSize {
    /** 1 KiB. */
    public static final long KIB = 1L << 10;
    /** 1 MiB. */
    public static final long MIB = 1L << 20;
    /** 1 GiB. */
    public static final long GIB = 1L << 30;

    private static final String[] UNITS = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

    private ByteSize() {}

    /** Formats a computed size. */
    public static String format(double bytes) {
        return format(Math.round(bytes));
    }

    /** A size with three significant digits and its unit, such as {@code 512 B}, {@code 3.00 MiB}, {@code 78.3 GiB}. */
    public static String format(long bytes) {
        if (bytes > -KIB && bytes < KIB) {
            return bytes + " B";
        }
        double value = bytes;
        int unit = -1;
        while (Math.abs(value) >= 999.5 && unit < UNITS.length - 1) {
            value /= KIB;
            unit++;
        }
        int digits = Math.abs(value) < 9.995 ? 2 : Math.abs(value) < 99.95 ? 1 : 0;
        return String.format(Locale.ROOT, "%." + digits + "f %s", value, UNITS[Math.max(unit, 0)]);
    }
}
