package dev.leakline.known;

import java.util.regex.Pattern;

/** The parts of what a program does with a model, by which one tells what memory is for; and the frames of PyTorch that show them. */
public enum StepPhase {
    /** A module computes. */
    FORWARD,
    /** The engine computes gradients. */
    BACKWARD,
    /** An optimizer takes its step. */
    OPTIMIZER,
    /** An optimizer or a module frees its gradients. */
    ZERO_GRAD,
    /** A model is moved to its device. */
    MOVING,
    /** A stored model is read. */
    READING,
    /** A module is made. */
    MAKING,
    /** None of these. */
    OUTSIDE;

    /** The name of an optimizer's own method, with PyTorch's wrapper around it. */
    public static final String STEP = "step";

    /** Files of the graphs that a compiler traced: those of backward passes have a {@code forward}, too. What calls them tells. */
    private static final String TRACED = "<eval_with_key>";

    private static final Pattern OPTIMIZERS = Pattern.compile("torch/optim/(?!swa_utils)[^/]+\\.py$");
    private static final Pattern MODULE = Pattern.compile("torch/nn/modules/module\\.py$");
    private static final Pattern MOVES = Pattern.compile("_apply|to|cuda|half|float|bfloat16|double|to_empty");
    private static final Pattern MODULES = Pattern.compile("torch/nn/(modules/[^/]+|parameter)\\.py$");
    private static final Pattern MAKES = Pattern.compile("__init__|__new__|reset_parameters");
    private static final Pattern READERS = Pattern.compile("torch/serialization\\.py$|safetensors/[^/]+\\.py$");

    /** The phase that a frame of Python shows; {@link #OUTSIDE} where it shows none. */
    public static StepPhase of(String file, String function) {
        String path = file.replace('\\', '/');
        if (ModuleCall.is(file, function) || (function.equals(ModuleCall.FORWARD) && !path.startsWith(TRACED))) {
            return FORWARD;
        }
        if (function.equals("backward") && !BackwardCall.is(file, function)) {
            return BACKWARD;
        }
        if (function.equals("zero_grad") && path.contains("torch/")) {
            return ZERO_GRAD;
        }
        if (OPTIMIZERS.matcher(path).find()) {
            return OPTIMIZER;
        }
        if (MODULE.matcher(path).find() && MOVES.matcher(function).matches()) {
            return MOVING;
        }
        if (READERS.matcher(path).find()) {
            return READING;
        }
        return MODULES.matcher(path).find() && MAKES.matcher(function).matches() ? MAKING : OUTSIDE;
    }
}
