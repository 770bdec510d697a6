package dev.leakline.lint.rule;

import dev.leakline.lint.fix.Patch;
import dev.leakline.lint.fix.Rewriting;
import dev.leakline.lint.flow.ClassModel;
import dev.leakline.lint.flow.Flow;
import dev.leakline.lint.flow.FlowEvent;
import dev.leakline.lint.flow.FunctionModel;
import dev.leakline.lint.flow.LoopModel;
import dev.leakline.lint.flow.Origin;
import dev.leakline.lint.flow.Slot;
import dev.leakline.lint.names.CodeNames;
import dev.leakline.lint.python.Syntax;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** LK015: a hook is registered in every step and never removed. */
public final class HookPileUp implements RuleCheck {
    private static final Pattern REGISTER = Pattern.compile("register_\\w*hook");

    private static final Set<ClassModel.Role> EVENTFUL =
            Set.of(ClassModel.Role.CALLBACK, ClassModel.Role.LIGHTNING, ClassModel.Role.TRAINER);

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
            String often = howOften(call, flow);
            if (often != null && HookTarget.isLasting(call) && !isRemoved(call, flow) && !isOnce(call)) {
                hits.add(
                        this,
                        call.node(),
                        Hits.LIKELY,
                        "a hook is registered %s and not removed: each keeps what it refers to, and all of them run"
                                .formatted(often),
                        removed(call, flow));
            }
        }
    }

    /** In words, where it is again and again; else null. */
    private static @Nullable String howOften(FlowEvent.Call call, Flow flow) {
        if (isPerStep(call, flow)) {
            return "with every step";
        }
        FunctionModel event = eventAround(call.function(), new LinkedHashSet<>());
        return event == null ? null : "with every call of " + event.name;
    }

    /** The method, called by a trainer again and again, that a function is or is called by; or null. */
    private static @Nullable FunctionModel eventAround(FunctionModel function, Set<FunctionModel> seen) {
        if (!seen.add(function) || function.isConstructor()) {
            return null;
        }
        boolean trained = function.owner != null && EVENTFUL.contains(function.owner.role);
        return trained && CodeNames.isEvent(function.name)
                ? function
                : function.callers.stream()
                        .map(site -> eventAround(site.caller(), seen))
                        .filter(Objects::nonNull)
                        .findFirst()
                        .orElse(null);
    }

    /** Under a condition that the registration itself ends: {@code if self.handle is None}, {@code if not self.hooked}. */
    private static boolean isOnce(FlowEvent.Call call) {
        Set<String> ended = new LinkedHashSet<>();
        if (keptIn(call.node()) instanceof Syntax kept) {
            ended.add(kept.text());
        }
        call.function().node.walk(node -> {
            boolean flag = node.child("right") instanceof Syntax right && (right.is("true") || right.is("false"));
            if (node.is("assignment") && flag) {
                ended.add(node.text("left"));
            }
        });
        return Retention.isUnder(call.node(), condition -> mentions(condition, ended));
    }

    private static boolean mentions(Syntax condition, Set<String> names) {
        boolean[] found = new boolean[1];
        condition.walk(node -> found[0] |= names.contains(node.text()));
        return found[0];
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
        String root = HookTarget.root(call).text();
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
