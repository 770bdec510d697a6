package dev.leakline.known;

import java.util.regex.Pattern;

/** The frames through which parts of a step are called that have loops of their own: a model's {@code forward}, PyTorch's calls of the rest. */
public final class StepPart {
    /** Optimizers, autograd functions, recomputed and loaded parts; modules have {@link ModuleCall}. */
    private static final Pattern FILES =
            Pattern.compile("torch/(optim/optimizer|autograd/function|utils/checkpoint|utils/data/.*)\\.py$");

    private StepPart() {}

    /** Returns whether a frame is such a call. */
    public static boolean is(String file, String function) {
        return function.equals(ModuleCall.FORWARD)
                || FILES.matcher(file.replace('\\', '/')).find()
                || ModuleCall.is(file, function);
    }
}
