package dev.leakline.known;

import dev.leakline.columns.ProfilerFrames;

/** The kind of a frame in the profiler's stacks, inferred from its file and name. */
public enum ProfilerFrame {
    /** A function written in Python. */
    PYTHON,
    /** A function that Python calls and C implements, such as {@code <built-in method zeros of type>}. */
    BUILT_IN,
    /** A call of a module. */
    MODULE,
    /** The range in which PyTorch runs an optimizer. */
    OPTIMIZER_STEP,
    /** The range in which an optimizer frees gradients. */
    ZERO_GRAD,
    /** Another marked range. */
    RANGE,
    /** A backward pass at work for one operator. */
    ENGINE,
    /** An operator. */
    OPERATOR;

    private static final String OPTIMIZER = "Optimizer.step#";
    private static final String GRADIENTS = "Optimizer.zero_grad#";

    /** The kind of a frame. */
    public static ProfilerFrame of(String file, String function) {
        if (!file.isEmpty()) {
            return PYTHON;
        }
        if (function.startsWith(ProfilerFrames.RANGE)) {
            return range(function.substring(ProfilerFrames.RANGE.length()));
        }
        if (function.startsWith(ProfilerFrames.MODULE)) {
            return MODULE;
        }
        if (function.startsWith(ProfilerFrames.ENGINE)) {
            return ENGINE;
        }
        return function.startsWith("<") ? BUILT_IN : OPERATOR;
    }

    private static ProfilerFrame range(String name) {
        if (name.startsWith(OPTIMIZER)) {
            return OPTIMIZER_STEP;
        }
        return name.startsWith(GRADIENTS) ? ZERO_GRAD : RANGE;
    }

    /** Returns whether it is a marked range of any kind. */
    public boolean isRange() {
        return this == RANGE || this == OPTIMIZER_STEP || this == ZERO_GRAD;
    }
}
