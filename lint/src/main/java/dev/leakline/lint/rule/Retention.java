package dev.leakline.lint.rule;

import dev.leakline.lint.flow.ClassModel;
import dev.leakline.lint.flow.Flow;
import dev.leakline.lint.flow.FlowEvent;
import dev.leakline.lint.flow.FlowEvent.Way;
import dev.leakline.lint.flow.FunctionModel;
import dev.leakline.lint.flow.HeapContainer;
import dev.leakline.lint.flow.LoopModel;
import dev.leakline.lint.flow.Slot;
import dev.leakline.lint.flow.Value;
import dev.leakline.lint.flow.Value.Kind;
import dev.leakline.lint.python.Syntax;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** How long what is stored stays: over which loops, over calls, and whether anything takes it out again. */
final class Retention {
    private static final Set<String> BRANCHES = Set.of("if_statement", "try_statement", "match_statement");
    /** Calls that are given what to take where there is nothing yet. */
    private static final Pattern DEFAULTING = Pattern.compile("(^|\\.)(setdefault|getattr|setattr|get)$");

    /** Keys that tell the parts of a model apart, of which there are only so many. */
    private static final Pattern PART =
            Pattern.compile("(?i)(\\b|_)(layer|module|fqn|param)(_?(idx|id|index|name|key|names))?\\b");

    private static final Set<String> EMPTY =
            Set.of("list", "dict", "set", "OrderedDict", "collections.OrderedDict", "deque");

    private Retention() {}

    static boolean isConstant(Syntax key) {
        return (key.is("string") && key.first("interpolation") == null)
                || key.is("integer")
                || key.is("none")
                || key.is("unary_operator")
                || (key.is("attribute") && !key.text().matches(".*(shape|id|key|hash|step|index|name|count)\\w*"));
    }

    /** Keys of which there are only so many: constants, the object itself, which is one module, and parts of a model. */
    static boolean isOfFew(Syntax key, FunctionModel function) {
        return isConstant(key)
                || PART.matcher(key.text()).find()
                || (function.owner != null && key.text().equals(function.self()));
    }

    /** The loops over whose iterations it adds up: those around the store, but not around the making of what it is put into. */
    static List<LoopModel> crossed(FlowEvent.Store store) {
        List<LoopModel> crossed = new ArrayList<>();
        for (LoopModel loop = store.loop(); loop != null; loop = loop.outer) {
            if (store.way() == Way.COMPREHEND ? isOwn(store, loop) : outlives(store, loop)) {
                crossed.add(loop);
            }
        }
        return crossed;
    }

    private static boolean isOwn(FlowEvent.Store store, LoopModel loop) {
        return store.node().contains(loop.node);
    }

    private static boolean outlives(FlowEvent.Store store, LoopModel loop) {
        if (!store.containers().isEmpty()) {
            return store.containers().stream()
                    .noneMatch(container -> container.function == store.function()
                            && container.loop instanceof LoopModel made
                            && made.isInside(loop));
        }
        Slot slot = store.slot();
        if (slot == null) {
            return false;
        }
        if (slot.isAttribute || slot.owner != store.function()) {
            return true;
        }
        for (Syntax assignment : slot.assigned.keySet()) {
            if (assignment != store.node()
                    && loop.node.contains(assignment)
                    && !assignment.contains(store.node())
                    && !isUpdate(assignment, slot)) {
                return false;
            }
        }
        return true;
    }

    /** x = x + y and x += y go on with what was there. */
    private static boolean isUpdate(Syntax assignment, Slot slot) {
        if (assignment.is("augmented_assignment")) {
            return true;
        }
        Syntax right = assignedTo(slot, assignment);
        boolean[] found = new boolean[1];
        if (right != null) {
            right.walk(node -> found[0] |= node.is("identifier") && node.text().equals(slot.name));
        }
        return found[0];
    }

    /** The value that a slot is set to: of {@code old, self.rows = self.rows, []} the one in its place. */
    private static @Nullable Syntax assignedTo(Slot slot, Syntax assignment) {
        Syntax left = assignment.child("left");
        Syntax right = assignment.child("right");
        if (left == null || right == null || !right.is("expression_list")) {
            return right;
        }
        List<Syntax> targets = left.children();
        for (int i = 0; i < targets.size() && targets.size() == right.children().size(); i++) {
            Syntax target = targets.get(i);
            String name = target.is("attribute") ? target.text("attribute") : target.text();
            if (target.is("attribute") == slot.isAttribute && name.equals(slot.name)) {
                return right.children().get(i);
            }
        }
        return right;
    }

