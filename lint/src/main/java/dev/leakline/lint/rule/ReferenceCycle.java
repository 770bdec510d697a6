package dev.leakline.lint.rule;

import dev.leakline.lint.fix.Patch;
import dev.leakline.lint.fix.Uncycling;
import dev.leakline.lint.flow.ClassModel;
import dev.leakline.lint.flow.ClassModel.Role;
import dev.leakline.lint.flow.FileModel;
import dev.leakline.lint.flow.Flow;
import dev.leakline.lint.flow.FlowEvent;
import dev.leakline.lint.flow.FlowEvent.Way;
import dev.leakline.lint.flow.FunctionModel;
import dev.leakline.lint.flow.Slot;
import dev.leakline.lint.flow.Value;
import dev.leakline.lint.flow.Value.Device;
import dev.leakline.lint.flow.Value.Kind;
import dev.leakline.lint.python.Syntax;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** LK005: objects that own tensors and come and go are tied into a reference cycle. */
public final class ReferenceCycle implements RuleCheck {
    @Override
    public String rule() {
        return "LK005";
    }

    @Override
    public void check(Flow flow, Hits hits) {
        for (ClassModel model : flow.file().classes()) {
            if (model.role == Role.AUTOGRAD_FUNCTION) {
                checkContext(model, hits);
            }
        }
        for (FunctionModel function : flow.file().functions()) {
            checkRecursive(function, flow, hits);
        }
        List<FlowEvent.Store> stores = flow.events(FlowEvent.Store.class);
        for (FlowEvent.Store store : stores) {
            checkCapture(store, flow, hits);
        }
        checkLinks(stores, flow, hits);
        for (FlowEvent.Call call : flow.events(FlowEvent.Call.class)) {
            checkFinalizer(call, flow, hits);
        }
    }

    /** ctx.y = output: the graph's node holds the context, the context the output, the output the node. */
    private void checkContext(ClassModel model, Hits hits) {
        FunctionModel forward = model.methods.get("forward");
        if (forward == null || forward.parameters.isEmpty()) {
            return;
        }
        String context = forward.parameters.getFirst().name();
        Set<String> outputs = new LinkedHashSet<>();
        forward.node.walk(node -> {
            if (node.is("return_statement")) {
                node.children().forEach(value -> addNames(value, outputs));
            }
        });
        forward.parameters.forEach(parameter -> outputs.remove(parameter.name()));
        forward.node.walk(node -> {
            if (node.is("assignment")
                    && node.text("left").startsWith(context + ".")
                    && node.child("right") instanceof Syntax right) {
                Set<String> stored = new LinkedHashSet<>();
                addNames(right, stored);
                stored.retainAll(outputs);
                if (!stored.isEmpty()) {
                    hits.add(
                            this,
                            node,
                            Hits.SURE,
                            "the output is kept on %s, whose node the output itself holds: a cycle that only the cycle collector frees; use save_for_backward"
                                    .formatted(context),
                            Uncycling.saved(node, context, model.node));
                }
            }
        });
    }

    private static void addNames(Syntax value, Set<String> names) {
        if (value.is("identifier")) {
            names.add(value.text());
        } else if (value.is("tuple")
                || value.is("expression_list")
                || value.is("list")
                || value.is("parenthesized_expression")) {
            value.children().forEach(part -> addNames(part, names));
        }
    }

    /** An inner function that calls itself holds itself, and with it whatever it captures. */
    private void checkRecursive(FunctionModel function, Flow flow, Hits hits) {
        FunctionModel outer = function.outer;
        if (outer == null
                || outer.isModuleLevel()
                || function.owner != null
                || function.node.is("lambda")
                || outer.name.equals("<lambda>")) {
            return;
        }
        boolean[] calls = new boolean[1];
        boolean[] captures = new boolean[1];
        Set<String> own = new LinkedHashSet<>(function.variables.keySet());
        function.node.walk(node -> {
            if (node.is("identifier")
                    && node.parent() instanceof Syntax parent
                    && !parent.is("keyword_argument")
                    && parent.child("attribute") != node) {
                calls[0] |= node.text().equals(function.name) && parent.child("name") != node;
                Slot captured = own.contains(node.text()) ? null : outer.variables.get(node.text());
                captures[0] |= captured != null && holdsTensor(captured.value());
            }
        });
        if (calls[0] && captures[0] && (flow.isPerStep(outer) || (outer.callers.isEmpty() && !outer.isConstructor()))) {
            hits.add(
                    this,
                    function.node,
                    flow.isPerStep(outer) ? Hits.LIKELY : Hits.POSSIBLE,
                    "%s refers to itself and to tensors of %s: the cycle keeps them until the cycle collector runs"
                            .formatted(function.name, outer.name));
        }
    }

