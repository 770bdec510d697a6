package dev.leakline.lint.rule;

import dev.leakline.lint.flow.ClassModel;
import dev.leakline.lint.flow.Flow;
import dev.leakline.lint.flow.FlowEvent;
import dev.leakline.lint.flow.FunctionModel;
import dev.leakline.lint.flow.LoopModel;
import dev.leakline.lint.flow.Origin;
import dev.leakline.lint.flow.Slot;
import dev.leakline.lint.flow.Value;
import dev.leakline.lint.flow.Value.Kind;
import dev.leakline.lint.names.CodeNames;
import dev.leakline.lint.python.Syntax;
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
                                .formatted(often));
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

    /** Returns whether a function registers a hook and then runs the module, and so does both each time that it is called. */
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
        String text = flow.file().tree().code();
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

        /** The whole that a hooked module is a part of, through local names of parts: {@code net} of {@code layer = net.layers[0]}. */
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

        /** Returns whether each call of the function makes the object anew: by a function or class, not by asking another object for a part. */
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
}
