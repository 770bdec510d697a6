package dev.leakline.lint.python;

import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Parameters of the parser's tree as {@link Syntax}. */
final class ParameterSyntax {
    private final ExpressionSyntax expressions;
    private final SourceGaps gaps;

    ParameterSyntax(ExpressionSyntax expressions, SourceGaps gaps) {
        this.expressions = expressions;
        this.gaps = gaps;
    }

    /** The parameters of a function, without the marks between them. */
    List<Syntax> of(Node.Arguments arguments) {
        List<Syntax> made = new ArrayList<>();
        arguments.posonlyargs().forEach(arg -> made.add(parameter(arg)));
        arguments.args().forEach(arg -> made.add(parameter(arg)));
        addStarred(arguments.vararg(), "list_splat_pattern", made);
        arguments.kwonlyargs().forEach(arg -> made.add(parameter(arg)));
        addStarred(arguments.kwarg(), "dictionary_splat_pattern", made);
        return made;
    }

    private void addStarred(Node.@Nullable Arg arg, String type, List<Syntax> made) {
        if (arg == null) {
            return;
        }
        int start = gaps.before(arg.start(), '*');
        Syntax name = expressions.identifier(arg.start());
        Syntax starred = expressions.node(type, start, name.end(), name);
        Expr annotation = arg.annotation();
        made.add(
                annotation == null
                        ? starred
                        : expressions.node("typed_parameter", start, arg.end(), starred, expressions.type(annotation)));
    }

    private Syntax parameter(Node.Arg arg) {
        Syntax name = expressions.identifier(arg.start());
        Expr annotation = arg.annotation();
        Expr value = arg.defaultValue();
        if (value != null) {
            Syntax made = expressions.of(value).in("value");
            return annotation == null
                    ? expressions.node("default_parameter", arg.start(), made.end(), name.in("name"), made)
                    : expressions.node(
                            "typed_default_parameter",
                            arg.start(),
                            made.end(),
                            name.in("name"),
                            expressions.type(annotation),
                            made);
        }
        return annotation == null
                ? name
                : expressions.node("typed_parameter", arg.start(), arg.end(), name, expressions.type(annotation));
    }
}
