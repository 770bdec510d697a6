package dev.leakline.lint.flow;

import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import dev.leakline.python.Stmt;
import dev.leakline.python.flow.Certainty;
import dev.leakline.python.flow.NameSets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A function, method, lambda, or the file itself outside of any function. */
public final class FunctionModel {
    /** Its definition; null of the file. */
    public final @Nullable Node node;

    public final String name;
    public final @Nullable ClassModel owner;
    public final @Nullable FunctionModel outer;
    public final List<Expr> decorators;
    public final List<Parameter> parameters = new ArrayList<>();
    public final Map<String, Slot> variables = new LinkedHashMap<>();
    public final Set<String> globals = new HashSet<>();
    public final Set<String> nonlocals = new HashSet<>();
    public final List<CallSite> callers = new ArrayList<>();
    /** Names of variables that go backward, and of variables that are used as tensors. */
    public final Set<String> backwardNames = new HashSet<>();

    public final Set<String> tensorNames = new HashSet<>();
    /** Parameters that are declared to be of a class that is no tensor's, whatever methods they have. */
    final Set<String> otherNames = new HashSet<>();

    public boolean goesBackward;
    public boolean isGenerator;
    /** True if a framework calls it for each step or request. */
    public boolean isStepHook;
    /** True if it is given to something that calls it back, such as a hook. */
    public boolean isCallback;
    /** Grad mode at its entry. */
    Certainty entryGrad = Certainty.SURE;
    /** Grad mode at the yield of a generator, such as one that is a context manager; null without a yield. */
    @Nullable
    Certainty yieldGrad;

    private final List<? extends Node> body;
    private final RoundValue returned = new RoundValue();
    private final Map<String, Value> arguments = new HashMap<>();
    private final Map<String, Value> nextArguments = new HashMap<>();

    /** A parameter, with the number of stars before it. */
    public record Parameter(Node.Arg arg, int stars) {
        public String name() {
            return arg.arg();
        }
    }

    /** A call from the same file. */
    public record CallSite(
            Expr call, FunctionModel caller, @Nullable LoopModel loop, Certainty grad) {}

    /** The file itself, with its own statements. */
    FunctionModel(List<Stmt> body) {
        this.node = null;
        this.name = "<module>";
        this.owner = null;
        this.outer = null;
        this.decorators = List.of();
        this.body = body;
    }

    FunctionModel(Stmt.FunctionDef node, @Nullable ClassModel owner, FunctionModel outer) {
        this.node = node;
        this.name = node.name();
        this.owner = owner;
        this.outer = outer;
        this.decorators = node.decoratorList();
        this.body = node.body();
        addParameters(node.args());
    }

    FunctionModel(Expr.Lambda node, FunctionModel outer) {
        this.node = node;
        this.name = "<lambda>";
        this.owner = null;
        this.outer = outer;
        this.decorators = List.of();
        this.body = List.of(node.body());
        addParameters(node.args());
    }

    private void addParameters(Node.Arguments arguments) {
        arguments.places().forEach(arg -> parameters.add(new Parameter(arg, 0)));
        addStarred(arguments.vararg(), 1);
        arguments.kwonlyargs().forEach(arg -> parameters.add(new Parameter(arg, 0)));
        addStarred(arguments.kwarg(), 2);
    }

    private void addStarred(Node.@Nullable Arg arg, int stars) {
        if (arg != null) {
            parameters.add(new Parameter(arg, stars));
        }
    }

    /** The statements, or the expression of a lambda. */
    public List<? extends Node> body() {
        return body;
    }

    /** Hands over all that is in it. */
    public void walk(Consumer<? super Node> visitor) {
        body.forEach(node -> node.walk(visitor));
    }

    /** Returns whether something in it is as asked. */
    public boolean has(Predicate<? super Node> asked) {
        return body.stream().anyMatch(node -> node.has(asked));
    }

    public boolean isLambda() {
        return node instanceof Expr.Lambda;
    }

    /** Notes what a call of a method says of names: which go backward, which are tensors. */
    void noteUse(Expr.Call call, String method, Expr object) {
        if (object instanceof Expr.Name it && method.equals("backward")) {
            backwardNames.add(it.id());
        }
        if (object instanceof Expr.Name it && NameSets.has("USED_AS_TENSOR", method)) {
            tensorNames.add(it.id());
        }
        if (method.endsWith("backward")) {
            addNames(call);
        }
        if (object instanceof Expr.Call && method.equals("backward")) {
            object.walk(inner -> {
                if (inner instanceof Expr.Call it) {
                    addNames(it);
                }
            });
        }
    }

    private void addNames(Expr.Call call) {
        for (Expr argument : call.args()) {
            if (argument instanceof Expr.Name it) {
                backwardNames.add(it.id());
            }
        }
    }

    /** It, and what calls it, directly or not. */
    public Set<FunctionModel> withCallers() {
        Set<FunctionModel> all = new LinkedHashSet<>();
        addCallers(all);
        return all;
    }

    private void addCallers(Set<FunctionModel> all) {
        if (all.add(this)) {
            callers.forEach(site -> site.caller().addCallers(all));
        }
    }

    public boolean isModuleLevel() {
        return node == null;
    }

    /** Returns whether a decorator has this word in it. */
    public boolean isDecoratedAs(String word) {
        return decorators.stream()
                .anyMatch(decorator -> decorator.has(node -> switch (node) {
                    case Expr.Name it -> it.id().contains(word);
                    case Expr.Attribute it -> it.attr().contains(word);
                    default -> false;
                }));
    }

    public boolean isConstructor() {
        return owner != null && (name.equals("__init__") || name.equals("__new__") || name.equals("__post_init__"));
    }

    /** The parameter for the object itself, or null. */
    public @Nullable String self() {
        return owner != null && !parameters.isEmpty() && !isDecoratedAs("staticmethod")
                ? parameters.getFirst().name()
                : null;
    }

    public Value returned() {
        return returned.value();
    }

    void addReturned(Value value) {
        returned.join(value.readFrom(null));
    }

    void addArgument(String parameter, Value value) {
        nextArguments.merge(parameter, value.readFrom(null), Value::join);
    }

    @Nullable
    Value argument(String parameter) {
        Value before = arguments.get(parameter);
        Value now = nextArguments.get(parameter);
        return before == null ? now : now == null ? before : before.join(now);
    }

    /** How many variables there are, and what is known of it for good, as one number. */
    int traits() {
        return Objects.hash(variables.size(), isCallback, yieldGrad);
    }

    /** Returns whether the last round was given, gave back and assigned what the one before it did. */
    boolean isSettled() {
        return returned.isSettled()
                && arguments.equals(nextArguments)
                && variables.values().stream().allMatch(Slot::isSettled);
    }

    void nextRound() {
        returned.nextRound();
        arguments.clear();
        arguments.putAll(nextArguments);
        nextArguments.clear();
        variables.values().forEach(Slot::nextRound);
        callers.clear();
    }
}