    private static boolean holdsTensor(Value value) {
        return (value.may(Kind.TENSOR) && value.device() != Device.CPU && !value.may(Kind.MODULE))
                || value.containers().stream()
                        .anyMatch(
                                c -> c.element().may(Kind.TENSOR) && c.element().device() != Device.CPU);
    }

    /** self.f = lambda: self.x, a bound method, a partial of one, an inner function that captures self, or self itself. */
    private void checkCapture(FlowEvent.Store store, Flow flow, Hits hits) {
        FunctionModel function = store.function();
        String self = function.self();
        Slot slot = store.slot();
        ClassModel owner = function.owner;
        if (slot == null || self == null || owner == null) {
            return;
        }
        boolean own = slot.isAttribute && slot.owner == owner;
        if (!own
                || !self.equals(holderOf(store))
                || (store.way() != Way.SET && store.way() != Way.APPEND && store.way() != Way.PUT)
                || !isOfSteps(owner, flow)) {
            return;
        }
        if (capturesSelf(store.stored(), self, function, flow, 0)) {
            hits.add(
                    this,
                    store.node(),
                    Hits.LIKELY,
                    "%s captures %s and is kept on it: the cycle keeps the tensors of the object until the cycle collector runs"
                            .formatted(Phrases.shortened(store.stored()), self),
                    Uncycling.captured(store.stored(), self, flow.file()));
        }
    }

    private static boolean capturesSelf(Syntax stored, String self, FunctionModel function, Flow flow, int depth) {
        if (depth > 3) {
            return false;
        }
        return switch (stored.type()) {
            case "identifier" ->
                stored.text().equals(self) || isCapturingFunction(flow.valueOf(stored), self, function);
            case "lambda" ->
                mentions(stored.child("body"), self) && !names(stored).contains(self);
            case "attribute" ->
                stored.text("object").equals(self)
                        && function.owner != null
                        && function.owner.methods.get(stored.text("attribute")) instanceof FunctionModel method
                        && method.decorators.isEmpty();
            case "call" ->
                isBinding(stored, flow)
                        && stored.child("arguments") instanceof Syntax arguments
                        && arguments.children().stream()
                                .anyMatch(a -> capturesSelf(a, self, function, flow, depth + 1));
            case "list", "tuple", "set" ->
                stored.children().stream().anyMatch(child -> capturesSelf(child, self, function, flow, depth + 1));
            case "dictionary" ->
                stored.children().stream()
                        .anyMatch(pair -> pair.child("value") instanceof Syntax value
                                && capturesSelf(value, self, function, flow, depth + 1));
            case "pair", "keyword_argument" ->
                stored.child("value") instanceof Syntax value && capturesSelf(value, self, function, flow, depth + 1);
            case "parenthesized_expression" ->
                stored.children().stream().anyMatch(child -> capturesSelf(child, self, function, flow, depth + 1));
            default -> false;
        };
    }

    private static boolean isBinding(Syntax call, Flow flow) {
        String name = flow.file().qualified(call.text("function"));
        return name.equals("functools.partial") || name.equals("partial") || name.equals("types.MethodType");
    }

    private static boolean isCapturingFunction(Value value, String self, FunctionModel around) {
        return value.may(Kind.FUNCTION)
                && value.target() instanceof FunctionModel inner
                && inner.outer == around
                && inner.owner == null
                && mentions(inner.node.child("body"), self)
                && inner.parameters.stream()
                        .noneMatch(parameter -> parameter.name().equals(self));
    }

    private static Set<String> names(Syntax lambda) {
        Set<String> names = new LinkedHashSet<>();
        if (lambda.child("parameters") instanceof Syntax parameters) {
            parameters.walk(node -> {
                if (node.is("identifier")) {
                    names.add(node.text());
                }
            });
        }
        return names;
    }

    private static boolean mentions(@Nullable Syntax node, String name) {
        boolean[] found = new boolean[1];
        if (node != null) {
            node.walk(inner -> found[0] |= inner.is("identifier")
                    && inner.text().equals(name)
                    && !(inner.parent() != null
                            && inner.parent().is("attribute")
                            && inner.parent().child("attribute") == inner));
        }
        return found[0];
    }

