package dev.leakline.lint.flow;

import dev.leakline.lint.flow.Value.Certainty;
import dev.leakline.lint.flow.Value.Kind;
import dev.leakline.lint.python.Syntax;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Executes statements that go one of several ways, each from the same state, and joins what they leave: if, try, match. */
final class Branches {
    /** Classes of tensors, whatever library they come from; TensorBox and TensorMetadata are none. */
    private static final Pattern TENSOR_TYPE = Pattern.compile("(?<!_)(Tensor|Parameter)(Types?)?\\b|\\bVariable\\b");
    /** A variable that holds classes nobody can tell. */
    private static final Pattern UNKNOWN_TYPE = Pattern.compile("^_?[a-z]\\w*$|[Tt]ypes?\\b");

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
        narrow(condition, true, frame);
        statements.block(node.child("consequence"), frame);
        Map<String, Value> after = frame.variables;
        boolean afterDead = frame.isDead;
        Certainty gradAfter = frame.grad;
        frame.variables = before;
        frame.isDead = dead;
        frame.grad = grad;
        narrow(condition, false, frame);
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
            narrow(condition, true, frame);
        }
        statements.block(alternative.child("consequence"), frame);
        Map<String, Value> after = frame.variables;
        boolean afterDead = frame.isDead;
        frame.variables = before;
        frame.isDead = dead;
        if (condition != null) {
            narrow(condition, false, frame);
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

    /** Keeps what a condition says of the variables in it, where it holds or does not. */
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
        if (inner.is("call") && holds) {
            narrowToOther(inner, frame);
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

    /** Where isinstance(x, SomeClass) holds of a class that is no tensor's, x is none. */
    private static void narrowToOther(Syntax call, Scope frame) {
        Syntax arguments = call.child("arguments");
        if (!call.text("function").equals("isinstance")
                || arguments == null
                || arguments.children().size() != 2
                || !(frame.variables.get(arguments.children().getFirst().text()) instanceof Value value)
                || !value.may(Kind.TENSOR)) {
            return;
        }
        Syntax type = arguments.children().getLast();
        boolean named = type.is("identifier") || type.is("attribute") || type.is("tuple");
        boolean other = !TENSOR_TYPE.matcher(type.text()).find()
                && !UNKNOWN_TYPE.matcher(type.text()).find();
        if (named && other) {
            Value rest = value.detached().without(Kind.TENSOR);
            frame.variables.put(arguments.children().getFirst().text(), rest.kinds() == 0 ? Value.OTHER : rest);
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
                        || (callee.equals("isinstance")
                                && TENSOR_TYPE.matcher(rest).find())
                        || (callee.equals("hasattr") && (rest.contains("item") || rest.contains("detach")))
                ? first
                : null;
    }
}
