package dev.leakline.patterns;

import dev.leakline.primitive.ByteSize;
import dev.leakline.primitive.Numbers;
import dev.leakline.primitive.Printable;

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
        return Numbers.counted(number, noun);
    }

    /** A share in whole percent. */
    static String percent(double share) {
        return Numbers.percent(share);
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
