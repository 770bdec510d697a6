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

    Map<String, Value> copy() {
        return new HashMap<>(variables);
    }

    /** Takes what holds on either of two ways. */
    void join(Map<String, Value> other, boolean otherIsDead) {
        if (otherIsDead) {
            return;
        }
        if (isDead) {
            variables = new HashMap<>(other);
            isDead = false;
            return;
        }
        for (Map.Entry<String, Value> entry : other.entrySet()) {
            variables.merge(entry.getKey(), entry.getValue(), Value::join);
        }
    }
}
