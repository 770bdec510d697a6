package dev.leakline.lint.flow;

import dev.leakline.python.flow.Certainty;
import dev.leakline.python.flow.FlowFrame;
import java.util.HashMap;
import org.jspecify.annotations.Nullable;

/** The place where the evaluation stands: the function and the loop. */
final class Scope extends FlowFrame<Value> {
    final FunctionModel function;

    @Nullable
    LoopModel loop;

    Scope(FunctionModel function, Certainty grad) {
        super(grad, Value::join);
        this.function = function;
    }

    /** A comprehension or lambda within the function, whose variables are its own. */
    Scope inner(@Nullable LoopModel around) {
        Scope inner = new Scope(function, grad);
        inner.variables = new HashMap<>(variables);
        inner.loop = around;
        return inner;
    }
}
