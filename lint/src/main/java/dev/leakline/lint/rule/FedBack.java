package dev.leakline.lint.rule;

import dev.leakline.lint.flow.Flow;
import dev.leakline.lint.flow.FunctionModel;
import dev.leakline.lint.flow.Origin;
import dev.leakline.lint.flow.Slot;
import dev.leakline.lint.flow.Value;
import dev.leakline.lint.python.Syntax;
import org.jspecify.annotations.Nullable;

/** A variable or attribute that a pass reads, and that holds, with its graph, what the pass before gave back. */
record FedBack(Syntax name, @Nullable Slot slot) {
    /** What a pass is given of what it gave back, or null. */
    static @Nullable FedBack of(Origin pass, Flow flow) {
        if (!(pass.node.child("arguments") instanceof Syntax arguments)) {
            return null;
        }
        for (Syntax argument : arguments.children()) {
            Syntax given = argument.is("keyword_argument") ? argument.child("value") : argument;
            Syntax name = given == null || !hangsOn(pass, given, flow) ? null : named(pass, given, flow);
            if (name != null) {
                return new FedBack(name, flow.valueOf(name).slot());
            }
        }
        return null;
    }

    private static boolean hangsOn(Origin pass, Syntax expression, Flow flow) {
        return Tensors.graph(flow.valueOf(expression)).contains(pass);
    }

    /** The first name in an expression that hangs on the pass. */
    private static @Nullable Syntax named(Origin pass, Syntax expression, Flow flow) {
        if (expression.is("identifier") || expression.is("attribute")) {
            return hangsOn(pass, expression, flow) ? expression : null;
        }
        for (Syntax child : expression.children()) {
            Syntax name = named(pass, child, flow);
            if (name != null) {
                return name;
            }
        }
        return null;
    }

    /** Whether it is an attribute that only its object's constructor and the pass itself set: nothing ends the chain. */
    boolean isEndless(Origin pass) {
        return slot != null
                && slot.isAttribute
                && slot.assigned.entrySet().stream()
                        .allMatch(assignment -> isOfPass(assignment.getValue(), pass)
                                || (slot.functionOf(assignment.getKey()) instanceof FunctionModel function
                                        && (function.isConstructor() || function.isModuleLevel())));
    }

    private static boolean isOfPass(Value value, Origin pass) {
        return Tensors.graph(value).contains(pass);
    }
}
