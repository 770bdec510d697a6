package dev.leakline.patterns;

import dev.leakline.primitive.ByteSize;
import dev.leakline.primitive.Printable;
import java.util.Locale;

/** Names and figures for sentences. */
final class Words {
    /** Characters of a function's name in a sentence. */
    private static final int NAME = 80;

    private Words() {}

    /** A function's name. */
    static String quoted(String function) {
        return function.isBlank() ? "a function without a name" : "'" + Printable.of(function, NAME) + "'";
    }

    /** A number and its noun, in the plural where it needs to be. */
    static String count(long number, String noun) {
        return String.format(Locale.ROOT, "%,d %s%s", number, noun, number == 1 ? "" : "s");
    }

    /** A share in whole percent. */
    static String percent(double share) {
        return String.format(Locale.ROOT, "%.0f %%", share * 100);
    }

    /** A size for people. */
    static String size(long bytes) {
        return ByteSize.format(bytes);
    }

    /** A size for people. */
    static String size(double bytes) {
        return ByteSize.format(Math.round(bytes));
    }
}
