package dev.leakline.lint.flow;

import dev.leakline.lint.flow.Scope.State;
import dev.leakline.lint.flow.Value.Kind;
import dev.leakline.python.Node;
import dev.leakline.python.Pattern.MatchAs;
import dev.leakline.python.Stmt;

/** Executes statements that go one of several ways, each from the same state, and joins what they leave: if, try, match. */
final class Branches {
    private final Statements statements;
    private final Expressions expressions;
    private final Assignments assignments;
    private final Narrowing narrowing;

    Branches(Statements statements, Expressions expressions) {
        this.statements = statements;
        this.expressions = expressions;
        this.assignments = expressions.assignments;
        this.narrowing = new Narrowing(expressions.file);
    }

    void executeIf(Stmt.If node, Scope frame) {
        expressions.evaluate(node.test(), frame);
        State before = frame.state().copy();
        narrowing.narrow(node.test(), true, frame);
        statements.block(node.body(), frame);
        State after = frame.state();
        frame.enter(before);
        narrowing.narrow(node.test(), false, frame);
        statements.block(node.orelse(), frame);
        frame.join(after);
    }

    void executeTry(Stmt.Try node, Scope frame) {
        State before = frame.state().copy();
        statements.block(node.body(), frame);
        for (Node.ExceptHandler handler : node.handlers()) {
            State after = frame.state();
            frame.enter(before.copy());
            frame.join(new State(after.variables(), false, after.grad()));
            if (handler.name() != null) {
                assignments.assignName(handler.name(), Value.of(Kind.EXCEPTION), handler, frame);
            }
            statements.block(handler.body(), frame);
            State handled = frame.state();
            frame.enter(after);
            frame.join(handled);
        }
        statements.block(node.orelse(), frame);
        boolean isDead = frame.isDead;
        frame.isDead = before.isDead();
        statements.block(node.finalbody(), frame);
        frame.isDead = isDead;
    }

    void executeMatch(Stmt.Match node, Scope frame) {
        expressions.evaluate(node.subject(), frame);
        State before = frame.state().copy();
        for (Node.MatchCase each : node.cases()) {
            State joined = frame.state();
            frame.enter(before.copy());
            each.pattern().walk(inner -> {
                if (inner instanceof MatchAs it && it.name() != null) {
                    frame.variables.put(it.name(), Value.OTHER);
                }
            });
            if (each.guard() != null) {
                expressions.evaluate(each.guard(), frame);
            }
            statements.block(each.body(), frame);
            State after = frame.state();
            frame.enter(joined);
            frame.join(after);
        }
    }
}
