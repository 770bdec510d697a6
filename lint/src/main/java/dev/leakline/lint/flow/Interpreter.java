package dev.leakline.lint.flow;

import dev.leakline.lint.flow.ClassModel.Role;
import dev.leakline.lint.flow.FunctionModel.CallSite;
import dev.leakline.lint.flow.FunctionModel.Parameter;
import dev.leakline.lint.flow.Value.Certainty;
import dev.leakline.lint.flow.Value.Device;
import dev.leakline.lint.flow.Value.Kind;
import dev.leakline.lint.python.PythonTree;
import dev.leakline.lint.python.Syntax;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Goes through a file the way Python would, with abstract values: every function once a round, branches both, loops twice. What functions
 * are given and give back is joined over all calls in the file, and known in the next round.
 */
public final class Interpreter {
    /** A value from a call reaches its callee in the second round, and what that returns its caller in the third. */
    private static final int ROUNDS = 4;

    final FileModel file;
    final Flow flow;
    private final Expressions expressions;

    private Interpreter(FileModel file) {
        this.file = file;
        this.flow = new Flow(file);
        this.expressions = new Expressions(this);
    }

    /** What happens in a file. */
    public static Flow run(PythonTree tree) {
        Interpreter interpreter = new Interpreter(new FileModel(tree));
        for (int round = 0; round < ROUNDS; round++) {
            interpreter.round();
        }
        interpreter.flow.conclude();
        return interpreter.flow;
    }

    private void round() {
        for (FunctionModel function : file.functions()) {
            function.entryGrad = entryGrad(function);
        }
        flow.nextRound();
        for (FunctionModel function : file.functions()) {
            if (!function.node.is("lambda")) {
                evaluate(function);
            }
        }
    }

    private void evaluate(FunctionModel function) {
        Scope frame = new Scope(function, function.entryGrad);
        for (Parameter parameter : function.parameters) {
            Value value = parameterValue(function, parameter, frame);
            assignName(parameter.name(), value, function.node, frame);
        }
        if (function.isModuleLevel()) {
            function.node.children().forEach(statement -> execute(statement, frame));
        } else {
            block(function.node.child("body"), frame);
        }
    }

    private Value parameterValue(FunctionModel function, Parameter parameter, Scope frame) {
        if (parameter.name().equals(function.self()) && function.owner != null) {
            boolean isClass =
                    function.decorators.stream().anyMatch(d -> d.text().contains("classmethod"));
            int module = function.owner.isModule() ? Kind.MODULE : 0;
            return Value.of(isClass ? Kind.CLASS : Kind.INSTANCE | module, function.owner);
        }
        Value given = function.argument(parameter.name());
        Value hinted = parameter.annotation() == null ? null : expressions.annotated(parameter.annotation());
        Value standard = parameter.value() == null ? null : expressions.evaluate(parameter.value(), frame);
        if (parameter.stars() > 0) {
            HeapContainer container = flow.container(
                    parameter.annotation() != null ? parameter.annotation() : function.node,
                    parameter.name(),
                    function);
            if (given != null) {
                container.put(given);
            }
            return Value.holding(container);
        }
        Value value = given != null ? given : hinted != null ? hinted : frameworkArgument(function, parameter);
        if (given != null && hinted != null && !hinted.may(Kind.OTHER)) {
            value = given.may(Kind.OTHER) && !given.may(hinted.kinds()) ? hinted.combined(given) : given;
        }
        if (standard != null) {
            value = given == null && standard.isOnly(Kind.NONE)
                    ? value.plus(Kind.NONE)
                    : given == null && standard.may(Kind.DEVICE | Kind.TEXT) ? standard : value.join(standard);
            value = given == null && hinted == null && !standard.may(Kind.DEVICE | Kind.TEXT)
                    ? value.plus(Kind.OTHER)
                    : value;
        }
        return value;
    }

