package dev.leakline.lint.rule;

import dev.leakline.lint.flow.ClassModel;
import dev.leakline.lint.flow.FileModel;
import dev.leakline.lint.flow.Flow;
import dev.leakline.lint.flow.FlowEvent;
import dev.leakline.lint.flow.FunctionModel;
import dev.leakline.lint.flow.LoopModel;
import dev.leakline.lint.flow.Nodes;
import dev.leakline.lint.flow.Origin;
import dev.leakline.lint.flow.Slot;
import dev.leakline.lint.flow.Value;
import dev.leakline.lint.flow.Value.Kind;
import dev.leakline.lint.names.CodeNames;
import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import dev.leakline.python.Stmt;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** LK015: a hook is registered in every step and never removed. */
final class HookPileUp {

    private static final Set<ClassModel.Role> EVENTFUL =
            Set.of(ClassModel.Role.CALLBACK, ClassModel.Role.LIGHTNING, ClassModel.Role.TRAINER);

    private HookPileUp() {}

    static void check(Flow flow, Hits hits) {
        for (FlowEvent.Call call : flow.events(FlowEvent.Call.class)) {
            if (!CodeNames.isHookRegistration(call.node().method())
                    || call.receiver() == null
                    || call.receiver().qualified() != null) {
                continue;
            }
            String often = howOften(call, flow);
            if (often != null && HookTarget.isLasting(call) && !isRemoved(call, flow) && !isOnce(call, flow)) {
                hits.add(
                        call.node(),
                        Hits.LIKELY,
                        "a hook is registered %s and not removed: each keeps what it refers to, and all of them run"
                                .formatted(often));
            }
        }
    }

    /** In words, where it is again and again; else null. */
    private static @Nullable String howOften(FlowEvent.Call call, Flow flow) {
        if (isPerStep(call, flow)) {
            return "with every step";
        }
        return call.function().isConstructor()
                ? null
                : call.function().withCallers().stream()
                        .filter(function -> function.owner != null && EVENTFUL.contains(function.owner.role))
                        .map(function -> function.name)
                        .filter(CodeNames::isEvent)
                        .findFirst()
                        .map("with every call of "::concat)
                        .orElse(null);
    }

    /** Under a condition that the registration itself ends: {@code if self.handle is None}, {@code if not self.hooked}. */
    private static boolean isOnce(FlowEvent.Call call, Flow flow) {
        FileModel file = flow.file();
        Set<String> ended = new LinkedHashSet<>();
        call.function().walk(node -> {
            if (node instanceof Stmt.Assign it
                    && (Nodes.isConstant(it.value(), Expr.Constant.Kind.TRUE)
                            || Nodes.isConstant(it.value(), Expr.Constant.Kind.FALSE))) {
                it.targets().forEach(target -> ended.add(file.text(target)));
            }
        });
        return Retention.isUnder(
                call.node(),
                condition ->
                        condition.has(node -> ended.contains(file.text(node)) || isHandle(flow.valueOf(node), call)),
                file);
    }

    private static boolean isPerStep(FlowEvent.Call call, Flow flow) {
        FunctionModel function = call.function();
        if (call.loops().stream().anyMatch(LoopModel::isSteps)) {
            return true;
        }
        if (function.isConstructor() || function.isModuleLevel()) {
            return false;
        }
        boolean forward = function.name.equals("forward") && function.owner != null && function.owner.isModule();
        return flow.isPerStep(function) || forward || runsModule(function, call, flow);
    }

    /** Returns whether a function registers a hook and then runs the module, and so does both each time that it is called. */
    private static boolean runsModule(FunctionModel function, FlowEvent.Call call, Flow flow) {
        Slot slot = HookTarget.root(call) instanceof Expr.Name root ? function.variables.get(root.id()) : null;
        boolean local = slot != null
                && function.parameters.stream()
                        .noneMatch(parameter -> parameter.name().equals(slot.name))
                && slot.assignments().stream().noneMatch(assignment -> assignment.node() instanceof Stmt.For);
        if (local || call.node().method().equals("register_hook")) {
            return false;
        }
        return flow.origins().stream()
                .anyMatch(origin -> origin.type == Origin.Type.FORWARD
                        && origin.function == function
                        && origin.node.start() > call.node().start());
    }

    /**
     * Returns whether a with ends it, its handle is given to a caller, or something is removed that may be the handle, or have it, or
     * that has its name, where nobody sees what keeps it in between.
     */
    private static boolean isRemoved(FlowEvent.Call call, Flow flow) {
        String name = flow.file().source().parent(call.node()) instanceof Stmt.Assign it
                ? lastName(it.targets().getFirst(), flow)
                : "";
        return flow.file().enclosing(call.node(), Node.WithItem.class::isInstance) != null
                || isHandle(call.function().returned(), call)
                || flow.events(FlowEvent.Call.class).stream()
                        .filter(other -> other.node().method().equals("remove"))
                        .anyMatch(other -> other.node().receiver() instanceof Expr object
                                && (isHandle(flow.valueOf(object), call)
                                        || lastName(object, flow).equals(name)));
    }

