package dev.leakline.result;

import dev.leakline.text.Printable;
import io.avaje.jsonb.Json;
import java.util.Comparator;
import java.util.regex.Pattern;

/**
 * The place in the code that is responsible for an allocation: the innermost frame of the user's own code, or the best that the recording
 * offers instead. Sites have an order for the same reason as {@link Frame frames}.
 *
 * @param kind how the frame was chosen
 * @param file the frame's file; empty where the kind has no line
 * @param line the frame's line
 * @param function the frame's function; where the kind has no line, what is known instead
 */
public record Site(Kind kind, String file, int line, String function) implements Comparable<Site> {
    private static final Comparator<Site> ORDER =
            Comparator.comparing(Site::kind).thenComparing(Site::frame);

    @Override
    public int compareTo(Site other) {
        return ORDER.compare(this, other);
    }

    /** A frame that was chosen in a way. */
    public Site(Kind kind, Frame frame) {
        this(kind, frame.file(), frame.line(), frame.function());
    }

    /** The frame. */
    public Frame frame() {
        return new Frame(file, line, function);
    }

    /** Kinds of sites, from the best to the least precise. */
    public enum Kind {
        /** A line of the user's own code. */
        USER,
        /** A line of an installed package; none of the user's is in the stack. */
        PACKAGE,
        /** A line of PyTorch itself; nothing else is in the stack. */
        TORCH,
        /** A line of Python's standard library; nothing else is in the stack. */
        PYTHON,
        /** No Python frame; it happened while a backward pass was running, which this line started. */
        BACKWARD,
        /** No Python frame; it happened within this record_function range. */
        ANNOTATION,
        /** No Python frame; it happened within this operator of PyTorch. */
        OPERATOR,
        /** C++ frames only. */
        NATIVE,
        /** The recording holds no stack for it. */
        NO_STACK,
        /** It was allocated before the recording began, by nobody knows whom. */
        BEFORE_RECORDING,
        /** A function that a profiler watched; which line of it nobody recorded. */
        FUNCTION,
        /** Code that no profiler watched, after calls of this function and before the next call. */
        BETWEEN_CALLS,
        /** Nobody recorded whose it is: a figure grows, which the function names. */
        FIGURE
    }

    /** The site within a sentence: the file's name and the line, or what is known instead. */
    public String inWords() {
        return switch (kind) {
            case USER, PACKAGE, TORCH, PYTHON -> frame().fileAndLine();
            case BACKWARD -> "the backward pass that " + frame().fileAndLine() + " starts";
            case ANNOTATION -> "the range \"" + function + "\"";
            case OPERATOR -> "the operator " + function;
            case NATIVE -> "C++ code (" + function + ")";
            case NO_STACK -> "code without a recorded stack";
            case BEFORE_RECORDING -> "code that ran before the recording";
            case FUNCTION -> "the function " + function;
            case BETWEEN_CALLS -> "code after the calls of " + function;
            case FIGURE -> "code that the figures do not name";
        };
    }

    /** The site in short, for lists: a line of code by its file's last name and its function; safe to show. */
    public String brief() {
        return switch (kind) {
            case ANNOTATION -> "in the range " + quoted();
            case OPERATOR -> "operator " + Printable.of(function);
            case NATIVE -> "C++ only: " + Printable.of(function);
            case NO_STACK -> "(no stack recorded)";
            case BEFORE_RECORDING -> "(allocated before the recording)";
            case FUNCTION -> "in the function " + quoted();
            case BETWEEN_CALLS -> "between calls, after those of " + quoted();
            case FIGURE -> "(no line: " + Printable.of(function) + ")";
            case USER, PACKAGE, TORCH, PYTHON, BACKWARD ->
                Printable.of(frame().fileName()) + ":" + line + " (" + Printable.of(function) + ")";
        };
    }

    private String quoted() {
        return '"' + Printable.of(function) + '"';
    }

    /** The site in full: its path, line and function, or what is known instead; safe to show. */
    @Json.Property("label")
    public String label() {
        return switch (kind) {
            case USER -> line("");
            case PACKAGE -> line(" (package)");
            case TORCH -> line(" (torch)");
            case PYTHON -> line(" (python)");
            case BACKWARD -> line(" (backward)");
            case ANNOTATION, OPERATOR, NATIVE, NO_STACK, BEFORE_RECORDING, FUNCTION, BETWEEN_CALLS, FIGURE -> brief();
        };
    }

    private String line(String note) {
        return Printable.of(file) + ":" + line + " " + Printable.of(function) + note;
    }

    /** A text with the line that it is about, where it does not name that itself. */
    public String locate(String text) {
        return !isLine() || isNamed(text) ? text : text + ", at " + brief();
    }

    /** Returns whether a text names the line, and not only one whose number begins alike. */
    private boolean isNamed(String text) {
        String name = Printable.of(frame().fileAndLine());
        return Pattern.compile(Pattern.quote(name) + "(?!\\d)").matcher(text).find();
    }

    /** Returns whether the site is a line of a file. */
    public boolean isLine() {
        return !file.isEmpty();
    }
}
