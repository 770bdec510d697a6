package dev.leakline.lint.rule;

import dev.leakline.lint.flow.ClassModel;
import dev.leakline.lint.flow.FileModel;
import dev.leakline.lint.flow.Flow;
import dev.leakline.lint.flow.FlowEvent;
import dev.leakline.lint.flow.FlowEvent.Way;
import dev.leakline.lint.flow.FunctionModel;
import dev.leakline.lint.flow.HeapContainer;
import dev.leakline.lint.flow.LoopModel;
import dev.leakline.lint.flow.Nodes;
import dev.leakline.lint.flow.Slot;
import dev.leakline.lint.flow.Value;
import dev.leakline.lint.flow.Value.Kind;
import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import dev.leakline.python.Stmt;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** How long what is stored stays: over which loops, over calls, and whether anything takes it out again. */
final class Retention {
    /** Calls that are given what to take where there is nothing yet. */
    private static final Pattern DEFAULTING = Pattern.compile("setdefault|getattr|setattr|get");

    /** Keys that tell the parts of a model apart, of which there are only so many. */
    private static final Pattern PART =
            Pattern.compile("(?i)(\\b|_)(layer|module|fqn|param)(_?(idx|id|index|name|key|names))?\\b");

    private static final Set<String> EMPTY =
            Set.of("list", "dict", "set", "OrderedDict", "collections.OrderedDict", "deque");

    private Retention() {}

    private static boolean isConstant(Expr key) {
        return switch (key) {
            case Expr.Constant _, Expr.UnaryOp _ -> true;
            case Expr.Attribute it -> !it.attr().matches(".*(shape|id|key|hash|step|index|name|count)\\w*");
            default -> false;
        };
    }

    /** Keys of which there are only so many: constants, remainders, the object itself, which is one module, parts of a model, and what goes over them. */
    static boolean isOfFew(FlowEvent.Store store, FileModel file) {
        Expr key = store.key();
        Value keys = Objects.requireNonNullElse(store.keyValue(), Value.NOTHING);
        FunctionModel function = store.function();
        return key == null
                || isConstant(key)
                || keys.isOnly(Kind.FEW)
                || store.loops().stream()
                        .anyMatch(loop -> keys.sources().contains(loop) && (loop.overModules || loop.isShort))
                || PART.matcher(file.text(key)).find()
                || (key instanceof Expr.Name it
                        && function.owner != null
                        && it.id().equals(function.self()));
    }

    /** The loops over whose iterations it adds up: those around the store, but not around the making of what it is put into. */
    static List<LoopModel> crossed(FlowEvent.Store store) {
        return store.loops().stream()
                .filter(loop -> store.way() == Way.COMPREHEND ? store.node().covers(loop.node) : outlives(store, loop))
                .toList();
    }

    private static boolean outlives(FlowEvent.Store store, LoopModel loop) {
        if (!store.containers().isEmpty()) {
            return store.containers().stream()
                    .noneMatch(container -> (container.function == store.function()
                                    && container.loop instanceof LoopModel made
                                    && made.isInside(loop))
                            || (!container.ownHolders().isEmpty()
                                    && container.ownHolders().stream().allMatch(slot -> isOfObjectOf(slot, loop))));
        }
        Slot slot = store.slot();
        if (slot == null || isOfObjectOf(slot, loop)) {
            return false;
        }
        if (slot.isAttribute || slot.owner != store.function()) {
            return true;
        }
        return slot.assignments().stream()
                .allMatch(assignment -> !loop.node.covers(assignment.node())
                        || assignment.node().covers(store.node())
                        || isUpdate(assignment, slot));
    }

    /** Returns whether it is an attribute of objects that each iteration of a loop makes anew. */
    private static boolean isOfObjectOf(Slot slot, LoopModel loop) {
        return slot.owner instanceof ClassModel model
                && !model.instantiations.isEmpty()
                && model.instantiations.stream()
                        .allMatch(made -> made.loop() != null && made.loop().isInside(loop));
    }

    /** x = x + y and x += y go on with what was there. */
    private static boolean isUpdate(Slot.Assignment assignment, Slot slot) {
        Expr right = assignedTo(slot, assignment);
        return assignment.node() instanceof Stmt.AugAssign || (right != null && right.has(node -> isOf(node, slot)));
    }

    private static boolean isOf(Node node, Slot slot) {
        return slot.isAttribute
                ? node instanceof Expr.Attribute it && it.attr().equals(slot.name)
                : Nodes.isName(node, slot.name);
    }

