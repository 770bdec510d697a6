package dev.leakline.lint.flow;

import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An event in a file that rules ask for. */
public sealed interface FlowEvent {
    Node node();

    FunctionModel function();

    @Nullable
    LoopModel loop();

    /** The loops around it, the innermost first. */
    default List<LoopModel> loops() {
        return LoopModel.andAround(loop());
    }

    /** How something is put somewhere. */
    enum Way {
        /** Behind what is there: append, add, extend. */
        APPEND,
        /** Under a key. */
        PUT,
        /** Added to a running sum or mean. */
        SUM,
        /** Concatenated to what is there. */
        CONCATENATE,
        /** An attribute or variable is set. */
        SET,
        /** By a comprehension. */
        COMPREHEND
    }

    /**
     * Something is put where it may stay.
     *
     * @param node the whole statement or call
     * @param stored the expression that is stored
     * @param containers where to; empty where it is a plain variable or attribute
     * @param slot the variable or attribute, or null
     * @param key the key, or null
     * @param sum of a sum, what it is known as afterwards
     */
    record Store(
            Way way,
            Node node,
            Expr stored,
            Value value,
            Set<HeapContainer> containers,
            @Nullable Slot slot,
            @Nullable Expr key,
            @Nullable Value keyValue,
            @Nullable Origin sum,
            FunctionModel function,
            @Nullable LoopModel loop)
            implements FlowEvent {
        /** Returns whether what is gathered goes backward, and so is meant to keep its graph. */
        public boolean isBackwarded() {
            return (sum != null && sum.isBackwarded)
                    || containers.stream().anyMatch(container -> container.contents.isBackwarded);
        }
    }

    /** A graph is gone through backward: by backward(), or by autograd.grad. */
    record Backward(
            Expr.Call node,
            Value value,
            FunctionModel function,
            @Nullable LoopModel loop,
            @Nullable Expr retain,
            @Nullable Expr create,
            boolean isMethod)
            implements FlowEvent {}

    /** Any other call. */
    record Call(
            Expr.Call node,
            @Nullable String qualified,
            @Nullable Value receiver,
            Value result,
            FunctionModel function,
            @Nullable LoopModel loop)
            implements FlowEvent {}
}
