package dev.leakline.known;

/** The frames of PyTorch's layers that only compute: they keep nothing, and nothing is freed in them but what they made themselves. */
public final class LayerFrame {
    private static final String LAYERS = "torch/nn/modules/";
    private static final String FUNCTIONS = "torch/nn/functional.py";

    private LayerFrame() {}

    /** Whether a frame is of such a layer; the layers that run others hold what these made. */
    public static boolean is(String file, String function) {
        String path = file.replace('\\', '/');
        boolean isLayer =
                function.equals(ModuleCall.FORWARD) && path.contains(LAYERS) && !path.endsWith("container.py");
        return isLayer || path.endsWith(FUNCTIONS);
    }
}
