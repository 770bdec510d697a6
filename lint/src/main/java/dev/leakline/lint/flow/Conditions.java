package dev.leakline.lint.flow;

import dev.leakline.lint.flow.Value.Kind;
import dev.leakline.lint.python.Syntax;
import org.jspecify.annotations.Nullable;

/** What a condition says of the variables in it. */
final class Conditions {

    private Conditions() {}

    /** Where it holds, or does not. */
    static void narrow(Syntax condition, boolean holds, Scope frame) {
        Syntax inner = condition;
        while (inner.is("parenthesized_expression") && !inner.children().isEmpty()) {
            inner = inner.children().getFirst();
        }
        if (inner.is("not_operator") && inner.child("argument") instanceof Syntax argument) {
            narrow(argument, !holds, frame);
            return;
        }
        if (inner.is("boolean_operator") && inner.text("operator").equals(holds ? "and" : "or")) {
            for (Syntax part : inner.children()) {
                if (!part.is("and") && !part.is("or")) {
                    narrow(part, holds, frame);
                }
            }
            return;
        }
        if (inner.is("comparison_operator") && inner.children().size() >= 2) {
            Syntax left = inner.children().getFirst();
            Syntax right = inner.children().getLast();
            boolean none = right.is("none") && left.is("identifier");
            boolean is = none && inner.text().contains(" is ") && !inner.text().contains(" is not ");
            if (none && is != holds && frame.variables.get(left.text()) instanceof Value value) {
                frame.variables.put(left.text(), value.without(Kind.NONE));
            }
            return;
        }
        Syntax tested = inner.is("call") ? testedTensor(inner) : null;
        if (tested != null && tested.is("identifier") && frame.variables.get(tested.text()) instanceof Value value) {
            frame.variables.put(
                    tested.text(),
                    holds
                            ? value.withKinds(Kind.TENSOR)
                            : value.detached()
                                    .withKinds(value.without(Kind.TENSOR).kinds() | Kind.NUMBER)
                                    .without(Kind.OTHER));
        }
    }

    /** The x of isinstance(x, torch.Tensor), torch.is_tensor(x), hasattr(x, "item"); else null. */
    private static @Nullable Syntax testedTensor(Syntax call) {
        Syntax arguments = call.child("arguments");
        String callee = call.text("function");
        if (arguments == null || arguments.children().isEmpty()) {
            return null;
        }
        Syntax first = arguments.children().getFirst();
        String rest = arguments.text();
        return callee.endsWith("is_tensor")
                        || (callee.equals("isinstance") && rest.contains("Tensor"))
                        || (callee.equals("hasattr") && (rest.contains("item") || rest.contains("detach")))
                ? first
                : null;
    }
}
