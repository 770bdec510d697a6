package dev.leakline.python.flow;

import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Notes where a variable is given what is made of its own value. */
final class FlowCarried {
    private final ProgramFlow flow;
    private final FlowExpressions expressions;

    FlowCarried(ProgramFlow flow, FlowExpressions expressions) {
        this.flow = flow;
        this.expressions = expressions;
    }

    /** Notes that a place is given what is made of its own value. */
    boolean note(Node at, Expr place, Expr written, FlowScope scope) {
        if (!isMadeOf(written, place, scope)) {
            return false;
        }
        Expr other = added(written, place, scope);
        Expr added = other == null ? written : other;
        FlowValue value = expressions.value(added, scope);
        boolean isDisplay =
                added instanceof Expr.ListDisplay || added instanceof Expr.Tuple || added instanceof Expr.Dict;
        flow.note(new FlowFacts.Add(
                scope.file,
                at,
                place,
                added,
                null,
                expressions.value(place, scope),
                other != null && isDisplay ? value.items() : value,
                other != null
                        ? FlowFacts.How.SUM
                        : value.heap().stream().anyMatch(Heap::isChained)
                                ? FlowFacts.How.CHAINED
                                : FlowFacts.How.CARRIED));
        return true;
    }

    /** Returns whether two expressions are the same place of the same object. */
    private boolean isSame(Expr one, Expr other, FlowScope scope) {
        return scope.file.text(one).equals(scope.file.text(other));
    }

    /** The part of a sum or a display that is not what a place has: of {@code x + y} and {@code [*x, y]}; null for others. */
    private @Nullable Expr added(Expr written, Expr place, FlowScope scope) {
        return switch (written) {
            case Expr.BinOp it
            when it.op() == Expr.Operator.ADD || it.op() == Expr.Operator.BIT_OR -> {
                Expr nested = isSame(it.left(), place, scope) ? it.right() : added(it.left(), place, scope);
                yield nested == null && isSame(it.right(), place, scope) ? it.left() : nested;
            }
            case Expr.ListDisplay it when isSpread(it.elts()) -> spread(it.elts(), place, scope);
            case Expr.Tuple it when isSpread(it.elts()) -> spread(it.elts(), place, scope);
            case Expr.Dict it when it.keys().stream().anyMatch(Objects::isNull) -> spread(it.values(), place, scope);
            default -> null;
        };
    }

    private static boolean isSpread(List<Expr> elements) {
        return elements.stream().anyMatch(Expr.Starred.class::isInstance);
    }

    /** The other element of a display that begins with all of a place. */
    private @Nullable Expr spread(List<Expr> elements, Expr place, FlowScope scope) {
        List<Expr> others = elements.stream()
                .filter(each -> !isSame(each instanceof Expr.Starred it ? it.value() : each, place, scope))
                .toList();
        return others.isEmpty() || others.size() == elements.size()
                ? null
                : others.stream()
                        .filter(each -> expressions.value(each, scope).reached() > 0)
                        .findFirst()
                        .orElse(others.getFirst());
    }

    /** Returns whether an expression has a place in it, outside of what only asks. */
    private boolean isMadeOf(Expr expression, Expr place, FlowScope scope) {
        if (isSame(expression, place, scope)) {
            return false;
        }
        boolean[] found = new boolean[1];
        expression.forEachChild(child -> find(child, place, scope, found));
        return found[0];
    }

    private void find(Node node, Expr place, FlowScope scope, boolean[] found) {
        if (node instanceof Expr it && isSame(it, place, scope)) {
            found[0] = true;
        } else if (!(node instanceof Expr.Lambda)) {
            node.forEachChild(child -> find(child, place, scope, found));
        }
    }
}
