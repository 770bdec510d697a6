package dev.leakline.lint.flow;

import dev.leakline.lint.flow.Value.Certainty;
import dev.leakline.lint.flow.Value.Kind;
import dev.leakline.lint.names.CodeNames;
import dev.leakline.lint.python.Syntax;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Puts values into names, attributes and entries, and tells what is kept where. */
final class Assignments {
    private final FileModel file;
    private final Flow flow;
    private final Expressions expressions;

    Assignments(Expressions expressions) {
        this.file = expressions.file;
        this.flow = expressions.flow;
        this.expressions = expressions;
    }

    void execute(Syntax node, Scope frame) {
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
                value = expressions.lookups.annotated(type).combined(value);
            }
            assign(left, value, right, node, frame);
        } else if (node.is("augmented_assignment")) {
            augment(node, frame);
        } else {
            expressions.evaluate(node, frame);
        }
    }

    private Value chained(Syntax assignment, Scope frame) {
        execute(assignment, frame);
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
            boolean flag = targets.get(i).is("identifier")
                    && CodeNames.isOfFlag(targets.get(i).text());
            assign(targets.get(i), flag ? Value.NUMBER : part.readFrom(null), from, statement, frame);
        }
    }

    private void assignVariable(Syntax target, Value value, Syntax right, Syntax statement, Scope frame) {
        String name = target.text();
        Value known = expressions.lookups.lookup(name, frame);
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

    /** Narrows a value by the use of its variable. */
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
        if (frame.function.tensorNames.contains(name) && !frame.function.otherNames.contains(name)) {
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
        Slot slot = expressions.lookups.attributeSlot(target, frame);
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
            Slot slot = before.slot() != null ? before.slot() : expressions.lookups.slotOf(left, frame);
            store(FlowEvent.Way.SUM, node, right, added, containers, slot, null, null, origin, frame);
            result = result.withGraph(Set.of(origin));
        }
        if (left.is("identifier")) {
            assignName(left.text(), used(result, left.text(), frame), node, frame);
        } else if (left.is("attribute")) {
            expressions.lookups.attributeSlot(left, frame).assign(node, frame.function, result.readFrom(null));
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

    void delete(Syntax node, Scope frame) {
        List<Syntax> targets = new ArrayList<>();
        for (Syntax child : node.children()) {
            targets.addAll(child.is("expression_list") ? child.children() : List.of(child));
        }
        for (Syntax target : targets) {
            if (target.is("identifier")) {
                frame.variables.remove(target.text());
                flow.noteDeleted(slot(target.text(), frame), node);
            } else if (target.is("attribute")) {
                flow.noteDeleted(expressions.lookups.attributeSlot(target, frame), node);
            } else if (target.is("subscript") && target.child("value") instanceof Syntax object) {
                Value holder = expressions.evaluate(object, frame);
                expressions.containersOf(holder, object, frame).forEach(container -> container.removals.add(node));
            }
        }
    }
}
