package dev.leakline.lint.rule;

import dev.leakline.lint.fix.Patch;
import dev.leakline.lint.fix.Rewriting;
import dev.leakline.lint.flow.Flow;
import dev.leakline.lint.flow.FlowEvent;
import dev.leakline.lint.flow.FunctionModel;
import dev.leakline.lint.flow.LoopModel;
import dev.leakline.lint.flow.Origin;
import dev.leakline.lint.flow.Slot;
import dev.leakline.lint.flow.Value;
import dev.leakline.lint.flow.Value.Kind;
import dev.leakline.lint.python.Syntax;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** LK015: a hook is registered in every step and never removed. */
public final class HookPileUp implements RuleCheck {
    private static final Pattern REGISTER = Pattern.compile("register_\\w*hook");

    @Override
    public String rule() {
        return "LK015";
    }

    @Override
    public List<String> words() {
        return List.of("hook");
    }

    @Override
    public void check(Flow flow, Hits hits) {
        for (FlowEvent.Call call : flow.events(FlowEvent.Call.class)) {
            if (!REGISTER.matcher(Placements.methodOf(call.node())).matches()
                    || call.receiver() == null
                    || call.receiver().qualified() != null) {
                continue;
            }
            if (isPerStep(call, flow) && isLasting(call) && !isRemoved(call, flow)) {
                hits.add(
                        this,
                        call.node(),
                        Hits.LIKELY,
                        "a hook is registered with every step and not removed: each keeps what it refers to, and all of them run",
                        removed(call, flow));
            }
        }
    }

    /** Keeps the handle, and removes the hook behind the last statement of the block that runs what it is on. */
    private static Patch removed(FlowEvent.Call call, Flow flow) {
        Syntax node = call.node();
        Syntax statement = node.statement();
        if (node.parent() != statement || !(node.child("function") instanceof Syntax callee)) {
            return Patch.NONE;
        }
        String object = callee.text("object");
        boolean atBackward = callee.text("attribute").matches("register_hook|register_\\w*(backward|grad)\\w*hook");
        Syntax last = Rewriting.lastAfter(
                node, other -> other.is("call") && (atBackward ? isBackward(other) : runs(other, object)));
        if (last == null || last.is("return_statement")) {
            return Patch.NONE;
        }
        String handle = handle(call, flow);
        return Patch.unsafe(
                new Patch.Edit(statement.start(), statement.start(), handle + " = "),
                Rewriting.lineAfter(last, handle + ".remove()"));
    }

    private static boolean isBackward(Syntax call) {
        return call.text("function").matches("(?s).*(\\.backward|autograd\\.grad)");
    }

    /** Whether a call runs, or is given, an object or what that is a part of. */
    private static boolean runs(Syntax call, String object) {
        List<Syntax> users = new ArrayList<>();
        if (call.child("function") instanceof Syntax callee
                && !REGISTER.matcher(Placements.methodOf(call)).matches()) {
            users.add(callee);
            users.add(callee.child("object") instanceof Syntax whole ? whole : callee);
        }
        if (call.child("arguments") instanceof Syntax arguments) {
            users.addAll(arguments.children());
        }
        return users.stream()
                .map(Syntax::text)
                .anyMatch(
                        user -> object.equals(user) || object.startsWith(user + ".") || object.startsWith(user + "["));
    }

    /** A name of its own for each hook of a function that nothing keeps yet. */
    private static String handle(FlowEvent.Call call, Flow flow) {
        long before = flow.events(FlowEvent.Call.class).stream()
                .filter(other -> other.function() == call.function()
                        && REGISTER.matcher(Placements.methodOf(other.node())).matches()
                        && other.node().start() < call.node().start())
                .count();
        String name = before == 0 ? "hook_handle" : "hook_handle_" + (before + 1);
        while (call.function().variables.containsKey(name)) {
            name += "_";
        }
        return name;
    }

    private static boolean isPerStep(FlowEvent.Call call, Flow flow) {
        for (LoopModel loop = call.loop(); loop != null; loop = loop.outer) {
            if (loop.isSteps()) {
                return true;
            }
        }
        FunctionModel function = call.function();
        if (function.isConstructor() || function.isModuleLevel()) {
            return false;
        }
        boolean forward = function.name.equals("forward") && function.owner != null && function.owner.isModule();
        return flow.isPerStep(function) || forward || runsModule(function, call, flow);
    }

