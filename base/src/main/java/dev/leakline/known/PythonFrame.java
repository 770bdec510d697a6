package dev.leakline.known;

import java.util.Set;

/** Knowledge of the frames of Python itself, and of what they tell of those around them. */
public final class PythonFrame {
    private static final Set<String> CONSTRUCTORS = Set.of("__init__", "__new__", "__post_init__");
    /** Frames of their own before Python 3.12. */
    private static final Set<String> COMPREHENSIONS = Set.of("<listcomp>", "<dictcomp>", "<setcomp>", "<genexpr>");

    private PythonFrame() {}

    /** Returns whether a function makes an object; whoever lets go of a pile has no reason to do it there. */
    public static boolean isConstructor(String function) {
        return CONSTRUCTORS.contains(function);
    }

    /** Returns whether a function is only a part of the line that calls it. */
    public static boolean isPartOfLine(String function) {
        return COMPREHENSIONS.contains(function);
    }

    /** Returns whether an event loop runs a task's next part by this frame. Source: {@code asyncio/events.py}, {@code Handle._run}. */
    public static boolean runsTask(String file, String function) {
        return function.equals("_run") && file.replace('\\', '/').endsWith("asyncio/events.py");
    }
}