    /** Whether objects of the class come and go, and own tensors. */
    private static boolean isOfSteps(ClassModel model, Flow flow) {
        return !model.isModule() && model.role != Role.DATASET && flow.isMadePerStep(model) && flow.ownsTensors(model);
    }

    /** One object is put on another: who holds whom, by expressions. */
    private record Link(String from, String to, FlowEvent.Store store, FunctionModel function) {}

    /** a.x = b and b.y = a, in one function or through what a method or constructor is given. */
    private void checkLinks(List<FlowEvent.Store> stores, Flow flow, Hits hits) {
        Map<FunctionModel, List<Link>> links = new LinkedHashMap<>();
        for (FlowEvent.Store store : stores) {
            for (Link link : linksOf(store)) {
                links.computeIfAbsent(store.function(), _ -> new ArrayList<>()).add(link);
            }
        }
        links.forEach((function, all) -> {
            for (Link link : all) {
                for (Link other : all) {
                    boolean cycle = link.from().equals(other.to()) && link.to().equals(other.from());
                    boolean first =
                            link.store().node().start() < other.store().node().start()
                                    || (link.store().node() == other.store().node()
                                            && link.store().stored().start()
                                                    < other.store().stored().start());
                    if (cycle && first && ownsTensors(link, flow) && comesAndGoes(link, flow)) {
                        report(link, other, flow, hits);
                    }
                }
            }
        });
        checkConstructed(links, flow, hits);
    }

    private void report(Link first, Link link, Flow flow, Hits hits) {
        hits.add(
                this,
                link.store().node(),
                Hits.LIKELY,
                "%s and %s hold each other: the cycle keeps their tensors until the cycle collector runs"
                        .formatted(link.from(), link.to()),
                weakened(link.store().way() == Way.SET ? link : first, flow));
    }

    private static Patch weakened(Link link, Flow flow) {
        Syntax stored = link.store().stored();
        boolean guarded = link.function().parameters.stream()
                .anyMatch(parameter -> parameter.name().equals(link.to())
                        && parameter.value() != null
                        && parameter.value().is("none"));
        return stored.is("identifier") ? Uncycling.weak(stored, guarded, flow.file()) : Patch.NONE;
    }

    /** self.child = Child(self), or child = Child(x) and x.children.append(child), where the constructor of Child keeps what it is given. */
    private void checkConstructed(Map<FunctionModel, List<Link>> links, Flow flow, Hits hits) {
        for (FlowEvent.Store store : flow.events(FlowEvent.Store.class)) {
            Syntax stored = made(store, flow);
            String target = holderOf(store);
            if (!stored.is("call") || target == null || !(flow.valueOf(stored).target() instanceof ClassModel made)) {
                continue;
            }
            FunctionModel constructor = made.methods.get("__init__");
            if (constructor == null || !(stored.child("arguments") instanceof Syntax arguments)) {
                continue;
            }
            List<Syntax> given = arguments.children();
            for (int i = 0; i < given.size(); i++) {
                String parameter = given.get(i).is("keyword_argument")
                        ? given.get(i).text("name")
                        : i + 1 < constructor.parameters.size()
                                ? constructor.parameters.get(i + 1).name()
                                : "";
                String value = given.get(i).is("keyword_argument")
                        ? given.get(i).text("value")
                        : given.get(i).text();
                boolean keeps = links.getOrDefault(constructor, List.of()).stream()
                        .anyMatch(link -> link.from().equals(constructor.self())
                                && link.to().equals(parameter));
                ClassModel owner = store.function().owner;
                boolean steps = (target.equals(store.function().self()) && owner != null)
                        ? isOfSteps(owner, flow)
                                || (isMadeHere(owner) && flow.ownsTensors(made) && flow.isMadePerStep(owner))
                        : flow.isMadePerStep(made) && (flow.ownsTensors(made) || isOfSteps(target, store, flow));
                if (keeps && value.equals(target) && steps) {
                    hits.add(
                            this,
                            store.node(),
                            Hits.LIKELY,
                            "%s holds a %s that holds it back: the cycle keeps their tensors until the cycle collector runs"
                                    .formatted(target, made.name));
                }
            }
        }
    }

    /** The call that makes what is stored, where that is a variable that is set once. */
    private static Syntax made(FlowEvent.Store store, Flow flow) {
        Syntax stored = store.stored();
        Slot slot = stored.is("identifier") ? store.function().variables.get(stored.text()) : null;
        if (slot == null || slot.assigned.size() != 1) {
            return stored;
        }
        Syntax right = slot.assigned.keySet().iterator().next().child("right");
        return right != null && flow.valueOf(right).may(Kind.INSTANCE) ? right : stored;
    }

