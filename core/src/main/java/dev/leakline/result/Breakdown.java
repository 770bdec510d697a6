package dev.leakline.result;

import java.util.List;

/**
 * What was live at a moment, told apart otherwise than by lines of code, each list largest first; empty where the recording cannot tell,
 * as only traces of the profiler can.
 *
 * @param byCategory by what it is for, as an estimate from where and when it came and went
 * @param byOperator by the operator that the program called; the largest few dozen
 * @param byModule by the modules in which it was called, outermost first, with slashes between them; the largest few dozen
 */
public record Breakdown(List<Use> byCategory, List<Share> byOperator, List<Share> byModule) {
    /** Of what cannot be told. */
    public static final Breakdown NONE = new Breakdown(List.of(), List.of(), List.of());

    /** What memory is for. */
    public enum Category {
        /** It was there before the recording and stayed: parameters, optimizer state, and whatever else. */
        MODEL_STATE,
        /** It came before the first forward pass and stayed. */
        PARAMETERS,
        /** A backward pass made it and left it. */
        GRADIENTS,
        /** An optimizer made it and kept it. */
        OPTIMIZER_STATE,
        /** A forward pass made it for the backward pass. */
        ACTIVATIONS,
        /** A step brought it for its forward pass. */
        INPUTS,
        /** It went where it came from. */
        TEMPORARIES,
        /** None of these: what stays from step to step, for one. */
        OTHER
    }

    /** What was live of a category. */
    public record Use(Category category, long bytes, int blocks) {}

    /** What was live of an operator or module. */
    public record Share(String name, long bytes, int blocks) {}
}
