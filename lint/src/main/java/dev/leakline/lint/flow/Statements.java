package dev.leakline.lint.flow;

import dev.leakline.lint.flow.Value.Kind;
import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import dev.leakline.python.Stmt;
import dev.leakline.python.flow.Certainty;
import dev.leakline.python.flow.ControlFlow;
import java.util.List;
import java.util.Set;

/** Executes definitions, assignments and loops, and notes what contexts do to grad mode. */
final class Statements extends ControlFlow<Value, Scope> {
    private final FileModel file;
    private final Flow flow;
    private final Expressions expressions;
    private final Assignments assignments;
    private final Narrowing narrowing;

    Statements(Expressions expressions) {
        this.file = expressions.file;
        this.flow = expressions.flow;
        this.expressions = expressions;
        this.assignments = expressions.assignments;
        this.narrowing = new Narrowing(file);
    }

    @Override
    protected void count(int work) {
        flow.step(work);
    }

    @Override
    protected void run(Stmt node, Scope frame) {
        switch (node) {
            case Stmt.Expression it -> expressions.evaluate(it.value(), frame);
            case Stmt.Assign it -> assignments.execute(it, frame);
            case Stmt.AnnAssign it -> assignments.execute(it, frame);
            case Stmt.AugAssign it -> assignments.execute(it, frame);
            case Stmt.For it -> executeFor(it, frame);
            case Stmt.While it -> {
                repeat(flow.loop(it, frame), () -> expressions.evaluate(it.test(), frame), it.body(), frame);
                block(it.orelse(), frame);
            }
            case Stmt.Return it -> {
                if (it.value() != null) {
                    frame.function.addReturned(expressions.evaluate(it.value(), frame));
                }
            }
            case Stmt.Delete it -> it.targets().forEach(target -> assignments.delete(target, frame));
            case Stmt.FunctionDef it -> define(it, frame);
            case Stmt.ClassDef it -> define(it, frame);
            case Stmt.Invalid it -> block(it.body(), frame);
            case Stmt.Raise _, Stmt.Assert _, Stmt.TypeAlias _ -> expressions.evaluateIn(node, frame);
            default -> {}
        }
    }

    @Override
    protected Value value(Expr expression, Scope frame) {
        return expressions.evaluate(expression, frame);
    }

    @Override
    protected void narrow(Expr condition, boolean holds, Scope frame) {
        narrowing.narrow(condition, holds, frame);
    }

    @Override
    protected void caught(Node.ExceptHandler handler, String name, Scope frame) {
        assignments.assignName(name, Value.of(Kind.EXCEPTION), handler, frame);
    }

    private void define(Stmt.FunctionDef node, Scope frame) {
        FunctionModel function = file.function(node);
        if (function != null) {
            Value value = expressions.function(function, frame);
            for (Expr decorator : function.decorators) {
                value = expressions.lookups.decorated(value, decorator, frame);
            }
            if (function.owner == null) {
                assignments.assignName(function.name, value, node, frame);
            }
        }
    }

    /** A class, with attributes of its own, and its methods' decorators. */
    private void define(Stmt.ClassDef node, Scope frame) {
        ClassModel model = file.classAt(node);
        if (model == null) {
            return;
        }
        assignments.assignName(model.name, Value.of(Kind.CLASS, model), node, frame);
        for (Stmt statement : node.body()) {
            switch (statement) {
                case Stmt.Assign it -> {
                    Value value = expressions.evaluate(it.value(), frame);
                    it.targets().forEach(target -> define(model, target, value, it, frame));
                }
                case Stmt.AnnAssign it -> {
                    Value value = it.value() == null
                            ? expressions.lookups.annotated(it.annotation())
                            : expressions.evaluate(it.value(), frame);
                    define(model, it.target(), value, it, frame);
                }
                case Stmt.FunctionDef _, Stmt.ClassDef _ -> block(List.of(statement), frame);
                default -> {}
            }
        }
    }

    private static void define(ClassModel model, Expr target, Value value, Stmt statement, Scope frame) {
        if (target instanceof Expr.Name it) {
            model.attribute(it.id()).assign(statement, frame.function, value);
        }
    }

    private void executeFor(Stmt.For node, Scope frame) {
        Value iterable = expressions.evaluate(node.iter(), frame);
        LoopModel loop = flow.loop(node, frame);
        expressions.displays.describe(loop, node.iter(), iterable);
        repeat(
                loop,
                () -> {
                    Value element =
                            expressions.elementOf(iterable).from(Set.of(loop)).readFrom(null);
                    assignments.assign(node.target(), element, node.iter(), node, frame);
                },
                node.body(),
                frame);
        block(node.orelse(), frame);
    }

    private void repeat(LoopModel loop, Runnable head, List<Stmt> body, Scope frame) {
        LoopModel outer = frame.loop;
        frame.loop = loop;
        repeat(head, body, frame);
        frame.loop = outer;
    }

    @Override
    protected Certainty entered(Node.WithItem item, Stmt.With node, Scope frame) {
        Value context = expressions.evaluate(item.contextExpr(), frame);
        Certainty inside = mode(context, frame.grad);
        if (item.optionalVars() != null) {
            assignments.assign(item.optionalVars(), expressions.entered(context), item.contextExpr(), node, frame);
        }
        return inside;
    }

    private static Certainty mode(Value entered, Certainty inside) {
        if (entered.isOnly(Kind.GRAD_MODE)) {
            return entered.grad();
        }
        if (entered.may(Kind.GRAD_MODE)) {
            return Certainty.UNKNOWN;
        }
        return entered.target() instanceof FunctionModel function && function.yieldGrad instanceof Certainty mode
                ? mode
                : inside;
    }
}
