package dev.leakline.lint.flow;

import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import dev.leakline.python.flow.Certainty;
import org.jspecify.annotations.Nullable;

/** Something that a graph hangs on: a forward pass, the contents of a container, or a running sum; and what became of that graph. */
public final class Origin {
    /** Kinds of things that a graph can hang on. */
    public enum Type {
        FORWARD,
        CONTENTS,
        SUM,
        /** The handle of a registration, on which no graph hangs. */
        HANDLE
    }

    public final Type type;
    public final Node node;
    public final FunctionModel function;
    public final @Nullable LoopModel loop;

    /** The certainty, of a forward pass: whether grad mode was on, how sure it is that a module was called, and under which name. */
    public Certainty gradOn = Certainty.NO;

    public Certainty isModule = Certainty.NO;
    public String callee = "";
    /** True if the parameters need no gradient. */
    public boolean isFrozen;
    /** True if gradients with respect to the input are requested. */
    public boolean wantsInputGrad;

    /** True if something goes backward through it. */
    public boolean isBackwarded;
    /** True if a number, index or the like was taken from it. */
    public boolean isRead;
    /** True if it left the function, with its graph, for somebody who cannot be seen. */
    public boolean escapes;

    Origin(Type type, Node node, FunctionModel function, @Nullable LoopModel loop) {
        this.type = type;
        this.node = node;
        this.function = function;
        this.loop = loop;
    }

    /** The call of a forward pass; null of what is none. */
    public Expr.@Nullable Call call() {
        return node instanceof Expr.Call it ? it : null;
    }
}
