package dev.leakline.lint.flow;

import dev.leakline.lint.flow.Value.Certainty;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Where the evaluation stands: the function, what its variables are now, the loop, and grad mode. */
final class Scope {
    final FunctionModel function;
    Map<String, Value> variables = new HashMap<>();

    @Nullable
    LoopModel loop;

    Certainty grad;
    /** True if control never gets here: after return, raise, break, continue. */
    boolean isDead;

    Scope(FunctionModel function, Certainty grad) {
        this.function = function;
        this.grad = grad;
    }

    /** A comprehension or lambda within the function, whose variables are its own. */
    Scope inner(@Nullable LoopModel around) {
        Scope inner = new Scope(function, grad);
        inner.variables = new HashMap<>(variables);
        inner.loop = around;
        return inner;
    }

    /**
     * The knowledge at a statement.
     *
     * @param isDead whether control never gets there
     */
    record State(Map<String, Value> variables, boolean isDead, Certainty grad) {
        State copy() {
            return new State(new HashMap<>(variables), isDead, grad);
        }
    }

    /** The state itself, which goes on. */
    State state() {
        return new State(variables, isDead, grad);
    }

    void enter(State state) {
        variables = state.variables;
        isDead = state.isDead;
        grad = state.grad;
    }

    /** Takes what holds on either of two ways. */
    void join(State other) {
        if (isDead && !other.isDead) {
            enter(other.copy());
        } else if (!other.isDead) {
            other.variables.forEach((name, value) -> variables.merge(name, value, Value::join));
            grad = grad == other.grad ? grad : Certainty.UNKNOWN;
        }
    }
}