    /** The value that a slot is set to: of {@code old, self.rows = self.rows, []} the one in its place. */
    private static @Nullable Expr assignedTo(Slot slot, Slot.Assignment assignment) {
        List<Expr> targets = Nodes.elements(Nodes.target(assignment.node()));
        List<Expr> values = Nodes.elements(assignment.right());
        for (int i = 0; i < targets.size() && targets.size() == values.size(); i++) {
            if (isOf(targets.get(i), slot)) {
                return values.get(i);
            }
        }
        return assignment.right();
    }

    /** Returns whether a value is an object of the file, or its method, that no step makes: it is there once. */
    private static boolean isThereOnce(Value value, Flow flow) {
        Value object = value.isOnly(Kind.FUNCTION) && !value.items().isEmpty()
                ? value.items().getFirst()
                : value;
        return object.isOnly(Kind.INSTANCE)
                && object.target() instanceof ClassModel model
                && !flow.isMadePerStep(model);
    }

    /** Returns whether what it is put into lives on after the call: it belongs to a module, a class, an object that stays, or an outer function. */
    static boolean outlivesCall(FlowEvent.Store store, Flow flow) {
        FunctionModel function = store.function();
        if (function.isModuleLevel() || function.isConstructor() || isThereOnce(store.value(), flow)) {
            return false;
        }
        Set<Slot> holders = new LinkedHashSet<>();
        if (store.containers().isEmpty()) {
            if (store.slot() != null) {
                holders.add(store.slot());
            }
        } else {
            for (HeapContainer container : store.containers()) {
                if (isOfDefault(container, function)) {
                    return true;
                }
                container.around().stream()
                        .filter(around -> !isMadeByEachCall(around, store, flow.file()))
                        .forEach(around -> holders.addAll(around.ownHolders()));
                if (container.holders().isEmpty() && container.function != function) {
                    return container.function.isModuleLevel() || function.isCallback;
                }
            }
        }
        return holders.stream().anyMatch(slot -> stays(slot, function, flow));
    }

    /** Returns whether it is made once, by the default of a parameter. */
    private static boolean isOfDefault(HeapContainer container, FunctionModel function) {
        return container.function == function
                && container.site instanceof Expr
                && !function.isModuleLevel()
                && function.parameters.stream()
                        .anyMatch(parameter ->
                                parameter.arg().defaultValue() instanceof Expr made && made.covers(container.site));
    }

    /** Returns whether each call makes it anew: where it is put replaces what the last call put there. */
    private static boolean isMadeByEachCall(HeapContainer container, FlowEvent.Store store, FileModel file) {
        if (container.isForeign
                || container.isSlice
                || container.function != store.function()
                || store.function().isModuleLevel()) {
            return false;
        }
        return store.function().body().stream().anyMatch(statement -> statement.covers(container.site))
                && !isMadeOnDemand(container.site, store.node(), file);
    }

    /** Made only where there is none yet: under a condition that what is stored is not under, or as {@code x or []}. */
    private static boolean isMadeOnDemand(Node site, Node stored, FileModel file) {
        Node found = file.enclosing(site, up -> switch (up) {
            case Expr.BoolOp _, Stmt.FunctionDef _ -> true;
            case Expr.IfExp it ->
                !Nodes.isConstant(it.body(), Expr.Constant.Kind.NONE)
                        && !Nodes.isConstant(it.orelse(), Expr.Constant.Kind.NONE);
            case Expr.Call it ->
                DEFAULTING
                        .matcher(it.func() instanceof Expr.Attribute method ? method.attr() : file.text(it.func()))
                        .matches();
            case Stmt.If _, Stmt.Try _, Stmt.Match _ -> !up.covers(stored);
            default -> false;
        });
        return found != null && !(found instanceof Stmt.FunctionDef);
    }

    /** [], {}, dict() and dicts of such: nothing is in them yet. */
    static boolean isEmpty(@Nullable Expr stored, FileModel file) {
        return switch (stored) {
            case Expr.Call it ->
                it.given().findAny().isEmpty()
                        ? EMPTY.contains(file.text(it.func()))
                        : file.text(it.func()).endsWith("tensor")
                                && !it.args().isEmpty()
                                && isEmpty(it.args().getFirst(), file);
            case Expr.Dict it -> it.values().stream().allMatch(value -> isEmpty(value, file));
            case Expr.ListDisplay it -> it.elts().stream().allMatch(value -> isEmpty(value, file));
            case Expr.Tuple it -> it.elts().stream().allMatch(value -> isEmpty(value, file));
            case null, default -> false;
        };
    }

