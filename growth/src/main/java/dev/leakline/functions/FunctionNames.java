package dev.leakline.functions;

import dev.leakline.text.Printable;

/** Names of functions within sentences. */
public final class FunctionNames {
    /** Characters of a name in a sentence. */
    private static final int MOST = 80;

    private FunctionNames() {}

    /** A function's name in quotes. */
    public static String quoted(String function) {
        return function.isBlank() ? "a function without a name" : "'" + Printable.of(function, MOST) + "'";
    }
}
