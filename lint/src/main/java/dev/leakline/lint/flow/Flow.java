package dev.leakline.lint.flow;

import dev.leakline.lint.flow.ClassModel.Role;
import dev.leakline.lint.flow.FunctionModel.CallSite;
import dev.leakline.lint.flow.Value.Kind;
import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import dev.leakline.python.flow.Certainty;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The events that were seen in a file: the value of every expression, every store, backward and call, and what the loops and functions do. */
public final class Flow {
    private final FileModel file;
    private final IdentityHashMap<Node, Value> values;

    private long steps;

    private final Map<Class<?>, Map<NodeKey, FlowEvent>> events = new HashMap<>();
    /** Calls by the functions that they stand in, and the functions that they run, for the rules. */
    private final Map<FunctionModel, List<FlowEvent.Call>> calls = new HashMap<>();

    private final IdentityHashMap<Node, Set<FunctionModel>> called = new IdentityHashMap<>();
    private final Map<ClassModel, Boolean> owners = new HashMap<>();
    private final Map<NodeKey, Origin> origins = new LinkedHashMap<>();
    private final Map<NodeKey, HeapContainer> containers = new LinkedHashMap<>();
    private final Map<NodeKey, LoopModel> loops = new LinkedHashMap<>();
    private final Set<Slot> deleted = new HashSet<>();
    private final Set<HeapContainer> reassigned = new HashSet<>();

    Flow(FileModel file) {
        this.file = file;
        this.values = new IdentityHashMap<>(file.source().nodes().size());
    }

    /** Counts work. Throws {@link TooComplex} where it is too much. */
    void step(long work) {
        steps += work;
        if (steps > TooComplex.MOST_STEPS) {
            throw new TooComplex("it takes more than %,d steps".formatted(TooComplex.MOST_STEPS));
        }
    }

    void nextRound() {
        values.clear();
        events.clear();
        deleted.clear();
        reassigned.clear();
        for (Origin origin : origins.values()) {
            reset(origin);
        }
        for (HeapContainer container : containers.values()) {
            container.nextRound();
            reset(container.contents);
        }
        for (FunctionModel function : file.functions()) {
            function.nextRound();
        }
        for (ClassModel model : file.classes()) {
            model.attributes.values().forEach(Slot::nextRound);
            model.instantiations.clear();
        }
        file.unknownAttributes().values().forEach(Slot::nextRound);
    }

    private static void reset(Origin origin) {
        origin.isBackwarded = false;
        origin.isRead = false;
        origin.escapes = false;
        origin.wantsInputGrad = false;
    }

    void note(Node node, Value value) {
        values.put(node, value);
    }

    /** The value that an expression evaluated to last. */
    public Value valueOf(Node node) {
        return values.getOrDefault(node, Value.NOTHING);
    }

    void add(FlowEvent event) {
        NodeKey what = new NodeKey(event.node(), event instanceof FlowEvent.Store store ? store.stored() : "");
        events.computeIfAbsent(event.getClass(), _ -> new LinkedHashMap<>()).put(what, event);
    }

    public <T extends FlowEvent> Collection<T> events(Class<T> type) {
        @SuppressWarnings("unchecked") // each is kept by its own class
        Collection<T> found =
                (Collection<T>) events.getOrDefault(type, Map.of()).values();
        return found;
    }

    /** The calls that stand in a function. */
    public Stream<FlowEvent.Call> calls(FunctionModel function) {
        if (calls.isEmpty()) {
            events(FlowEvent.Call.class)
                    .forEach(call -> calls.computeIfAbsent(call.function(), _ -> new ArrayList<>())
                            .add(call));
        }
        return calls.getOrDefault(function, List.of()).stream();
    }

    /** The functions of the file that a call runs. */
    public Stream<FunctionModel> called(FlowEvent.Call call) {
        if (called.isEmpty()) {
            file.functions()
                    .forEach(function -> function.callers.forEach(
                            site -> called.computeIfAbsent(site.call(), _ -> new LinkedHashSet<>())
                                    .add(function)));
        }
        return called.getOrDefault(call.node(), Set.of()).stream();
    }

    Origin origin(Origin.Type type, Node node, Scope frame) {
        return origins.computeIfAbsent(
                new NodeKey(node, type), _ -> new Origin(type, node, frame.function, frame.loop));
    }

    public Collection<Origin> origins() {
        return origins.values();
    }

    HeapContainer container(Node site, Object part, FunctionModel function) {
        return containers.computeIfAbsent(
                new NodeKey(site, part), _ -> new HeapContainer(site, function, null, false, false));
    }

    /** A container of some elements. */
    Value holding(Node site, Object part, Scope frame, Value... elements) {
        HeapContainer made = container(site, part, frame, false);
        for (Value element : elements) {
            made.put(element);
        }
        return Value.holding(made);
    }

    HeapContainer container(Node site, Object part, Scope frame, boolean isSlice) {
        return containers.computeIfAbsent(
                new NodeKey(site, part), _ -> new HeapContainer(site, frame.function, frame.loop, false, isSlice));
    }

    LoopModel loop(Node node, Scope frame) {
        return loops.computeIfAbsent(new NodeKey(node, ""), _ -> new LoopModel(node, frame.function, frame.loop));
    }

    Collection<HeapContainer> containers() {
        return containers.values();
    }

    public Collection<LoopModel> loops() {
        return loops.values();
    }

    public FileModel file() {
        return file;
    }

    void noteDeleted(Slot slot) {
        deleted.add(slot);
    }