    /** What a framework gives to what it calls. */
    private static Value frameworkArgument(FunctionModel function, Parameter parameter) {
        ClassModel owner = function.owner;
        if (owner != null && owner.isModule() && function.name.equals("forward")) {
            return Value.of(Kind.TENSOR | Kind.OTHER).withGrad(Certainty.UNKNOWN);
        }
        if (owner != null && owner.role == Role.AUTOGRAD_FUNCTION) {
            return Value.of(parameter.name().equals("ctx") ? Kind.OTHER : Kind.TENSOR);
        }
        return Value.OTHER;
    }

    private Certainty entryGrad(FunctionModel function) {
        for (Syntax decorator : function.decorators) {
            Certainty mode = expressions.gradModeOf(decorator);
            if (mode != null) {
                return mode;
            }
        }
        if (function.owner != null && function.owner.role == Role.LIGHTNING) {
            String name = function.name;
            if (name.contains("validation")
                    || name.startsWith("test_")
                    || name.startsWith("predict_")
                    || name.contains("_test_")
                    || name.contains("_predict_")) {
                return Certainty.NO;
            }
        }
        if (function.name.equals("prediction_step")) {
            return Certainty.NO;
        }
        if (function.outer != null
                && !function.outer.isModuleLevel()
                && function.callers.isEmpty()
                && !function.isCallback) {
            return function.outer.entryGrad;
        }
        Certainty all = null;
        for (CallSite site : function.callers) {
            all = all == null || all == site.grad() ? site.grad() : Certainty.LIKELY;
        }
        return all == null ? Certainty.SURE : all;
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

    private void execute(Syntax node, Scope frame) {
        switch (node.type()) {
            case "expression_statement" -> node.children().forEach(child -> executeExpression(child, frame));
            case "assignment", "augmented_assignment" -> executeExpression(node, frame);
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
            case "delete_statement" -> executeDelete(node, frame);
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
            assignName(model.name, Value.of(Kind.CLASS, model), whole, frame);
            defineMembers(model, definition, frame);
            return;
        }
        FunctionModel function = file.function(definition);
        if (function != null) {
            Value value = Value.of(Kind.FUNCTION, function);
            for (Syntax decorator : function.decorators) {
                value = expressions.decorated(value, decorator, frame);
            }
            if (function.owner == null) {
                assignName(function.name, value, whole, frame);
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
                        : type != null ? expressions.annotated(type) : Value.OTHER;
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

    private void executeExpression(Syntax node, Scope frame) {
        if (node.is("assignment")) {
            Syntax left = node.child("left");
            Syntax right = node.child("right");
            Syntax type = node.child("type");
            if (left == null) {
                return;
            }
            if (right == null) {
                return;
            }
            if (left.is("attribute")) {
                expressions.evaluate(left, frame);
            }
            Value value = right.is("assignment") ? chained(right, frame) : expressions.evaluate(right, frame);
            if (type != null && value.isOnly(Kind.OTHER)) {
                value = expressions.annotated(type).combined(value);
            }
            assign(left, value, right, node, frame);
        } else if (node.is("augmented_assignment")) {
            augment(node, frame);
        } else {
            expressions.evaluate(node, frame);
        }
    }

    private Value chained(Syntax assignment, Scope frame) {
        executeExpression(assignment, frame);
        Syntax right = assignment.child("right");
        while (right != null && right.is("assignment")) {
            right = right.child("right");
        }
        return right == null ? Value.OTHER : flow.valueOf(right);
    }

    /** Puts a value into a name, attribute, entry or pattern. */
    void assign(Syntax target, Value value, Syntax right, Syntax statement, Scope frame) {
        switch (target.type()) {
            case "identifier" -> assignVariable(target, value, right, statement, frame);
            case "attribute" -> assignAttribute(target, value, right, statement, frame);
            case "subscript" -> assignEntry(target, value, right, statement, frame);
            case "pattern_list",
                    "tuple_pattern",
                    "list_pattern",
                    "tuple",
                    "list",
                    "expression_list",
                    "parenthesized_expression" -> unpack(target, value, right, statement, frame);
            case "list_splat_pattern", "list_splat" ->
                target.children().forEach(child -> assign(child, value, right, statement, frame));
            default -> {}
        }
    }

    private void unpack(Syntax target, Value value, Syntax right, Syntax statement, Scope frame) {
        List<Syntax> targets = target.children();
        List<Syntax> parts =
                right.is("expression_list") || right.is("tuple") || right.is("list") ? right.children() : List.of();
        for (int i = 0; i < targets.size(); i++) {
            Value part = value.items().size() == targets.size() ? value.items().get(i) : expressions.elementOf(value);
            Syntax from = parts.size() == targets.size() ? parts.get(i) : right;
            assign(targets.get(i), part.readFrom(null), from, statement, frame);
        }
    }

    private void assignVariable(Syntax target, Value value, Syntax right, Syntax statement, Scope frame) {
        String name = target.text();
        Value known = expressions.lookup(name, frame);
        Slot slot = slot(name, frame);
        Value named = value;
        if (flow.isSumOf(right, target, expressions, frame) && value.hasGraph()) {
            named = sum(statement, right, value, slot, frame);
        } else if (isFromOutside(slot, frame) && expressions.isConcatenationWith(right, slot)) {
            store(FlowEvent.Way.CONCATENATE, statement, right, value, Set.of(), slot, null, null, null, frame);
        } else if (value.may(Kind.EXCEPTION) || isFromOutside(slot, frame)) {
            store(FlowEvent.Way.SET, statement, right, value, Set.of(), slot, null, null, null, frame);
        }
        if (known.kinds() == 0 || !known.containers().isEmpty()) {
            flow.noteReassigned(known, value, statement, frame);
        }
        assignName(name, used(named, name, frame), statement, frame);
    }

    private static boolean isFromOutside(Slot slot, Scope frame) {
        return slot.owner != frame.function;
    }

    /** What a variable is used as says what it is. */
    private Value used(Value value, String name, Scope frame) {
        if (!value.may(Kind.OTHER)
                || value.may(Kind.CONTAINER | Kind.FUNCTION | Kind.CLASS | Kind.MODULE | Kind.INSTANCE)) {
            return value;
        }
        if (value.isOnly(Kind.OTHER) && file.isUsedAsModule(name)) {
            return value.withKinds(Kind.MODULE).detached();
        }
        if (frame.function.backwardNames.contains(name) && frame.grad != Certainty.NO) {
            return value.plus(Kind.TENSOR).withGrad(Certainty.SURE);
        }
        if (frame.function.tensorNames.contains(name)) {
            return value.plus(Kind.TENSOR)
                    .withGrad(
                            value.grad() == Certainty.UNKNOWN && !value.graph().isEmpty()
                                    ? Certainty.LIKELY
                                    : value.grad());
        }
        return value;
    }

    void assignName(String name, Value value, Syntax statement, Scope frame) {
        Slot slot = slot(name, frame);
        if (slot.owner == frame.function) {
            frame.variables.put(name, value);
        }
        slot.assign(statement, frame.function, value);
    }

    /** The variable of a name: of this function, unless it is declared global or nonlocal. */
    private Slot slot(String name, Scope frame) {
        FunctionModel owner = frame.function;
        if (owner.globals.contains(name)) {
            owner = file.top();
        } else if (owner.nonlocals.contains(name)) {
            for (FunctionModel outer = owner.outer; outer != null; outer = outer.outer) {
                if (outer.variables.containsKey(name)) {
                    owner = outer;
                    break;
                }
            }
        }
        FunctionModel holder = owner;
        return holder.variables.computeIfAbsent(name, key -> new Slot(holder, key, false));
    }

    private void assignAttribute(Syntax target, Value value, Syntax right, Syntax statement, Scope frame) {
        Slot slot = expressions.attributeSlot(target, frame);
        Value kept = value;
        if (flow.isSumOf(right, target, expressions, frame) && value.hasGraph()) {
            kept = sum(statement, right, value, slot, frame);
        } else {
            FlowEvent.Way way =
                    expressions.isConcatenationWith(right, slot) ? FlowEvent.Way.CONCATENATE : FlowEvent.Way.SET;
            store(way, statement, right, value, Set.of(), slot, target, null, null, frame);
        }
        slot.assign(statement, frame.function, kept.readFrom(null));
    }

    private void assignEntry(Syntax target, Value value, Syntax right, Syntax statement, Scope frame) {
        Syntax object = target.child("value");
        Syntax key = target.child("subscript");
        if (object == null) {
            return;
        }
        Value holder = expressions.evaluate(object, frame);
        Value keyValue = key == null || key.is("slice") ? null : expressions.evaluate(key, frame);
        Set<HeapContainer> containers = expressions.containersOf(holder, object, frame);
        if (key != null && key.is("slice")) {
            containers.forEach(container -> {
                container.removals.add(statement);
                container.put(expressions.elementOf(value));
            });
            return;
        }
        Value kept = value;
        if (flow.isSumOf(right, target, expressions, frame) && value.hasGraph()) {
            kept = sum(statement, right, value, holder.slot(), frame);
        } else {
            store(FlowEvent.Way.PUT, statement, right, value, containers, holder.slot(), key, keyValue, null, frame);
        }
        for (HeapContainer container : containers) {
            container.put(kept);
        }
    }

    private Value sum(Syntax statement, Syntax right, Value value, @Nullable Slot slot, Scope frame) {
        Origin origin = flow.origin(Origin.Type.SUM, statement, frame);
        store(FlowEvent.Way.SUM, statement, right, value, Set.of(), slot, null, null, origin, frame);
        return value.withGraph(Set.of(origin));
    }

    private void augment(Syntax node, Scope frame) {
        Syntax left = node.child("left");
        Syntax right = node.child("right");
        if (left == null || right == null) {
            return;
        }
        Value before = expressions.evaluate(left, frame);
        Value added = expressions.evaluate(right, frame);
        String operator = node.text("operator");
        if (before.may(Kind.CONTAINER) && (operator.equals("+=") || operator.equals("|="))) {
            Value element = expressions.elementOf(added);
            Set<HeapContainer> containers = before.containers();
            store(FlowEvent.Way.APPEND, node, right, element, containers, before.slot(), null, null, null, frame);
            containers.forEach(container -> container.put(element));
            return;
        }
        Value result = expressions.combine(before.without(Kind.NONE), added, frame);
        if (left.is("subscript")) {
            result = result.asScalar(false);
        }
        boolean sum = operator.equals("+=") || operator.equals("-=");
        boolean dependent = !left.is("identifier") ? false : flow.mentions(right, left.text());
        if (sum && added.hasGraph() && !dependent) {
            Origin origin = flow.origin(Origin.Type.SUM, node, frame);
            Set<HeapContainer> containers = left.is("subscript") && left.child("value") instanceof Syntax object
                    ? expressions.containersOf(expressions.evaluate(object, frame), object, frame)
                    : Set.of();
            Slot slot = before.slot() != null ? before.slot() : expressions.slotOf(left, frame);
            store(FlowEvent.Way.SUM, node, right, added, containers, slot, null, null, origin, frame);
            result = result.withGraph(Set.of(origin));
        }
        if (left.is("identifier")) {
            assignName(left.text(), used(result, left.text(), frame), node, frame);
        } else if (left.is("attribute")) {
            expressions.attributeSlot(left, frame).assign(node, frame.function, result.readFrom(null));
        } else if (left.is("subscript") && left.child("value") instanceof Syntax object) {
            for (HeapContainer container :
                    expressions.containersOf(expressions.evaluate(object, frame), object, frame)) {
                container.put(result);
            }
        }
    }

    void store(
            FlowEvent.Way way,
            Syntax node,
            Syntax stored,
            Value value,
            Set<HeapContainer> containers,
            @Nullable Slot slot,
            @Nullable Syntax key,
            @Nullable Value keyValue,
            @Nullable Origin sum,
            Scope frame) {
        flow.add(new FlowEvent.Store(
                way,
                node,
                stored,
                value,
                containers,
                slot,
                key,
                keyValue,
                sum,
                frame.function,
                frame.loop,
                frame.grad));
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
        narrow(condition, true, frame);
        block(node.child("consequence"), frame);
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
            narrow(condition, true, frame);
        }
        block(alternative.child("consequence"), frame);
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

    /** What a condition says of the variables in it. */
    void narrow(Syntax condition, boolean holds, Scope frame) {
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
                        || (callee.equals("isinstance") && rest.contains("Tensor"))
                        || (callee.equals("hasattr") && (rest.contains("item") || rest.contains("detach")))
                ? first
                : null;
    }

    private void executeFor(Syntax node, Scope frame) {
        Syntax right = node.child("right");
        Syntax left = node.child("left");
        if (right == null || left == null) {
            return;
        }
        Value iterable = expressions.evaluate(right, frame);
        LoopModel loop = flow.loop(node, frame);
        expressions.describe(loop, right, iterable, frame);
        Map<String, Value> before = frame.copy();
        LoopModel outer = frame.loop;
        boolean dead = frame.isDead;
        frame.loop = loop;
        for (int pass = 0; pass < 2; pass++) {
            Value element = expressions.elementOf(iterable).from(Set.of(loop)).readFrom(null);
            assign(left, element, right, node, frame);
            block(node.child("body"), frame);
            frame.isDead = dead;
            frame.join(before, false);
        }
        frame.loop = outer;
        if (node.child("alternative") instanceof Syntax alternative) {
            block(alternative.child("body"), frame);
        }
    }

    private void executeWhile(Syntax node, Scope frame) {
        Syntax condition = node.child("condition");
        LoopModel loop = flow.loop(node, frame);
        Map<String, Value> before = frame.copy();
        LoopModel outer = frame.loop;
        boolean dead = frame.isDead;
        frame.loop = loop;
        for (int pass = 0; pass < 2; pass++) {
            if (condition != null) {
                expressions.evaluate(condition, frame);
            }
            block(node.child("body"), frame);
            frame.isDead = dead;
            frame.join(before, false);
        }
        frame.loop = outer;
        if (node.child("alternative") instanceof Syntax alternative) {
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
                        assign(name, bound, context, node, frame);
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
            assignName(name.text(), Value.of(Kind.EXCEPTION), clause, frame);
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

    private void executeDelete(Syntax node, Scope frame) {
        List<Syntax> targets = new ArrayList<>();
        for (Syntax child : node.children()) {
            targets.addAll(child.is("expression_list") ? child.children() : List.of(child));
        }
        for (Syntax target : targets) {
            if (target.is("identifier")) {
                frame.variables.remove(target.text());
                flow.noteDeleted(slot(target.text(), frame), node);
            } else if (target.is("attribute")) {
                flow.noteDeleted(expressions.attributeSlot(target, frame), node);
            } else if (target.is("subscript") && target.child("value") instanceof Syntax object) {
                Value holder = expressions.evaluate(object, frame);
                expressions.containersOf(holder, object, frame).forEach(container -> container.removals.add(node));
            }
        }
    }

    /** A loop that a comprehension is: its variables are its own. */
    Scope inner(Scope frame, LoopModel loop) {
        Scope inner = new Scope(frame.function, frame.grad);
        inner.variables = frame.copy();
        inner.loop = loop;
        return inner;
    }

    /** What a lambda gives back when it is called with these. */
    Value callLambda(FunctionModel function, List<Value> arguments, Scope frame) {
        Scope inner = new Scope(function, frame.grad);
        if (function.outer == frame.function) {
            inner.variables = frame.copy();
        }
        for (int i = 0; i < function.parameters.size(); i++) {
            Value value = i < arguments.size() ? arguments.get(i) : Value.OTHER;
            inner.variables.put(function.parameters.get(i).name(), value);
        }
        Syntax body = function.node.child("body");
        return body == null ? Value.OTHER : expressions.evaluate(body, inner);
    }

    static Value onDevice(Device device) {
        return Value.of(Kind.DEVICE).on(device);
    }
}