    private static String lastName(Expr place, Flow flow) {
        String text = flow.file().text(place);
        return text.substring(text.lastIndexOf('.') + 1);
    }

    private static boolean isHandle(Value value, FlowEvent.Call call) {
        return value.parts().stream()
                .flatMap(part -> part.sources().stream())
                .anyMatch(source -> source instanceof Origin origin && origin.node == call.node());
    }

    /** The target of a hook: a module or parameter that stays, or something of this step. */
    private static final class HookTarget {
        /** Methods of a module that give its parts. */
        private static final Pattern PARTS =
                Pattern.compile("(named_)?(modules|children|parameters)|get_submodule|values|items");
        /** Functions that give what they are given, or a part of it. */
        private static final Pattern PASSING = Pattern.compile("getattr|dict|list|enumerate|iter|next|reversed");
        /** A name of a name of a part: more are hardly written. */
        private static final int MOST_NAMES = 12;

        private HookTarget() {}

        static boolean isLasting(FlowEvent.Call call) {
            Value receiver = call.receiver() == null ? Value.OTHER : call.receiver();
            if (call.node().method().equals("register_hook")) {
                boolean parameter = receiver.may(Kind.PARAMETER);
                if (!parameter && (receiver.may(Kind.TENSOR) || receiver.hasGraph())) {
                    return false;
                }
                return parameter || (receiver.slot() != null && receiver.slot().isAttribute);
            }
            Slot slot = root(call) instanceof Expr.Name it
                    ? call.function().variables.get(it.id())
                    : null;
            return slot == null
                    || !(isMadeHere(slot, call.function())
                            || isGivenBack(slot, call.function())
                            || isMadeInSteps(slot, call));
        }

        /** The whole that a hooked module is a part of, through local names of parts: {@code net} of {@code layer = net.layers[0]}. */
        static Expr root(FlowEvent.Call call) {
            Expr object = call.node().receiver();
            Expr root = object == null ? call.node() : object;
            for (int names = 0; names < MOST_NAMES; names++) {
                Expr whole = root instanceof Expr.Name it ? named(it, call.function()) : whole(root);
                if (whole == null) {
                    return root;
                }
                root = whole;
            }
            return root;
        }

        /** The expression that a variable is a name for, where it is another name or a part of something; else null. */
        private static @Nullable Expr named(Expr.Name variable, FunctionModel function) {
            Slot slot = function.variables.get(variable.id());
            Slot.Assignment only = slot == null ? null : slot.onlyAssignment();
            Expr right = only == null ? null : only.right();
            return right != null && (right instanceof Expr.Name || whole(right) != null) ? right : null;
        }

        private static @Nullable Expr whole(Expr part) {
            return switch (part) {
                case Expr.Attribute it -> it.value();
                case Expr.Subscript it -> it.value();
                case Expr.Call it
                when it.func() instanceof Expr.Attribute method ->
                    PARTS.matcher(method.attr()).matches() ? method.value() : null;
                case Expr.Call it
                when it.func() instanceof Expr.Name passing
                        && PASSING.matcher(passing.id()).matches()
                        && !it.args().isEmpty() -> it.args().getFirst();
                default -> null;
            };
        }

        private static boolean isMadeInSteps(Slot slot, FlowEvent.Call call) {
            return call.loops().stream()
                    .filter(LoopModel::isSteps)
                    .anyMatch(loop -> slot.assignments().stream()
                            .anyMatch(each -> Nodes.isAssignment(each.node()) && loop.node.covers(each.node())));
        }

        /** Returns whether each call of the function makes the object anew: by a function or class, not by asking another object for a part. */
        private static boolean isMadeHere(Slot slot, FunctionModel function) {
            boolean given = function.parameters.stream()
                    .anyMatch(parameter -> parameter.name().equals(slot.name));
            return !given
                    && !function.isModuleLevel()
                    && !slot.assignments().isEmpty()
                    && slot.assignments().stream()
                            .allMatch(assignment -> assignment.right() instanceof Expr.Call right
                                    && (right.func() instanceof Expr.Name
                                            || (right.func() instanceof Expr.Attribute maker
                                                    && Character.isUpperCase(
                                                            maker.attr().charAt(0)))));
        }

        /** A function that hooks what it is given, and gives that back, sets it up: as a decorator does. */
        private static boolean isGivenBack(Slot object, FunctionModel function) {
            return !function.isStepHook
                    && function.has(node -> node instanceof Stmt.Return it && Nodes.isName(it.value(), object.name));
        }
    }
}