    public boolean isDeleted(Slot slot) {
        return deleted.contains(slot);
    }

    void noteReassigned(Value before, Value after, Scope frame) {
        for (HeapContainer container : before.containers()) {
            boolean other = !after.containers().contains(container)
                    || after.containers().size() > 1;
            if (other && frame.loop != null && container.loop != frame.loop) {
                reassigned.add(container);
            }
        }
    }

    /** Returns whether a loop gives a variable another container in place of this one. */
    public boolean isReassigned(HeapContainer container) {
        return reassigned.contains(container);
    }

    /** Returns whether an expression adds to the target, such as a * x + b * y of x, something with a graph that does not come from x itself. */
    boolean isSumOf(Expr right, Expr target, Node statement) {
        if (right instanceof Expr.IfExp it) {
            return Stream.of(it.body(), it.orelse())
                    .anyMatch(branch -> branch instanceof Expr.BinOp && isSumOf(branch, target, statement));
        }
        if (!(right instanceof Expr.BinOp)) {
            return false;
        }
        List<Expr> terms = new ArrayList<>();
        addTerms(right, terms);
        String name = file.text(target);
        List<Expr> others =
                terms.stream().filter(term -> !file.text(term).equals(name)).toList();
        return others.size() < terms.size()
                && others.stream()
                        .map(this::valueOf)
                        .anyMatch(value -> (value.hasGraph() || value.may(Kind.PARAMETER))
                                && value.graph().stream()
                                        .noneMatch(
                                                origin -> origin.type == Origin.Type.SUM && origin.node == statement));
    }

    private static void addTerms(Expr expression, List<Expr> terms) {
        switch (expression) {
            case Expr.BinOp it -> {
                addTerms(it.left(), terms);
                addTerms(it.right(), terms);
            }
            case Expr.UnaryOp it when it.op() != Expr.UnaryOperator.NOT -> addTerms(it.operand(), terms);
            default -> terms.add(expression);
        }
    }

    /** A graph that backward goes through. */
    void markBackward(Value value) {
        value.graph().forEach(origin -> origin.isBackwarded = true);
    }

    void markRead(Value value) {
        for (Object source : value.sources()) {
            if (source instanceof Origin origin) {
                origin.isRead = true;
            }
        }
    }

    /** Marks what is known only at the end: what leaves the file, and what the loops do. */
    void conclude() {
        for (FunctionModel function : file.functions()) {
            Value returned = function.returned();
            if (function.isStepHook && function.owner != null && function.entryGrad != Certainty.NO) {
                markDeep(returned, origin -> origin.isBackwarded = true, 0);
            } else if (function.callers.isEmpty() && !function.isModuleLevel()) {
                markDeep(returned, origin -> origin.escapes = true, 0);
            }
        }
        Deque<FunctionModel> open = new ArrayDeque<>();
        for (FlowEvent.Backward backward : events(FlowEvent.Backward.class)) {
            markTraining(backward.loop());
            if (!backward.function().goesBackward) {
                backward.function().goesBackward = true;
                open.add(backward.function());
            }
        }
        while (!open.isEmpty()) {
            for (CallSite site : open.remove().callers) {
                markTraining(site.loop());
                if (!site.caller().goesBackward) {
                    site.caller().goesBackward = true;
                    open.add(site.caller());
                }
            }
        }
    }

    private static void markTraining(@Nullable LoopModel innermost) {
        LoopModel.andAround(innermost).forEach(loop -> loop.trains = true);
    }

    private void markDeep(Value value, java.util.function.Consumer<Origin> mark, int depth) {
        if (value.hasGraph()) {
            value.graph().forEach(mark);
        }
        if (depth < 4) {
            value.items().forEach(item -> markDeep(item, mark, depth + 1));
            value.fields().values().forEach(item -> markDeep(item, mark, depth + 1));
            for (HeapContainer container : value.containers()) {
                mark.accept(container.contents);
                markDeep(container.element(), mark, depth + 1);
            }
        }
    }

    /** Returns whether a function runs once a step or request: a framework calls it so, or a loop of steps in this file does. */
    public boolean isPerStep(FunctionModel function) {
        return isPerStep(function, new LinkedHashSet<>());
    }

    private boolean isPerStep(FunctionModel function, Set<FunctionModel> seen) {
        if (!seen.add(function) || function.isModuleLevel()) {
            return false;
        }
        if (function.isStepHook || (function.owner != null && function.owner.role == Role.AUTOGRAD_FUNCTION)) {
            return true;
        }
        for (CallSite site : function.callers) {
            if (site.caller().isConstructor()) {
                continue;
            }
            boolean looped =
                    LoopModel.andAround(site.loop()).stream().anyMatch(loop -> !loop.overModules && !loop.isShort);
            if (looped || isPerStep(site.caller(), seen)) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether objects of a class come and go: they are made in loops, or in functions that run once a step. */
    public boolean isMadePerStep(ClassModel model) {
        return model.instantiations.stream()
                .anyMatch(made -> (made.loop() != null && !made.loop().overModules && !made.loop().isShort)
                        || isPerStep(made.function())
                        || (made.function().isGenerator && made.loop() != null));
    }

    /** Returns whether an object of the class owns tensors, itself or through what it has. */
    public boolean ownsTensors(ClassModel model) {
        return owners.computeIfAbsent(
                model,
                asked -> asked.attributes.values().stream()
                        .anyMatch(slot -> slot.value().owns(Kind.TENSOR | Kind.MODULE)));
    }
}
