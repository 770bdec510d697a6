package dev.leakline.known;

import java.util.Set;

/** Functions in which Python makes an object; whoever lets go of a pile has no reason to do it there. */
public final class ConstructorFrame {
    private static final Set<String> CONSTRUCTORS = Set.of("__init__", "__new__", "__post_init__");
    /** Frames of their own before Python 3.12. */
    private static final Set<String> COMPREHENSIONS = Set.of("<listcomp>", "<dictcomp>", "<setcomp>", "<genexpr>");

    private ConstructorFrame() {}

    /** Whether a function makes an object. */
    public static boolean is(String function) {
        return CONSTRUCTORS.contains(function);
    }

    /** Whether a function is only a part of the line that calls it. */
    public static boolean isPartOfLine(String function) {
        return COMPREHENSIONS.contains(function);
    }
}