    private static boolean isOfSteps(String variable, FlowEvent.Store store, Flow flow) {
        Slot slot = store.function().variables.get(variable);
        return slot != null && slot.value().target() instanceof ClassModel model && isOfSteps(model, flow);
    }

    private static boolean isMadeHere(ClassModel model) {
        return !model.isModule() && !model.instantiations.isEmpty();
    }

    /** What of x.y = z, x.y.append(z), x.y[k] = z is x. */
    private static @Nullable String holderOf(FlowEvent.Store store) {
        Syntax node = store.node();
        Syntax target = node.is("call") && node.child("function") instanceof Syntax callee
                ? callee.child("object")
                : store.key();
        if (node.is("assignment")) {
            target = targetFor(node.child("left"), node.child("right"), store.stored());
        }
        while (target != null && target.is("subscript")) {
            target = target.child("value");
        }
        return target != null && target.is("attribute") && target.child("object") instanceof Syntax object
                ? object.text()
                : null;
    }

    private static @Nullable Syntax targetFor(@Nullable Syntax left, @Nullable Syntax right, Syntax stored) {
        if (left == null || right == null || right == stored) {
            return left;
        }
        List<Syntax> targets = left.children();
        List<Syntax> values = right.children();
        for (int i = 0; i < values.size() && i < targets.size(); i++) {
            if (values.get(i) == stored) {
                return targets.get(i);
            }
        }
        return left;
    }

    private static List<Link> linksOf(FlowEvent.Store store) {
        if (store.way() != Way.SET && store.way() != Way.APPEND && store.way() != Way.PUT) {
            return List.of();
        }
        String from = holderOf(store);
        List<Link> links = new ArrayList<>();
        if (from != null) {
            Set<String> names = new LinkedHashSet<>();
            addNames(store.stored(), names);
            for (String name : names) {
                links.add(new Link(from, name, store, store.function()));
            }
        }
        return links;
    }

    private static boolean ownsTensors(Link link, Flow flow) {
        ClassModel owner = link.function().owner;
        if (owner != null
                && (link.from().equals(link.function().self())
                        || link.to().equals(link.function().self()))) {
            return flow.ownsTensors(owner);
        }
        Value value = link.store().value();
        if (value.target() instanceof ClassModel model) {
            return flow.ownsTensors(model);
        }
        Slot slot = link.function().variables.get(link.from());
        return slot != null && slot.value().target() instanceof ClassModel model && flow.ownsTensors(model);
    }

    private static boolean comesAndGoes(Link link, Flow flow) {
        ClassModel owner = link.function().owner;
        if (owner != null
                && (link.from().equals(link.function().self())
                        || link.to().equals(link.function().self()))) {
            return !owner.isModule() && flow.isMadePerStep(owner);
        }
        ClassModel model = link.store().value().target() instanceof ClassModel known ? known : null;
        boolean looped = link.store().loop() != null || flow.isPerStep(link.function());
        return model == null
                ? looped
                : !model.isModule() && (flow.isMadePerStep(model) || (looped && !model.instantiations.isEmpty()));
    }

    /** weakref.finalize(self, self.close) holds self for ever, since the method does. */
    private void checkFinalizer(FlowEvent.Call call, Flow flow, Hits hits) {
        FileModel file = flow.file();
        String name = file.qualified(call.node().text("function"));
        if (!name.equals("weakref.finalize")
                || !(call.node().child("arguments") instanceof Syntax arguments)
                || arguments.children().size() < 2) {
            return;
        }
        String object = arguments.children().getFirst().text();
        FunctionModel function = call.function();
        boolean bound = arguments.children().stream()
                .skip(1)
                .anyMatch(argument -> argument.text().equals(object)
                        || (argument.is("attribute") && argument.text("object").equals(object))
                        || (argument.is("lambda") && mentions(argument.child("body"), object)));
        ClassModel owner = object.equals(function.self())
                ? function.owner
                : flow.valueOf(arguments.children().getFirst()).target() instanceof ClassModel model ? model : null;
        if (bound && owner != null && isOfSteps(owner, flow)) {
            hits.add(
                    this,
                    call.node(),
                    Hits.SURE,
                    "the finalizer holds %s itself, through a method bound to it: it is never freed".formatted(object));
        }
    }
}