    private static boolean stays(Slot slot, FunctionModel function, Flow flow) {
        if (slot.isAttribute) {
            return slot.owner instanceof ClassModel model ? !isShortLived(model, flow) : isOfGlobal(slot);
        }
        if (slot.owner == function || !(slot.owner instanceof FunctionModel owner)) {
            return false;
        }
        boolean isLasting = function.isCallback || (owner.returned().target() == function && !flow.isPerStep(owner));
        return owner.isModuleLevel() || (isAround(owner, function) && isLasting);
    }

    /** Returns whether module-level code sets an unknown object's attribute: what is imported or global stays, a parameter may not. */
    private static boolean isOfGlobal(Slot slot) {
        return slot.assignments().stream()
                .anyMatch(assignment -> assignment.function().isModuleLevel());
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
        return isGuarded(store, flow.file());
    }

    private static boolean isEmptied(HeapContainer container, FlowEvent.Store store, Flow flow) {
        return flow.isReassigned(container)
                || container.emptiers.stream().anyMatch(function -> runsAgain(function, store));
    }

    /** A removal counts unless it stands in a constructor, or in a method that nobody calls although the object is made here. */
    private static boolean runsAgain(FunctionModel function, FlowEvent.Store store) {
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
        for (Slot.Assignment assignment : slot.assignments()) {
            FunctionModel function = assignment.function();
            if (isWindow(assignment.right(), slot)) {
                return true;
            }
            boolean first = store.containers().isEmpty()
                    && slot.owner == function
                    && slot.assignments().iterator().next() == assignment;
            boolean again = !first
                    && !function.isModuleLevel()
                    && !function.isConstructor()
                    && assignment.node() != store.node();
            boolean anew = !isUpdate(assignment, slot)
                    && assignment.value().may(Kind.NONE | Kind.CONTAINER | Kind.TENSOR | Kind.OTHER);
            if (again && anew && (function == store.function() || isReached(function))) {
                return true;
            }
        }
        return false;
    }

    /** x = x[1:] lets the oldest go. */
    private static boolean isWindow(@Nullable Expr right, Slot slot) {
        return right instanceof Expr.Subscript it
                && isOf(it.value(), slot)
                && Nodes.keys(it).stream().anyMatch(Expr.Slice.class::isInstance);
    }

    /** if len(x) < n: x.append(y), or a return or break before it. */
    private static boolean isGuarded(FlowEvent.Store store, FileModel file) {
        String name = targetText(store, file);
        String length = "len(" + name + ")";
        return !name.isEmpty()
                && isUnder(
                        store.node(),
                        condition -> file.text(condition).replace(" ", "").contains(length),
                        file);
    }

    /** Returns whether a node stands in an if or while of such a condition, or behind an if of one that leaves. */
    static boolean isUnder(Node stored, Predicate<Expr> isMeant, FileModel file) {
        Node found = file.source()
                .around(
                        stored,
                        node -> node instanceof Stmt.FunctionDef
                                || isInside(node, file.source().parent(node), isMeant)
                                || isBehindLeaving(node, isMeant, file))
                .orElse(null);
        return found != null && !(found instanceof Stmt.FunctionDef);
    }

    private static boolean isInside(Node node, @Nullable Node around, Predicate<Expr> isMeant) {
        return switch (around) {
            case Stmt.If it -> isMeant.test(it.test()) && it.body().stream().anyMatch(each -> each == node);
            case Stmt.While it -> isMeant.test(it.test());
            case null, default -> false;
        };
    }

    private static boolean isBehindLeaving(Node node, Predicate<Expr> isMeant, FileModel file) {
        return node instanceof Stmt
                && file.block(node).stream()
                        .takeWhile(sibling -> sibling != node)
                        .anyMatch(sibling ->
                                sibling instanceof Stmt.If it && isMeant.test(it.test()) && leaves(it.body()));
    }

    private static boolean leaves(List<Stmt> body) {
        return switch (body.isEmpty() ? null : body.getLast()) {
            case Stmt.Break _, Stmt.Return _, Stmt.Continue _, Stmt.Raise _ -> true;
            case null, default -> false;
        };
    }

    /** The text of what something is put into; empty where nobody sees it. */
    private static String targetText(FlowEvent.Store store, FileModel file) {
        Expr target = store.node() instanceof Expr.Call it ? Nodes.filled(it) : Nodes.target(store.node());
        return target == null ? "" : file.text(target instanceof Expr.Subscript it ? it.value() : target);
    }
}
