package dev.leakline.python;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The children of each kind of node, in the order of the source. */
final class Children {
    private static final Comparator<Node> BY_START = Comparator.comparingInt(Node::start);

    private final Consumer<? super Node> visitor;

    private Children(Consumer<? super Node> visitor) {
        this.visitor = visitor;
    }

    static void of(Node node, Consumer<? super Node> visitor) {
        Children children = new Children(visitor);
        switch (node) {
            case Expr expression -> children.ofExpression(expression);
            case Stmt statement -> children.ofStatement(statement);
            case Pattern pattern -> children.ofPattern(pattern);
            default -> children.ofPart(node);
        }
    }

    private void ofExpression(Expr expression) {
        switch (expression) {
            case Expr.BoolOp it -> all(it.values());
            case Expr.NamedExpr it -> each(it.target(), it.value());
            case Expr.BinOp it -> each(it.left(), it.right());
            case Expr.UnaryOp it -> each(it.operand());
            case Expr.Lambda it -> each(it.args(), it.body());
            case Expr.IfExp it -> each(it.body(), it.test(), it.orelse());
            case Expr.Dict it -> {
                for (int i = 0; i < it.values().size(); i++) {
                    each(it.keys().get(i), it.values().get(i));
                }
            }
            case Expr.SetDisplay it -> all(it.elts());
            case Expr.ListComp it -> comprehension(it.elt(), null, it.generators());
            case Expr.SetComp it -> comprehension(it.elt(), null, it.generators());
            case Expr.DictComp it -> comprehension(it.key(), it.value(), it.generators());
            case Expr.GeneratorExp it -> comprehension(it.elt(), null, it.generators());
            case Expr.Await it -> each(it.value());
            case Expr.Yield it -> each(it.value());
            case Expr.YieldFrom it -> each(it.value());
            case Expr.Compare it -> {
                each(it.left());
                all(it.comparators());
            }
            case Expr.Call it -> {
                each(it.func());
                merged(it.args(), it.keywords());
            }
            case Expr.FormattedValue it -> each(it.value(), it.formatSpec());
            case Expr.Interpolation it -> each(it.value(), it.formatSpec());
            case Expr.JoinedStr it -> all(it.values());
            case Expr.TemplateStr it -> all(it.values());
            case Expr.Attribute it -> each(it.value());
            case Expr.Subscript it -> each(it.value(), it.slice());
            case Expr.Starred it -> each(it.value());
            case Expr.ListDisplay it -> all(it.elts());
            case Expr.Tuple it -> all(it.elts());
            case Expr.Slice it -> each(it.lower(), it.upper(), it.step());
            case Expr.Constant _, Expr.Name _ -> {}
        }
    }

    private void ofStatement(Stmt statement) {
        switch (statement) {
            case Stmt.FunctionDef it -> {
                all(it.decoratorList());
                all(it.typeParams());
                each(it.args(), it.returns());
                all(it.body());
            }
            case Stmt.ClassDef it -> {
                all(it.decoratorList());
                all(it.typeParams());
                merged(it.bases(), it.keywords());
                all(it.body());
            }
            case Stmt.Return it -> each(it.value());
            case Stmt.Delete it -> all(it.targets());
            case Stmt.Assign it -> {
                all(it.targets());
                each(it.value());
            }
            case Stmt.TypeAlias it -> {
                each(it.name());
                all(it.typeParams());
                each(it.value());
            }
            case Stmt.AugAssign it -> each(it.target(), it.value());
            case Stmt.AnnAssign it -> each(it.target(), it.annotation(), it.value());
            case Stmt.For it -> {
                each(it.target(), it.iter());
                all(it.body());
                all(it.orelse());
            }
            case Stmt.While it -> {
                each(it.test());
                all(it.body());
                all(it.orelse());
            }
            case Stmt.If it -> {
                each(it.test());
                all(it.body());
                all(it.orelse());
            }
            case Stmt.With it -> {
                all(it.items());
                all(it.body());
            }
            case Stmt.Match it -> {
                each(it.subject());
                all(it.cases());
            }
            case Stmt.Raise it -> each(it.exc(), it.cause());
            case Stmt.Try it -> {
                all(it.body());
                all(it.handlers());
                all(it.orelse());
                all(it.finalbody());
            }
            case Stmt.Assert it -> each(it.test(), it.msg());
            case Stmt.Import it -> all(it.names());
            case Stmt.ImportFrom it -> all(it.names());
            case Stmt.Expression it -> each(it.value());
            case Stmt.Invalid it -> all(it.body());
            case Stmt.Global _, Stmt.Nonlocal _, Stmt.Pass _, Stmt.Break _, Stmt.Continue _ -> {}
        }
    }

    private void ofPattern(Pattern pattern) {
        switch (pattern) {
            case Pattern.MatchValue it -> each(it.value());
            case Pattern.MatchSingleton it -> each(it.value());
            case Pattern.MatchSequence it -> all(it.patterns());
            case Pattern.MatchMapping it -> merged(it.keys(), it.patterns());
            case Pattern.MatchClass it -> {
                each(it.cls());
                all(it.patterns());
                all(it.kwdPatterns());
            }
            case Pattern.MatchAs it -> each(it.pattern());
            case Pattern.MatchOr it -> all(it.patterns());
            case Pattern.MatchStar _ -> {}
        }
    }

    private void ofPart(Node part) {
        switch (part) {
            case Node.Comprehension it -> {
                each(it.target(), it.iter());
                all(it.ifs());
            }
            case Node.ExceptHandler it -> {
                each(it.type());
                all(it.body());
            }
            case Node.Arguments it -> {
                all(it.posonlyargs());
                all(it.args());
                each(it.vararg());
                all(it.kwonlyargs());
                each(it.kwarg());
            }
            case Node.Arg it -> each(it.annotation(), it.defaultValue());
            case Node.Keyword it -> each(it.value());
            case Node.WithItem it -> each(it.contextExpr(), it.optionalVars());
            case Node.MatchCase it -> {
                each(it.pattern(), it.guard());
                all(it.body());
            }
            case Node.TypeParam it -> each(it.bound(), it.defaultValue());
            default -> {}
        }
    }

    private void comprehension(Expr element, @Nullable Expr value, List<Node.Comprehension> generators) {
        each(element, value);
        all(generators);
    }

    private void each(@Nullable Node... nodes) {
        for (Node node : nodes) {
            if (node != null) {
                visitor.accept(node);
            }
        }
    }

    private void all(List<? extends Node> nodes) {
        nodes.forEach(visitor);
    }

    private void merged(List<? extends Node> some, List<? extends Node> others) {
        if (others.isEmpty()) {
            all(some);
            return;
        }
        List<Node> nodes = new ArrayList<>(some);
        nodes.addAll(others);
        nodes.sort(BY_START);
        all(nodes);
    }
}
