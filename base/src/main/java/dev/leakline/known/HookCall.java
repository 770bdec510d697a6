package dev.leakline.known;

import java.util.Set;

/**
 * The frames through which PyTorch calls hooks of tensors, of backward passes and of optimizers; modules call theirs through
 * {@link ModuleCall}. In a backward pass on a device, a hook of a tensor is called by a thread of C++, so that no frame of Python's
 * stands outside it.
 */
public final class HookCall {
    /** Outermost functions of a thread in Python: a module's code, and the one that starts threads. */
    private static final Set<String> OUTERMOST = Set.of("<module>", "_bootstrap");

    private HookCall() {}

    /** Returns whether a frame calls hooks. */
    public static boolean is(String file, String function) {
        String path = file.replace('\\', '/');
        return path.endsWith("torch/utils/hooks.py")
                || (path.endsWith("torch/optim/optimizer.py") && function.equals("wrapper"))
                || (path.endsWith("torch/autograd/graph.py") && function.equals("_engine_run_backward"));
    }

    /** Returns whether a function that nothing of Python's called is one that a backward pass called. */
    public static boolean isOfAutograd(String function) {
        return !OUTERMOST.contains(function);
    }
}