    /** What registers a hook and then runs the module does so each time that it is called. */
    private static boolean runsModule(FunctionModel function, FlowEvent.Call call, Flow flow) {
        String root = call.node().text("function").replaceFirst("[.\\[].*", "");
        Slot slot = function.variables.get(root);
        boolean local = slot != null
                && function.parameters.stream()
                        .noneMatch(parameter -> parameter.name().equals(root))
                && slot.assigned.keySet().stream().noneMatch(assignment -> assignment.is("for_statement"));
        if (local || call.node().text("function").endsWith("register_hook")) {
            return false;
        }
        return flow.origins().stream()
                .anyMatch(origin -> origin.type == Origin.Type.FORWARD
                        && origin.function == function
                        && origin.node.start() > call.node().start());
    }

    /** Whether it is put on something that stays: a module or parameter, not a tensor of this step. */
    private static boolean isLasting(FlowEvent.Call call) {
        Value receiver = call.receiver() == null ? Value.OTHER : call.receiver();
        if (Placements.methodOf(call.node()).equals("register_hook")) {
            boolean parameter = receiver.may(Kind.PARAMETER);
            if (!parameter && (receiver.may(Kind.TENSOR) || receiver.hasGraph())) {
                return false;
            }
            return parameter || (receiver.slot() != null && receiver.slot().isAttribute);
        }
        Syntax object = call.node().child("function") instanceof Syntax callee ? callee.child("object") : null;
        if (object == null) {
            return false;
        }
        Slot slot = object.is("identifier") ? call.function().variables.get(object.text()) : null;
        if (slot != null && (isMadeHere(slot, call.function()) || isGivenBack(object, call.function()))) {
            return false;
        }
        for (LoopModel loop = call.loop(); loop != null && slot != null; loop = loop.outer) {
            Syntax node = loop.node;
            boolean own = slot.assigned.keySet().stream().anyMatch(a -> a.is("assignment") && node.contains(a));
            if (own && loop.isSteps()) {
                return false;
            }
        }
        return true;
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

    private static boolean isRemoved(FlowEvent.Call call, Flow flow) {
        Syntax node = call.node();
        for (Syntax with = node.enclosing("with_item", "with_statement");
                with != null;
                with = with.enclosing("with_item", "with_statement")) {
            if (with.is("with_item")) {
                return true;
            }
        }
        if (node.parent() instanceof Syntax parent && (parent.is("return_statement") || parent.is("yield"))) {
            return true;
        }
        @Nullable Syntax kept = keptIn(node);
        if (kept == null) {
            return false;
        }
        String name = kept.text();
        String last = name.substring(name.lastIndexOf('.') + 1).replaceFirst("\\[.*", "");
        String text = flow.file().tree().source().text();
        boolean direct = Pattern.compile("\\b" + Pattern.quote(last) + "(\\[[^\\]]*\\])?\\.remove\\(")
                .matcher(text)
                .find();
        boolean looped = Pattern.compile(
                        "for\\s+\\w+\\s+in\\s+[\\w.(]*\\b" + Pattern.quote(last) + "\\b[^\\n]*:\\s*\\w+\\.remove\\(")
                .matcher(text)
                .find();
        boolean returned = Pattern.compile("(return|yield)\\b[^\\n]*\\b" + Pattern.quote(last) + "\\b")
                        .matcher(text)
                        .find()
                && !name.contains(".");
        return direct || looped || returned;
    }

    /** The variable or list that the handle is put into, or null. */
    private static @Nullable Syntax keptIn(Syntax call) {
        for (Syntax up = call.parent(); up != null; up = up.parent()) {
            if (up.is("assignment")) {
                return up.child("left");
            }
            if (up.is("call")
                    && up.child("function") instanceof Syntax callee
                    && callee.is("attribute")
                    && callee.text("attribute").matches("append|extend|add|insert")) {
                return callee.child("object");
            }
            if (up.is("expression_statement")) {
                return null;
            }
        }
        return null;
    }
}
