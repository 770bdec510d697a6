package dev.leakline.lint.flow;

import dev.leakline.lint.flow.Value.Kind;
import dev.leakline.lint.names.CodeNames;
import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import dev.leakline.python.Stmt;
import dev.leakline.python.flow.Certainty;
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

    void execute(Stmt.Assign node, Scope frame) {
        if (node.targets().getFirst() instanceof Expr.Attribute it) {
            expressions.evaluate(it, frame);
        }
        Value value = expressions.evaluate(node.value(), frame);
        for (Expr target : node.targets().reversed()) {
            assign(target, value, node.value(), node, frame);
        }
    }

    void execute(Stmt.AnnAssign node, Scope frame) {
        Expr right = node.value();
        if (right == null) {
            return;
        }
        if (node.target() instanceof Expr.Attribute it) {
            expressions.evaluate(it, frame);
        }
        Value value = expressions.evaluate(right, frame);
        if (value.isOnly(Kind.OTHER)) {
            value = expressions.lookups.annotated(node.annotation()).combined(value);
        }
        assign(node.target(), value, right, node, frame);
    }

    /** Puts a value into a name, attribute, entry or pattern. */
    void assign(Expr target, Value value, Expr right, Node statement, Scope frame) {
        switch (target) {
            case Expr.Name it -> assignVariable(it, value, right, statement, frame);
            case Expr.Attribute it -> assignAttribute(it, value, right, statement, frame);
            case Expr.Subscript it -> assignEntry(it, value, right, statement, frame);
            case Expr.Tuple it -> unpack(it.elts(), value, right, statement, frame);
            case Expr.ListDisplay it -> unpack(it.elts(), value, right, statement, frame);
            case Expr.Starred it -> assign(it.value(), value, right, statement, frame);
            default -> {}
        }
    }

    private void unpack(List<Expr> targets, Value value, Expr right, Node statement, Scope frame) {
        List<Expr> parts = Nodes.elements(right);
        for (int i = 0; i < targets.size(); i++) {
            Value part = value.items().size() == targets.size() ? value.items().get(i) : expressions.elementOf(value);
            Expr from = parts.size() == targets.size() ? parts.get(i) : right;
            boolean flag = targets.get(i) instanceof Expr.Name it && CodeNames.isOfFlag(it.id());
            assign(targets.get(i), flag ? Value.NUMBER : part.readFrom(null), from, statement, frame);
        }
    }

    private void assignVariable(Expr.Name target, Value value, Expr right, Node statement, Scope frame) {
        String name = target.id();
        Value known = expressions.lookups.lookup(name, frame);
        Slot slot = slot(name, frame);
        Value named = value;
        if (flow.isSumOf(right, target, statement) && value.hasGraph()) {
            named = value.withGraph(sum(statement, right, value, Set.of(), slot, frame));
        } else if (isFromOutside(slot, frame) && expressions.isConcatenationWith(right, slot)) {
            store(FlowEvent.Way.CONCATENATE, statement, right, value, Set.of(), slot, frame);
        } else if (value.may(Kind.EXCEPTION) || isFromOutside(slot, frame)) {
            store(FlowEvent.Way.SET, statement, right, value, Set.of(), slot, frame);
        }
        if (known.kinds() == 0 || !known.containers().isEmpty()) {
            flow.noteReassigned(known, value, frame);
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

    void assignName(String name, Value value, Node statement, Scope frame) {
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

    private void assignAttribute(Expr.Attribute target, Value value, Expr right, Node statement, Scope frame) {
        Slot slot = expressions.lookups.attributeSlot(target, frame);
        Value kept = target.attr().equals("data") ? value.detached() : value;
        if (kept.hasGraph() && flow.isSumOf(right, target, statement)) {
            kept = value.withGraph(sum(statement, right, value, Set.of(), slot, frame));
        } else {
            FlowEvent.Way way =
                    expressions.isConcatenationWith(right, slot) ? FlowEvent.Way.CONCATENATE : FlowEvent.Way.SET;
            keep(way, statement, right, value, Set.of(), slot, target, null, frame);
        }
        slot.assign(statement, frame.function, kept.readFrom(null));
    }

    private void assignEntry(Expr.Subscript target, Value value, Expr right, Node statement, Scope frame) {
        Expr key = Nodes.keys(target).getFirst();
        Value holder = expressions.evaluate(target.value(), frame);
        Value keyValue = key instanceof Expr.Slice ? null : expressions.evaluate(key, frame);
        Set<HeapContainer> containers = expressions.containersOf(holder, target.value(), frame);
        if (key instanceof Expr.Slice) {
            containers.forEach(container -> {
                container.emptiers.add(frame.function);
                container.put(expressions.elementOf(value));
            });
            return;
        }
        Value kept = value;
        if (flow.isSumOf(right, target, statement) && value.hasGraph()) {
            kept = value.withGraph(sum(statement, right, value, Set.of(), holder.slot(), frame));
        } else {
            keep(FlowEvent.Way.PUT, statement, right, value, containers, holder.slot(), key, keyValue, frame);
        }
        for (HeapContainer container : containers) {
            container.put(kept);
        }
    }

    /** Notes that something is added to a sum, and gives what the sum is known as. */
    private Set<Origin> sum(
            Node statement, Expr right, Value value, Set<HeapContainer> containers, @Nullable Slot slot, Scope frame) {
        Origin origin = flow.origin(Origin.Type.SUM, statement, frame);
        flow.add(new FlowEvent.Store(
                FlowEvent.Way.SUM,
                statement,
                right,
                value,
                containers,
                slot,
                null,
                null,
                origin,
                frame.function,
                frame.loop));
        return Set.of(origin);
    }

    void execute(Stmt.AugAssign node, Scope frame) {
        Expr left = node.target();
        Expr right = node.value();
        Value before = expressions.evaluate(left, frame);
        Value added = expressions.evaluate(right, frame);
        boolean adds = node.op() == Expr.Operator.ADD;
        if (before.may(Kind.CONTAINER) && (adds || node.op() == Expr.Operator.BIT_OR)) {
            Value element = expressions.elementOf(added);
            Set<HeapContainer> containers = before.containers();
            store(FlowEvent.Way.APPEND, node, right, element, containers, before.slot(), frame);
            containers.forEach(container -> container.put(element));
            return;
        }
        Value result = expressions.combine(before.without(Kind.NONE), added, frame);
        if (left instanceof Expr.Subscript) {
            result = result.asScalar(false);
        }
        boolean sum = adds || node.op() == Expr.Operator.SUB;
        boolean dependent = left instanceof Expr.Name name && Nodes.mentions(right, name.id());
        if (sum && added.hasGraph() && !dependent) {
            Slot slot = before.slot() != null ? before.slot() : expressions.lookups.slotOf(left, frame);
            result = result.withGraph(sum(node, right, added, entered(left, frame), slot, frame));
        }
        if (left instanceof Expr.Name name) {
            assignName(name.id(), used(result, name.id(), frame), node, frame);
        } else if (left instanceof Expr.Attribute attribute) {
            expressions.lookups.attributeSlot(attribute, frame).assign(node, frame.function, result.readFrom(null));
        }
        for (HeapContainer container : entered(left, frame)) {
            container.put(result);
        }
    }

    /** The containers of which a target is an entry. */
    private Set<HeapContainer> entered(Expr target, Scope frame) {
        return target instanceof Expr.Subscript it
                ? expressions.containersOf(expressions.evaluate(it.value(), frame), it.value(), frame)
                : Set.of();
    }

    void store(
            FlowEvent.Way way,
            Node node,
            Expr stored,
            Value value,
            Set<HeapContainer> containers,
            @Nullable Slot slot,
            Scope frame) {
        keep(way, node, stored, value, containers, slot, null, null, frame);
    }

    /** Notes that something is put somewhere, under a key where it has one. */
    void keep(
            FlowEvent.Way way,
            Node node,
            Expr stored,
            Value value,
            Set<HeapContainer> containers,
            @Nullable Slot slot,
            @Nullable Expr key,
            @Nullable Value keyValue,
            Scope frame) {
        flow.add(new FlowEvent.Store(
                way, node, stored, value, containers, slot, key, keyValue, null, frame.function, frame.loop));
    }

    void delete(Expr target, Scope frame) {
        switch (target) {
            case Expr.Name it -> {
                frame.variables.remove(it.id());
                flow.noteDeleted(slot(it.id(), frame));
            }
            case Expr.Attribute it -> flow.noteDeleted(expressions.lookups.attributeSlot(it, frame));
            case Expr.Subscript it -> entered(it, frame).forEach(container -> container.emptiers.add(frame.function));
            default -> Nodes.elements(target).forEach(element -> delete(element, frame));
        }
    }
}
