package dev.leakline.primitive;

import java.util.Locale;

/** Numbers as people read them. */
public final class Numbers {
    private Numbers() {}

    /** A number with its thousands apart, such as {@code 12,000}. */
    public static String grouped(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }
}
