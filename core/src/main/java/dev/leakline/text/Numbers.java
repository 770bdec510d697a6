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

    /** By how much something changed, in percent of what it was. */
    public static String change(long was, long is) {
        return String.format(Locale.ROOT, "%+.1f%%", (double) (is - was) / was * 100);
    }

    /** A share in whole percent. */
    public static String percent(double share) {
        return String.format(Locale.ROOT, "%.0f %%", share * 100);
    }
}
