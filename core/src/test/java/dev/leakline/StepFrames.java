package dev.leakline;

/** The frames of a training step, innermost first, as recordings of PyTorch have them. */
final class StepFrames {
    static final String TORCH = "/x/site-packages/torch/";
    static final String CALL = TORCH + "nn/modules/module.py:1794 _call_impl";
    static final String[] MOVE = {TORCH + "nn/modules/module.py:966 _apply", "train.py:3 main"};
    static final String[] LAYER = {"model.py:20 forward", CALL, "train.py:12 main"};
    static final String[] ENGINE = {"engine.cpp:1 torch::autograd::Engine::evaluate_function"};
    static final String[] STEP = {TORCH + "optim/optimizer.py:500 wrapper", "train.py:15 main"};
    static final String[] ZERO = {TORCH + "optim/optimizer.py:1050 zero_grad", "train.py:16 main"};

    private StepFrames() {}
}
