package dev.leakline.lint.rule;

import dev.leakline.lint.flow.FlowEvent;
import dev.leakline.lint.flow.FunctionModel;
import dev.leakline.lint.flow.LoopModel;
import dev.leakline.lint.flow.Slot;
import dev.leakline.lint.flow.Value;
import dev.leakline.lint.flow.Value.Kind;
import dev.leakline.lint.python.Syntax;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What a hook is registered on: a module or parameter that stays, or something of this step. */
final class HookTarget {
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
        if (Placements.methodOf(call.node()).equals("register_hook")) {
            boolean parameter = receiver.may(Kind.PARAMETER);
            if (!parameter && (receiver.may(Kind.TENSOR) || receiver.hasGraph())) {
                return false;
            }
            return parameter || (receiver.slot() != null && receiver.slot().isAttribute);
        }
        Syntax root = root(call);
        Slot slot = root.is("identifier") ? call.function().variables.get(root.text()) : null;
        return slot == null
                || !(isMadeHere(slot, call.function())
                        || isGivenBack(root, call.function())
                        || isMadeInSteps(slot, call));
    }

    /** What a hooked module is a part of, through the local names of parts: {@code net} of {@code layer = net.layers[0]}. */
    static Syntax root(FlowEvent.Call call) {
        Syntax callee = call.node().child("function");
        Syntax object = callee == null ? null : callee.child("object");
        Syntax root = object == null ? call.node() : object;
        for (int names = 0; names < MOST_NAMES; names++) {
            Syntax whole = root.is("identifier") ? named(root, call.function()) : whole(root);
            if (whole == null) {
                return root;
            }
            root = whole;
        }
        return root;
    }

    /** The expression that a variable is a name for, where it is another name or a part of something; else null. */
    private static @Nullable Syntax named(Syntax variable, FunctionModel function) {
        Slot slot = function.variables.get(variable.text());
        if (slot == null || slot.assigned.size() != 1) {
            return null;
        }
        Syntax right = slot.assigned.keySet().iterator().next().child("right");
        return right != null && (right.is("identifier") || whole(right) != null) ? right : null;
    }

    private static @Nullable Syntax whole(Syntax part) {
        return switch (part.type()) {
            case "attribute" -> part.child("object");
            case "subscript" -> part.child("value");
            case "call" -> wholeOf(part);
            default -> null;
        };
    }

    private static @Nullable Syntax wholeOf(Syntax call) {
        Syntax callee = call.child("function");
        Syntax arguments = call.child("arguments");
        if (callee == null || arguments == null) {
            return null;
        }
        if (callee.is("attribute")) {
            return PARTS.matcher(callee.text("attribute")).matches() ? callee.child("object") : null;
        }
        boolean passes = PASSING.matcher(callee.text()).matches()
                && !arguments.children().isEmpty();
        return passes ? arguments.children().getFirst() : null;
    }

    private static boolean isMadeInSteps(Slot slot, FlowEvent.Call call) {
        for (LoopModel loop = call.loop(); loop != null; loop = loop.outer) {
            Syntax node = loop.node;
            boolean own = slot.assigned.keySet().stream().anyMatch(a -> a.is("assignment") && node.contains(a));
            if (own && loop.isSteps()) {
                return true;
            }
        }
        return false;
    }

    /** Whether each call of the function makes the object anew: by a function or class, not by asking another object for a part. */
    private static boolean isMadeHere(Slot slot, FunctionModel function) {
        boolean given = function.parameters.stream()
                .anyMatch(parameter -> parameter.name().equals(slot.name));
        return !given
                && !function.isModuleLevel()
                && !slot.assigned.isEmpty()
                && slot.assigned.keySet().stream()
                        .allMatch(assignment -> assignment.child("right") instanceof Syntax right
                                && right.is("call")
                                && right.child("function") instanceof Syntax maker
                                && (maker.is("identifier")
                                        || Character.isUpperCase(
                                                maker.text("attribute").charAt(0))));
    }

    /** A function that hooks what it is given, and gives that back, sets it up: as a decorator does. */
    private static boolean isGivenBack(Syntax object, FunctionModel function) {
        boolean[] found = new boolean[1];
        function.node.walk(node -> found[0] |= node.is("return_statement")
                && node.children().size() == 1
                && node.children().getFirst().text().equals(object.text()));
        return found[0] && !function.isStepHook;
    }
}
