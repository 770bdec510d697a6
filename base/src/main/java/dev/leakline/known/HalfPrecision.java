package dev.leakline.known;

import java.util.Set;

/** In which precision {@code torch.autocast} has functions of PyTorch compute, by the frames that show them. */
public enum HalfPrecision {
    /** In half: products. */
    HALF,
    /** In that of what it is given last: what is computed element by element, and pooled. */
    FOLLOWING,
    /** In full, whatever it is given. */
    FULL,
    /** In the fullest of all that it is given, which frames do not show. */
    UNKNOWN;

    private static final Set<String> WITH_WEIGHTS = Set.of(
            "linear",
            "bilinear",
            "conv1d",
            "conv2d",
            "conv3d",
            "_conv_forward",
            "conv_transpose1d",
            "conv_transpose2d",
            "conv_transpose3d",
            "multi_head_attention_forward",
            "_in_projection_packed");
    private static final Set<String> OTHER_PRODUCTS = Set.of("scaled_dot_product_attention");
    private static final Set<String> FOLLOW = Set.of(
            "relu",
            "relu_",
            "leaky_relu",
            "gelu",
            "silu",
            "mish",
            "elu",
            "selu",
            "hardtanh",
            "hardswish",
            "glu",
            "max_pool1d",
            "max_pool2d",
            "max_pool3d",
            "_max_pool2d",
            "adaptive_avg_pool2d",
            "dropout",
            "batch_norm");
    private static final Set<String> IN_FULL = Set.of(
            "cross_entropy",
            "nll_loss",
            "log_softmax",
            "softmax",
            "mse_loss",
            "l1_loss",
            "smooth_l1_loss",
            "kl_div",
            "cosine_similarity",
            "interpolate",
            "group_norm",
            "layer_norm",
            "rms_norm",
            "normalize",
            "embedding",
            "embedding_bag",
            "binary_cross_entropy_with_logits");
    private static final Set<String> MOVES = Set.of("half", "bfloat16");

    /** Finds what a frame of Python shows. */
    public static HalfPrecision of(String file, String function) {
        String path = file.replace('\\', '/');
        if (!path.contains("torch/nn/")) {
            return UNKNOWN;
        }
        if (isWithWeights(path, function) || OTHER_PRODUCTS.contains(function)) {
            return HALF;
        }
        if (FOLLOW.contains(function) || (function.equals(ModuleCall.FORWARD) && isElementwise(path))) {
            return FOLLOWING;
        }
        return IN_FULL.contains(function) ? FULL : UNKNOWN;
    }

    /** Returns whether a function of PyTorch multiplies by weights, of which autocast makes a copy. */
    public static boolean isWithWeights(String file, String function) {
        String path = file.replace('\\', '/');
        boolean isModule = path.endsWith("modules/linear.py") || path.endsWith("modules/conv.py");
        return path.contains("torch/nn/")
                && (WITH_WEIGHTS.contains(function) || (function.equals(ModuleCall.FORWARD) && isModule));
    }

    private static boolean isElementwise(String path) {
        return path.endsWith("modules/activation.py")
                || path.endsWith("modules/dropout.py")
                || path.endsWith("modules/pooling.py");
    }

    /** Returns whether a frame moves a whole model to half precision. */
    public static boolean isMove(String file, String function) {
        return MOVES.contains(function) && file.replace('\\', '/').endsWith("torch/nn/modules/module.py");
    }

    /** Returns whether a C++ function casts what an operator is given, and keeps what it makes of weights. Source: {@code aten/src/ATen/autocast_mode.cpp}. */
    public static boolean isCast(String function) {
        return function.startsWith("at::autocast::cached_cast(");
    }
}
