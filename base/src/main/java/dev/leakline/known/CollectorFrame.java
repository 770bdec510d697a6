package dev.leakline.known;

import java.util.regex.Pattern;

/**
 * Frames of CPython's garbage collector: its C functions, as stacks with C++ frames show them. Source: {@code Modules/gcmodule.c} of 3.8 to 3.12,
 * {@code Python/gc.c} and {@code Python/gc_free_threading.c} from 3.13 on.
 */
public final class CollectorFrame {
    private static final Pattern FUNCTIONS =
            Pattern.compile("_?(Py)?_?(gc_collect\\w*|delete_garbage|RunGC|GC_Collect)(\\.\\w+)*");

    private CollectorFrame() {}

    /** Returns whether a C function collects garbage. */
    public static boolean is(String function) {
        return FUNCTIONS.matcher(function).matches();
    }
}
