package dev.leakline.known;

import java.util.Set;

/** The frames through which {@code nn.Module} runs a module's {@code forward} and its hooks. */
public final class ModuleCall {
    /** The name that {@code nn.Module} gives to the method in which a module computes. */
    public static final String FORWARD = "forward";

    /** Where a module has hooks, {@code inner} calls them and its {@code forward}. */
    private static final Set<String> CALLS = Set.of("_call_impl", "_wrapped_call_impl", "inner", "__call__");

    private static final String LAYERS = "torch/nn/modules/";
    private static final String FUNCTIONS = "torch/nn/functional.py";

    private ModuleCall() {}

    /** Returns whether a frame is such a call. */
    public static boolean is(String file, String function) {
        return CALLS.contains(function) && file.replace('\\', '/').endsWith("torch/nn/modules/module.py");
    }

    /**
     * Returns whether a frame is of one of PyTorch's own layers or functions that only compute: they keep nothing, and nothing is freed in them but what they
     * made themselves. Layers that run others hold what these made.
     */
    public static boolean computes(String file, String function) {
        String path = file.replace('\\', '/');
        boolean isLayer = function.equals(FORWARD) && path.contains(LAYERS) && !path.endsWith("container.py");
        return isLayer || path.endsWith(FUNCTIONS);
    }
}
