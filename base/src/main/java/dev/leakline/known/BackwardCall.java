package dev.leakline.known;

import java.util.Set;

/**
 * The frames through which a program starts a backward pass. The pass itself runs in threads of its own without Python frames, while
 * the starting thread waits in one of these.
 */
public final class BackwardCall {
    private static final Set<String> FUNCTIONS = Set.of("backward", "grad", "_make_grads", "_engine_run_backward");

    private BackwardCall() {}

    /** Returns whether a frame is such a call. */
    public static boolean is(String file, String function) {
        String path = file.replace('\\', '/');
        return FUNCTIONS.contains(function)
                && (path.endsWith("torch/autograd/__init__.py") || path.endsWith("torch/_tensor.py"));
    }

    /** Returns whether it is one that adds what it computes to the gradients of parameters, rather than give it to the caller. */
    public static boolean accumulates(String file, String function) {
        return function.equals("backward") && is(file, function);
    }
}
