package dev.leakline.lint.flow;

import dev.leakline.lint.flow.Value.Certainty;
import dev.leakline.lint.flow.Value.Kind;
import dev.leakline.python.Node;
import dev.leakline.python.Pattern.MatchAs;
import dev.leakline.python.Stmt;
import java.util.HashMap;
import java.util.Map;

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
        Map<String, Value> before = frame.copy();
        boolean dead = frame.isDead;
        Certainty grad = frame.grad;
        narrowing.narrow(node.test(), true, frame);
        statements.block(node.body(), frame);
        Map<String, Value> after = frame.variables;
        boolean afterDead = frame.isDead;
        Certainty gradAfter = frame.grad;
        frame.variables = before;
        frame.isDead = dead;
        frame.grad = grad;
        narrowing.narrow(node.test(), false, frame);
        statements.block(node.orelse(), frame);
        if (!afterDead && !frame.isDead && gradAfter != frame.grad) {
            frame.grad = Certainty.UNKNOWN;
        } else if (frame.isDead) {
            frame.grad = gradAfter;
        }
        frame.join(after, afterDead);
    }

    void executeTry(Stmt.Try node, Scope frame) {
        Map<String, Value> before = frame.copy();
        boolean dead = frame.isDead;
        statements.block(node.body(), frame);
        Map<String, Value> after = frame.copy();
        boolean afterDead = frame.isDead;
        for (Node.ExceptHandler handler : node.handlers()) {
            frame.variables = new HashMap<>(before);
            frame.isDead = dead;
            frame.join(after, false);
            if (handler.name() != null) {
                assignments.assignName(handler.name(), Value.of(Kind.EXCEPTION), handler, frame);
            }
            statements.block(handler.body(), frame);
            if (!frame.isDead) {
                Map<String, Value> handled = frame.copy();
                frame.variables = after;
                frame.isDead = afterDead;
                frame.join(handled, false);
                after = frame.copy();
                afterDead = false;
            }
        }
        frame.variables = after;
        frame.isDead = afterDead;
        statements.block(node.orelse(), frame);
        if (!node.finalbody().isEmpty()) {
            afterDead = frame.isDead;
            frame.isDead = dead;
            statements.block(node.finalbody(), frame);
            frame.isDead = afterDead;
        }
    }

    void executeMatch(Stmt.Match node, Scope frame) {
        expressions.evaluate(node.subject(), frame);
        Map<String, Value> before = frame.copy();
        Map<String, Value> joined = frame.copy();
        boolean dead = frame.isDead;
        for (Node.MatchCase each : node.cases()) {
            frame.variables = new HashMap<>(before);
            frame.isDead = dead;
            each.pattern().walk(inner -> {
                if (inner instanceof MatchAs it && it.name() != null) {
                    frame.variables.put(it.name(), Value.OTHER);
                }
            });
            if (each.guard() != null) {
                expressions.evaluate(each.guard(), frame);
            }
            statements.block(each.body(), frame);
            if (!frame.isDead) {
                Map<String, Value> after = frame.variables;
                frame.variables = joined;
                frame.join(after, false);
                joined = frame.copy();
            }
        }
        frame.variables = joined;
        frame.isDead = dead;
    }
}
