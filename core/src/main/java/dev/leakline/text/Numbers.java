package dev.leakline.text;

import java.util.Locale;

/** Numbers as people read them. */
public final class Numbers {
    private Numbers() {}

    /** A number with its thousands apart, such as {@code 12,000}. */
    public static String grouped(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    /** A number and its noun, in the plural where it needs to be. */
    public static String counted(long number, String noun) {
        return grouped(number) + " " + noun + (number == 1 ? "" : "s");
    }

    /** A share in whole percent. */
    public static String percent(double share) {
        return String.format(Locale.ROOT, "%.0f %%", share * 100);
    }
}
