package dev.leakline.known;

import java.util.Set;

/** The frames that show a loss over classes being computed, whose blocks are as large as the logits. */
public final class LossFrames {
    private static final Set<String> FUNCTIONS = Set.of("cross_entropy", "log_softmax", "nll_loss");

    private LossFrames() {}

    /** Returns whether a frame is one of PyTorch's losses over classes. */
    public static boolean isOverClasses(String file, String function) {
        return FUNCTIONS.contains(function) && file.replace('\\', '/').endsWith("torch/nn/functional.py");
    }
}
