package dev.leakline.known;

/** The function of PyTorch's that casts the arguments of operators under autocast, and caches what it makes of weights. */
public final class AutocastFrame {
    private AutocastFrame() {}

    /** Whether a C++ function casts for autocast. Source: {@code aten/src/ATen/autocast_mode.cpp}. */
    public static boolean isCast(String function) {
        return function.startsWith("at::autocast::cached_cast(");
    }
}
