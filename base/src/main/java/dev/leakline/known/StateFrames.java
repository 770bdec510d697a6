package dev.leakline.known;

import java.util.Set;

/** The frames that show a model's state being made, copied or cleared, an optimizer's being made, or what a pass makes not being kept. */
public final class StateFrames {
    private static final Set<String> COPIES =
            Set.of("deepcopy", "_deepcopy_dict", "state_dict", "_save_to_state_dict", "__deepcopy__");
    private static final Set<String> OPTIMIZER_STATE = Set.of("_init_group", "_init_state", "init_state");

    private static final Set<String> BUILDING = Set.of("__init__", "_apply", "convert", "reset_parameters");

    private StateFrames() {}

    /** Returns whether a frame makes the parameters of a module, or moves them to a device. */
    public static boolean buildsModule(String file, String function) {
        return BUILDING.contains(function) && file.replace('\\', '/').contains("torch/nn/modules/");
    }

    /**
     * Returns whether a frame is the wrapper of a function under {@code @torch.no_grad()}, {@code @torch.inference_mode()} or one alike; the same
     * wrapper serves {@code @torch.enable_grad()}, which hardly anybody writes.
     */
    public static boolean savesNothing(String file, String function) {
        return function.equals("decorate_context") && file.replace('\\', '/').endsWith("torch/utils/_contextlib.py");
    }

    /** Returns whether a frame moves the state of a module: its parameters, then their gradients, then its buffers, each at a line further down. */
    public static boolean movesState(String file, String function) {
        return function.equals("_apply") && file.replace('\\', '/').endsWith("torch/nn/modules/module.py");
    }

    /** Returns whether a frame copies the state of a model. */
    public static boolean copiesState(String file, String function) {
        String path = file.replace('\\', '/');
        return COPIES.contains(function)
                && (path.endsWith("/copy.py") || path.equals("copy.py") || path.contains("torch/"));
    }

    /** Returns whether a frame is of the context that has factories make tensors on a device, for whoever calls them. */
    public static boolean isDeviceContext(String file, String function) {
        return file.replace('\\', '/').endsWith("torch/utils/_device.py");
    }

    /** Returns whether a frame is one of activation checkpointing: of what modules make below it little is kept, and made again in the backward pass. */
    public static boolean isRecomputed(String file, String function) {
        return file.replace('\\', '/').endsWith("torch/utils/checkpoint.py");
    }

    /** Returns whether a frame makes the state of an optimizer. */
    public static boolean makesOptimizerState(String file, String function) {
        return OPTIMIZER_STATE.contains(function) && file.replace('\\', '/').contains("torch/optim/");
    }
}
