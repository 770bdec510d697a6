package dev.leakline.testkit.snapshot.event;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One frame of a call stack.
 *
 * @param file the path as Python has it, or {@code ??}
 * @param line from 1; 0 where it is not known
 * @param name the function
 */
public record StackFrame(String file, int line, String name) {
    private static final Pattern FORM = Pattern.compile("(.*?):(\\d+) (.*)", Pattern.DOTALL);

    /** Reads the form {@code train.py:41 train}. */
    public static StackFrame parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("expected FILE:LINE FUNCTION, found " + text);
        }
        return new StackFrame(matcher.group(1), Integer.parseInt(matcher.group(2)), matcher.group(3));
    }

    /** The form that {@link #parse} reads, for a C++ frame without symbols, e.g. {@code cpp("at::empty_cuda")}. */
    public static String cpp(String name) {
        return "??:0 " + name;
    }
}
