package dev.leakline.lint.flow;

import dev.leakline.lint.flow.Value.Certainty;
import dev.leakline.lint.flow.Value.Kind;
import dev.leakline.lint.python.Syntax;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Executes statements that go one of several ways, each from the same state, and joins what they leave: if, try, match. */
final class Branches {
    private final Statements statements;
    private final Expressions expressions;
    private final Assignments assignments;

    Branches(Statements statements, Expressions expressions) {
        this.statements = statements;
        this.expressions = expressions;
        this.assignments = expressions.assignments;
    }

    void executeIf(Syntax node, Scope frame) {
        Syntax condition = node.child("condition");
        if (condition == null) {
            return;
        }
        expressions.evaluate(condition, frame);
        Map<String, Value> before = frame.copy();
        boolean dead = frame.isDead;
        Certainty grad = frame.grad;
        Conditions.narrow(condition, true, frame);
        statements.block(node.child("consequence"), frame);
        Map<String, Value> after = frame.variables;
        boolean afterDead = frame.isDead;
        Certainty gradAfter = frame.grad;
        frame.variables = before;
        frame.isDead = dead;
        frame.grad = grad;
        Conditions.narrow(condition, false, frame);
        List<Syntax> alternatives = node.all("alternative");
        alternatives(alternatives, 0, frame);
        if (!afterDead && !frame.isDead && gradAfter != frame.grad) {
            frame.grad = Certainty.UNKNOWN;
        } else if (frame.isDead) {
            frame.grad = gradAfter;
        }
        frame.join(after, afterDead);
    }

    private void alternatives(List<Syntax> alternatives, int index, Scope frame) {
        if (index >= alternatives.size()) {
            return;
        }
        Syntax alternative = alternatives.get(index);
        if (alternative.is("else_clause")) {
            statements.block(alternative.child("body"), frame);
            return;
        }
        Syntax condition = alternative.child("condition");
        if (condition != null) {
            expressions.evaluate(condition, frame);
        }
        Map<String, Value> before = frame.copy();
        boolean dead = frame.isDead;
        if (condition != null) {
            Conditions.narrow(condition, true, frame);
        }
        statements.block(alternative.child("consequence"), frame);
        Map<String, Value> after = frame.variables;
        boolean afterDead = frame.isDead;
        frame.variables = before;
        frame.isDead = dead;
        if (condition != null) {
            Conditions.narrow(condition, false, frame);
        }
        alternatives(alternatives, index + 1, frame);
        frame.join(after, afterDead);
    }

    void executeTry(Syntax node, Scope frame) {
        Map<String, Value> before = frame.copy();
        boolean dead = frame.isDead;
        statements.block(node.child("body"), frame);
        Map<String, Value> after = frame.copy();
        boolean afterDead = frame.isDead;
        Map<String, Value> thrown = before;
        for (Syntax clause : node.children()) {
            switch (clause.type()) {
                case "except_clause", "except_group_clause" -> {
                    frame.variables = new HashMap<>(thrown);
                    frame.isDead = dead;
                    frame.join(after, false);
                    handler(clause, frame);
                    if (!frame.isDead) {
                        Map<String, Value> handled = frame.copy();
                        frame.variables = after;
                        frame.isDead = afterDead;
                        frame.join(handled, false);
                        after = frame.copy();
                        afterDead = false;
                    }
                }
                case "else_clause" -> {
                    frame.variables = after;
                    frame.isDead = afterDead;
                    statements.block(clause.child("body"), frame);
                    after = frame.copy();
                    afterDead = frame.isDead;
                }
                case "finally_clause" -> {
                    frame.variables = after;
                    frame.isDead = dead;
                    clause.children().forEach(body -> statements.block(body, frame));
                    after = frame.copy();
                }
                default -> {}
            }
        }
        frame.variables = after;
        frame.isDead = afterDead;
    }

    private void handler(Syntax clause, Scope frame) {
        Syntax alias = clause.child("alias");
        for (Syntax child : clause.children()) {
            if (child.is("as_pattern")) {
                alias = child.child("alias");
            }
        }
        if (alias != null) {
            Syntax name = alias.is("as_pattern_target") && !alias.children().isEmpty()
                    ? alias.children().getFirst()
                    : alias;
            assignments.assignName(name.text(), Value.of(Kind.EXCEPTION), clause, frame);
        }
        for (Syntax child : clause.children()) {
            if (child.is("block")) {
                statements.block(child, frame);
            }
        }
    }

    void executeMatch(Syntax node, Scope frame) {
        node.all("subject").forEach(subject -> expressions.evaluate(subject, frame));
        Syntax body = node.child("body");
        if (body == null) {
            return;
        }
        Map<String, Value> before = frame.copy();
        Map<String, Value> joined = frame.copy();
        boolean dead = frame.isDead;
        for (Syntax clause : body.children()) {
            frame.variables = new HashMap<>(before);
            frame.isDead = dead;
            clause.walk(inner -> {
                if (inner.is("dotted_name") && !inner.text().contains(".") && inner.enclosing("case_pattern") != null) {
                    frame.variables.put(inner.text(), Value.OTHER);
                }
            });
            statements.block(clause.child("consequence"), frame);
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