    /** Returns whether what it is put into lives on after the call: it belongs to a module, a class, an object that stays, or an outer function. */
    static boolean outlivesCall(FlowEvent.Store store, Flow flow) {
        FunctionModel function = store.function();
        if (function.isModuleLevel() || function.isConstructor()) {
            return false;
        }
        Set<Slot> holders = new LinkedHashSet<>();
        if (store.containers().isEmpty()) {
            if (store.slot() != null) {
                holders.add(store.slot());
            }
        } else {
            for (HeapContainer container : store.containers()) {
                container.around().stream()
                        .filter(around -> !isMadeByEachCall(around, store))
                        .forEach(around -> holders.addAll(around.ownHolders()));
                if (container.holders().isEmpty() && container.function != function) {
                    return container.function.isModuleLevel() || function.isCallback;
                }
            }
        }
        return holders.stream().anyMatch(slot -> stays(slot, function, flow));
    }

    /** Returns whether each call makes it anew: where it is put replaces what the last call put there. */
    private static boolean isMadeByEachCall(HeapContainer container, FlowEvent.Store store) {
        if (container.isForeign
                || container.isSlice
                || container.function != store.function()
                || store.function().isModuleLevel()) {
            return false;
        }
        Syntax body = store.function().node.child("body");
        return body != null && body.contains(container.site) && !isMadeOnDemand(container.site, store.node());
    }

    /** Made only where there is none yet: under a condition that what is stored is not under, or as {@code x or []}. */
    private static boolean isMadeOnDemand(Syntax site, Syntax stored) {
        for (Syntax up = site.parent(); up != null && !up.is("function_definition"); up = up.parent()) {
            boolean either = up.is("boolean_operator")
                    || (up.is("conditional_expression") && up.first("none") == null)
                    || (up.is("call") && DEFAULTING.matcher(up.text("function")).find());
            if (either || (BRANCHES.contains(up.type()) && !up.contains(stored))) {
                return true;
            }
        }
        return false;
    }

    /** [], {}, dict() and dicts of such: nothing is in them yet. */
    static boolean isEmpty(Syntax stored) {
        if (stored.is("call")) {
            Syntax arguments = stored.child("arguments");
            return arguments != null
                    && (arguments.children().isEmpty()
                            ? EMPTY.contains(stored.text("function"))
                            : stored.text("function").endsWith("tensor")
                                    && isEmpty(arguments.children().getFirst()));
        }
        boolean display = stored.is("list") || stored.is("dictionary") || stored.is("tuple");
        return display
                && stored.children().stream()
                        .allMatch(child -> child.is("pair")
                                ? child.child("value") instanceof Syntax value && isEmpty(value)
                                : isEmpty(child));
    }

    private static boolean stays(Slot slot, FunctionModel function, Flow flow) {
        if (slot.isAttribute) {
            return slot.owner instanceof ClassModel model ? !isShortLived(model, flow) : isOfGlobal(slot);
        }
        if (slot.owner == function || !(slot.owner instanceof FunctionModel owner)) {
            return false;
        }
        return owner.isModuleLevel() || (isAround(owner, function) && function.isCallback);
    }

    /** Returns whether module-level code sets an unknown object's attribute: what is imported or global stays, a parameter may not. */
    private static boolean isOfGlobal(Slot slot) {
        return slot.assigned.keySet().stream()
                .anyMatch(assignment ->
                        slot.functionOf(assignment) instanceof FunctionModel where && where.isModuleLevel());
    }

    private static boolean isAround(FunctionModel outer, FunctionModel inner) {
        for (FunctionModel function = inner; function != null; function = function.outer) {
            if (function == outer) {
                return true;
            }
        }
        return false;
    }

    /** Objects that are made anew for each step die with it. */
    private static boolean isShortLived(ClassModel model, Flow flow) {
        return !model.instantiations.isEmpty()
                && model.instantiations.stream()
                        .allMatch(made -> (made.loop() != null && (made.loop().isSteps() || made.loop().works))
                                || flow.isPerStep(made.function()));
    }

    /** Returns whether something takes entries out, replaces the whole, or sees to it that it stays small. */
    static boolean isLimited(FlowEvent.Store store, Flow flow) {
        for (HeapContainer container : store.containers()) {
            boolean limited = container.around().stream()
                    .anyMatch(around -> around.isBounded || around.isSlice || isEmptied(around, store, flow));
            if (limited) {
                return true;
            }
            for (Slot slot : container.holders()) {
                if (isReplaced(slot, store, flow)) {
                    return true;
                }
            }
        }
        if (store.containers().isEmpty() && store.slot() != null && isReplaced(store.slot(), store, flow)) {
            return true;
        }
        return isGuarded(store);
    }

