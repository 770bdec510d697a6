package dev.leakline.lint.flow;

import dev.leakline.lint.flow.Scope.State;
import dev.leakline.lint.flow.Value.Certainty;
import dev.leakline.lint.flow.Value.Kind;
import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import dev.leakline.python.Stmt;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Executes statements: loops twice, and what {@link Branches} is for. */
final class Statements {
    /** Passes over a loop: the second finds what the first left; where that is nothing new, one is enough. */
    private static final int PASSES = 2;

    private final FileModel file;
    private final Flow flow;
    private final Expressions expressions;
    private final Assignments assignments;
    private final Branches branches;

    Statements(Expressions expressions) {
        this.file = expressions.file;
        this.flow = expressions.flow;
        this.expressions = expressions;
        this.assignments = expressions.assignments;
        this.branches = new Branches(this, expressions);
    }

    void block(List<? extends Node> statements, Scope frame) {
        for (Node statement : statements) {
            if (statement instanceof Stmt it) {
                execute(it, frame);
            }
        }
    }

    private void execute(Stmt node, Scope frame) {
        flow.step(1 + (mayCopy(node) ? frame.variables.size() : 0));
        switch (node) {
            case Stmt.Expression it -> expressions.evaluate(it.value(), frame);
            case Stmt.Assign it -> assignments.execute(it, frame);
            case Stmt.AnnAssign it -> assignments.execute(it, frame);
            case Stmt.AugAssign it -> assignments.execute(it, frame);
            case Stmt.If it -> branches.executeIf(it, frame);
            case Stmt.For it -> executeFor(it, frame);
            case Stmt.While it -> executeWhile(it, frame);
            case Stmt.With it -> executeWith(it, frame);
            case Stmt.Try it -> branches.executeTry(it, frame);
            case Stmt.Match it -> branches.executeMatch(it, frame);
            case Stmt.Return it -> {
                if (it.value() != null) {
                    frame.function.addReturned(expressions.evaluate(it.value(), frame));
                }
                frame.isDead = true;
            }
            case Stmt.Raise _, Stmt.Break _, Stmt.Continue _ -> {
                expressions.evaluateIn(node, frame);
                frame.isDead = true;
            }
            case Stmt.Delete it -> it.targets().forEach(target -> assignments.delete(target, frame));
            case Stmt.FunctionDef it -> define(it, frame);
            case Stmt.ClassDef it -> define(it, frame);
            case Stmt.Invalid it -> block(it.body(), frame);
            case Stmt.Assert _, Stmt.TypeAlias _ -> expressions.evaluateIn(node, frame);
            case Stmt.Import _, Stmt.ImportFrom _, Stmt.Global _, Stmt.Nonlocal _, Stmt.Pass _ -> {}
        }
    }

    /** Statements that copy and join the state; how often is no more than a few times. */
    private static boolean mayCopy(Stmt node) {
        return switch (node) {
            case Stmt.If _, Stmt.For _, Stmt.While _, Stmt.Try _, Stmt.Match _ -> true;
            default -> false;
        };
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
                case Stmt.FunctionDef _, Stmt.ClassDef _ -> execute(statement, frame);
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
                frame,
                () -> {
                    Value element =
                            expressions.elementOf(iterable).from(Set.of(loop)).readFrom(null);
                    assignments.assign(node.target(), element, node.iter(), node, frame);
                },
                node.body());
        block(node.orelse(), frame);
    }

    private void executeWhile(Stmt.While node, Scope frame) {
        repeat(flow.loop(node, frame), frame, () -> expressions.evaluate(node.test(), frame), node.body());
        block(node.orelse(), frame);
    }

    private void repeat(LoopModel loop, Scope frame, Runnable head, List<Stmt> body) {
        State before = frame.state().copy();
        LoopModel outer = frame.loop;
        frame.loop = loop;
        for (int pass = 0; pass < PASSES; pass++) {
            head.run();
            Map<String, Value> entered = new HashMap<>(frame.variables);
            block(body, frame);
            frame.isDead = before.isDead();
            frame.join(before);
            if (frame.variables.equals(entered)) {
                break;
            }
        }
        frame.loop = outer;
    }

    private void executeWith(Stmt.With node, Scope frame) {
        Certainty before = frame.grad;
        Certainty inside = before;
        for (Node.WithItem item : node.items()) {
            frame.grad = inside;
            Value entered = expressions.evaluate(item.contextExpr(), frame);
            inside = mode(entered, inside);
            if (item.optionalVars() != null) {
                assignments.assign(item.optionalVars(), expressions.entered(entered), item.contextExpr(), node, frame);
            }
        }
        frame.grad = inside;
        block(node.body(), frame);
        frame.grad = before;
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
