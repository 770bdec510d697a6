package dev.leakline.lint.flow;

import dev.leakline.lint.flow.Value.Certainty;
import dev.leakline.lint.flow.Value.Kind;
import dev.leakline.lint.python.Syntax;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Executes statements: branches both, loops twice. */
final class Statements {
    /** What one iteration leaves, the next finds. */
    private static final int PASSES = 2;

    private final FileModel file;
    private final Flow flow;
    private final Expressions expressions;
    private final Assignments assignments;

    Statements(Expressions expressions) {
        this.file = expressions.file;
        this.flow = expressions.flow;
        this.expressions = expressions;
        this.assignments = expressions.assignments;
    }

    void block(@Nullable Syntax block, Scope frame) {
        if (block == null) {
            return;
        }
        if (!block.is("block")) {
            execute(block, frame);
            return;
        }
        for (Syntax statement : block.children()) {
            execute(statement, frame);
        }
    }

    void execute(Syntax node, Scope frame) {
        switch (node.type()) {
            case "expression_statement" -> node.children().forEach(child -> assignments.execute(child, frame));
            case "assignment", "augmented_assignment" -> assignments.execute(node, frame);
            case "if_statement" -> executeIf(node, frame);
            case "for_statement" -> executeFor(node, frame);
            case "while_statement" -> executeWhile(node, frame);
            case "with_statement" -> executeWith(node, frame);
            case "try_statement" -> executeTry(node, frame);
            case "match_statement" -> executeMatch(node, frame);
            case "return_statement" -> {
                for (Syntax child : node.children()) {
                    frame.function.addReturned(expressions.evaluate(child, frame));
                }
                frame.isDead = true;
            }
            case "raise_statement", "break_statement", "continue_statement" -> {
                node.children().forEach(child -> expressions.evaluate(child, frame));
                frame.isDead = true;
            }
            case "delete_statement" -> assignments.delete(node, frame);
            case "function_definition" -> define(node, node, frame);
            case "decorated_definition" -> {
                Syntax definition = node.child("definition");
                if (definition != null) {
                    define(definition, node, frame);
                }
            }
            case "class_definition" -> define(node, node, frame);
            case "block", "ERROR" -> node.children().forEach(child -> execute(child, frame));
            case "import_statement", "import_from_statement", "global_statement", "nonlocal_statement", "comment" -> {}
            default -> node.children().forEach(child -> expressions.evaluate(child, frame));
        }
    }

    private void define(Syntax definition, Syntax whole, Scope frame) {
        ClassModel model = file.classAt(definition);
        if (model != null) {
            assignments.assignName(model.name, Value.of(Kind.CLASS, model), whole, frame);
            defineMembers(model, definition, frame);
            return;
        }
        FunctionModel function = file.function(definition);
        if (function != null) {
            Value value = Value.of(Kind.FUNCTION, function);
            for (Syntax decorator : function.decorators) {
                value = expressions.lookups.decorated(value, decorator, frame);
            }
            if (function.owner == null) {
                assignments.assignName(function.name, value, whole, frame);
            }
        }
    }

    /** Attributes of the class itself, and its methods' decorators. */
    private void defineMembers(ClassModel model, Syntax definition, Scope frame) {
        Syntax body = definition.child("body");
        if (body == null) {
            return;
        }
        for (Syntax statement : body.children()) {
            Syntax assignment = statement.is("expression_statement") ? statement.first("assignment") : null;
            if (assignment != null) {
                Syntax right = assignment.child("right");
                Syntax type = assignment.child("type");
                Value value = right != null
                        ? expressions.evaluate(right, frame)
                        : type != null ? expressions.lookups.annotated(type) : Value.OTHER;
                Syntax left = assignment.child("left");
                if (left != null && left.is("identifier")) {
                    model.attribute(left.text()).assign(assignment, frame.function, value);
                }
            } else if (statement.is("function_definition")
                    || statement.is("decorated_definition")
                    || statement.is("class_definition")) {
                execute(statement, frame);
            }
        }
    }

    private void executeIf(Syntax node, Scope frame) {
        Syntax condition = node.child("condition");
        if (condition == null) {
            return;
        }
        expressions.evaluate(condition, frame);
        Map<String, Value> before = frame.copy();
        boolean dead = frame.isDead;
        Certainty grad = frame.grad;
        Conditions.narrow(condition, true, frame);
        block(node.child("consequence"), frame);
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
            block(alternative.child("body"), frame);
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
        block(alternative.child("consequence"), frame);
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

    private void executeFor(Syntax node, Scope frame) {
        Syntax right = node.child("right");
        Syntax left = node.child("left");
        if (right == null || left == null) {
            return;
        }
        Value iterable = expressions.evaluate(right, frame);
        LoopModel loop = flow.loop(node, frame);
        expressions.displays.describe(loop, right, iterable, frame);
        repeat(loop, frame, () -> {
            Value element = expressions.elementOf(iterable).from(Set.of(loop)).readFrom(null);
            assignments.assign(left, element, right, node, frame);
        });
    }

    private void executeWhile(Syntax node, Scope frame) {
        Syntax condition = node.child("condition");
        repeat(flow.loop(node, frame), frame, () -> {
            if (condition != null) {
                expressions.evaluate(condition, frame);
            }
        });
    }

    private void repeat(LoopModel loop, Scope frame, Runnable head) {
        Map<String, Value> before = frame.copy();
        LoopModel outer = frame.loop;
        boolean dead = frame.isDead;
        frame.loop = loop;
        for (int pass = 0; pass < PASSES; pass++) {
            head.run();
            block(loop.node.child("body"), frame);
            frame.isDead = dead;
            frame.join(before, false);
        }
        frame.loop = outer;
        if (loop.node.child("alternative") instanceof Syntax alternative) {
            block(alternative.child("body"), frame);
        }
    }

    private void executeWith(Syntax node, Scope frame) {
        Certainty before = frame.grad;
        Syntax clause = node.first("with_clause");
        Certainty inside = before;
        if (clause != null) {
            for (Syntax item : clause.children()) {
                Syntax value = item.child("value");
                if (value == null) {
                    continue;
                }
                Syntax target = null;
                Syntax context = value;
                if (value.is("as_pattern")) {
                    context = value.children().getFirst();
                    target = value.child("alias");
                }
                frame.grad = inside;
                Value entered = expressions.evaluate(context, frame);
                inside = mode(entered, inside);
                if (target != null) {
                    Value bound = expressions.entered(entered);
                    for (Syntax name : target.children()) {
                        assignments.assign(name, bound, context, node, frame);
                    }
                }
            }
        }
        frame.grad = inside;
        block(node.child("body"), frame);
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

    private void executeTry(Syntax node, Scope frame) {
        Map<String, Value> before = frame.copy();
        boolean dead = frame.isDead;
        block(node.child("body"), frame);
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
                    block(clause.child("body"), frame);
                    after = frame.copy();
                    afterDead = frame.isDead;
                }
                case "finally_clause" -> {
                    frame.variables = after;
                    frame.isDead = dead;
                    clause.children().forEach(body -> block(body, frame));
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
                block(child, frame);
            }
        }
    }

    private void executeMatch(Syntax node, Scope frame) {
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
            block(clause.child("consequence"), frame);
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
