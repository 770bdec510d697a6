package dev.leakline.known;

/** The frames through which {@code nn.Module} runs a module's {@code forward} and its hooks. */
public final class ModuleCall {
    /** The name that {@code nn.Module} gives to the method in which a module computes. */
    public static final String FORWARD = "forward";

    private ModuleCall() {}

    /** Whether a frame is such a call. */
    public static boolean is(String file, String function) {
        boolean isCall =
                function.equals("_call_impl") || function.equals("_wrapped_call_impl") || function.equals("__call__");
        return isCall && file.replace('\\', '/').endsWith("torch/nn/modules/module.py");
    }
}
