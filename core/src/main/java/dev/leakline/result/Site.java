package dev.leakline.result;

/**
 * Who to ask about an allocation: the innermost frame of the user's own code, or the best that the recording offers instead.
 *
 * @param kind how the frame was chosen
 * @param frame the frame; where the kind has none, its function says what is known and its file is empty
 */
public record Site(Kind kind, Frame frame) {
    /** How a site was found, from the best to the least. */
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
            case USER, PACKAGE, TORCH, PYTHON -> frame.fileAndLine();
            case BACKWARD -> "the backward pass that " + frame.fileAndLine() + " starts";
            case ANNOTATION -> "the range \"" + frame.function() + "\"";
            case OPERATOR -> "the operator " + frame.function();
            case NATIVE -> "C++ code (" + frame.function() + ")";
            case NO_STACK -> "code without a recorded stack";
            case BEFORE_RECORDING -> "code that ran before the recording";
            case FUNCTION -> "the function " + frame.function();
            case BETWEEN_CALLS -> "code after the calls of " + frame.function();
            case FIGURE -> "code that the figures do not name";
        };
    }

    /** Whether the site is a line of a file. */
    public boolean isLine() {
        return !frame.file().isEmpty();
    }
}
