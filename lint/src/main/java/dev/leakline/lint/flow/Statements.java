package dev.leakline.lint.flow;

import dev.leakline.lint.flow.Value.Certainty;
import dev.leakline.lint.flow.Value.Kind;
import dev.leakline.lint.python.Syntax;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Executes statements: loops twice, and what {@link Branches} is for. */
final class Statements {
    /** Passes over a loop: the second finds what the first left; where that is nothing new, one is enough. */
    private static final int PASSES = 2;

    /** Statements that copy and join the state; how often is no more than a few times. */
    private static final Set<String> MAY_COPY =
            Set.of("if_statement", "for_statement", "while_statement", "try_statement", "match_statement");

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
        flow.step(1 + (MAY_COPY.contains(node.type()) ? frame.variables.size() : 0));
        switch (node.type()) {
            case "expression_statement" -> node.children().forEach(child -> assignments.execute(child, frame));
            case "assignment", "augmented_assignment" -> assignments.execute(node, frame);
            case "if_statement" -> branches.executeIf(node, frame);
            case "for_statement" -> executeFor(node, frame);
            case "while_statement" -> executeWhile(node, frame);
            case "with_statement" -> executeWith(node, frame);
            case "try_statement" -> branches.executeTry(node, frame);
            case "match_statement" -> branches.executeMatch(node, frame);
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
            Map<String, Value> entered = frame.copy();
            block(loop.node.child("body"), frame);
            frame.isDead = dead;
            frame.join(before, false);
            if (frame.variables.equals(entered)) {
                break;
            }
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
}