    private static boolean isEmptied(HeapContainer container, FlowEvent.Store store, Flow flow) {
        if (!flow.reassignments(container).isEmpty()) {
            return true;
        }
        return container.removals.stream().anyMatch(removal -> runsAgain(removal, store, flow));
    }

    /** A removal counts unless it stands in a constructor, or in a method that nobody calls although the object is made here. */
    private static boolean runsAgain(Syntax removal, FlowEvent.Store store, Flow flow) {
        FunctionModel function = flow.file().functionAround(removal);
        return !function.isConstructor() && (function == store.function() || isReached(function));
    }

    private static boolean isReached(FunctionModel function) {
        ClassModel owner = function.owner;
        if (owner == null || function.isStepHook || function.name.startsWith("on_") || function.name.startsWith("__")) {
            return true;
        }
        boolean called =
                function.callers.stream().anyMatch(site -> !site.caller().isConstructor());
        return called
                || owner.instantiations.isEmpty()
                || (function.callers.isEmpty() && owner.role != ClassModel.Role.PLAIN);
    }

    private static boolean isReplaced(Slot slot, FlowEvent.Store store, Flow flow) {
        if (flow.isDeleted(slot)) {
            return true;
        }
        if (!slot.isAttribute && slot.owner == store.function()) {
            return false;
        }
        for (Syntax assignment : slot.assigned.keySet()) {
            FunctionModel function = slot.functionOf(assignment);
            Value value = slot.assigned.get(assignment);
            if (function == null) {
                continue;
            }
            if (isWindow(assignment.child("right"), slot.name)) {
                return true;
            }
            boolean again = !function.isModuleLevel() && !function.isConstructor() && assignment != store.node();
            boolean anew = value != null
                    && !isUpdate(assignment, slot)
                    && (value.may(Kind.NONE | Kind.CONTAINER) || isOther(value));
            if (again && anew && (function == store.function() || isReached(function))) {
                return true;
            }
        }
        return false;
    }

    /** x = x[1:] lets the oldest go. */
    private static boolean isWindow(@Nullable Syntax right, String name) {
        if (right == null || !right.is("subscript") || !(right.child("value") instanceof Syntax whole)) {
            return false;
        }
        boolean same = whole.text().equals(name) || whole.text().endsWith("." + name);
        return same && right.all("subscript").stream().anyMatch(part -> part.is("slice"));
    }

    private static boolean isOther(Value value) {
        return value.may(Kind.TENSOR | Kind.OTHER);
    }

    /** if len(x) < n: x.append(y), or a return or break before it. */
    private static boolean isGuarded(FlowEvent.Store store) {
        String name = targetText(store);
        if (name == null) {
            return false;
        }
        String length = "len(" + name + ")";
        return isUnder(
                store.node(), condition -> condition.text().replace(" ", "").contains(length));
    }

    /** Returns whether a node stands in an if or while of such a condition, or behind an if of one that leaves. */
    static boolean isUnder(Syntax stored, Predicate<Syntax> isMeant) {
        for (Syntax node = stored; node != null && !node.is("function_definition"); node = node.parent()) {
            Syntax parent = node.parent();
            if (parent == null) {
                break;
            }
            boolean inside = parent.is("if_statement") || parent.is("while_statement");
            if (inside && parent.child("consequence") == node && hasCondition(parent, isMeant)) {
                return true;
            }
            if (parent.is("block") && isBehindLeaving(node, parent, isMeant)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isBehindLeaving(Syntax node, Syntax block, Predicate<Syntax> isMeant) {
        return block.children().stream()
                .takeWhile(sibling -> sibling != node)
                .anyMatch(sibling -> sibling.is("if_statement") && hasCondition(sibling, isMeant) && leaves(sibling));
    }

    private static boolean hasCondition(Syntax statement, Predicate<Syntax> isMeant) {
        return statement.child("condition") instanceof Syntax condition && isMeant.test(condition);
    }

    private static boolean leaves(Syntax condition) {
        Syntax body = condition.child("consequence");
        if (body == null || body.children().isEmpty()) {
            return false;
        }
        Syntax last = body.children().getLast();
        return last.is("break_statement")
                || last.is("return_statement")
                || last.is("continue_statement")
                || last.is("raise_statement");
    }

    private static @Nullable String targetText(FlowEvent.Store store) {
        Syntax node = store.node();
        if (node.is("call") && node.child("function") instanceof Syntax callee) {
            return callee.text("object");
        }
        if (node.child("left") instanceof Syntax left) {
            return left.is("subscript") ? left.text("value") : left.text();
        }
        return null;
    }
}
