package dev.leakline.lint.flow;

import dev.leakline.lint.flow.Value.Certainty;
import dev.leakline.lint.names.CodeNames;
import dev.leakline.lint.python.Syntax;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A function, method, lambda, or the file itself outside of any function. */
public final class FunctionModel {
    public final Syntax node;
    public final String name;
    public final @Nullable ClassModel owner;
    public final @Nullable FunctionModel outer;
    public final List<Syntax> decorators;
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

    private Value returned = Value.NOTHING;
    private Value nextReturned = Value.NOTHING;
    private final Map<String, Value> arguments = new HashMap<>();
    private final Map<String, Value> nextArguments = new HashMap<>();

    /** A parameter: its name, with the stars before it, its annotation and default. */
    public record Parameter(
            String name,
            int stars,
            @Nullable Syntax annotation,
            @Nullable Syntax value) {}

    /** A call from the same file. */
    public record CallSite(
            Syntax call, FunctionModel caller, @Nullable LoopModel loop, Certainty grad) {}

    FunctionModel(
            Syntax node,
            String name,
            @Nullable ClassModel owner,
            @Nullable FunctionModel outer,
            List<Syntax> decorators) {
        this.node = node;
        this.name = name;
        this.owner = owner;
        this.outer = outer;
        this.decorators = decorators;
    }

    void addParameter(Syntax node) {
        Syntax named = node.child("name");
        Syntax inner = named != null
                ? named
                : node.is("typed_parameter") && !node.children().isEmpty()
                        ? node.children().getFirst()
                        : node;
        String text = inner.text();
        int stars = inner.is("list_splat_pattern") ? 1 : inner.is("dictionary_splat_pattern") ? 2 : 0;
        String name = text.substring(Math.min(stars, text.length())).strip();
        if (!name.isEmpty() && !node.is("keyword_separator") && !node.is("positional_separator")) {
            parameters.add(new Parameter(name, stars, node.child("type"), node.child("value")));
            if (node.child("type") instanceof Syntax type && CodeNames.isOtherType(type.text())) {
                otherNames.add(name);
            }
        }
    }

    /** Notes what a call of a method says of names: which go backward, which are tensors. */
    void noteUse(Syntax call, String method, Syntax object) {
        if (object.is("identifier") && method.equals("backward")) {
            backwardNames.add(object.text());
        }
        if (object.is("identifier") && CodeNames.isOfTensors(method)) {
            tensorNames.add(object.text());
        }
        if (method.endsWith("backward") && call.child("arguments") instanceof Syntax given) {
            for (Syntax argument : given.children()) {
                if (argument.is("identifier")) {
                    backwardNames.add(argument.text());
                }
            }
        }
        if (object.is("call") && method.equals("backward")) {
            object.walk(inner -> {
                if (inner.is("identifier")
                        && inner.parent() != null
                        && inner.parent().is("argument_list")) {
                    backwardNames.add(inner.text());
                }
            });
        }
    }

    public boolean isModuleLevel() {
        return node.is("module");
    }

    /** Returns whether a decorator has this word in it. */
    boolean isDecoratedAs(String word) {
        for (Syntax decorator : decorators) {
            if (decorator.text().contains(word)) {
                return true;
            }
        }
        return false;
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
        return returned.join(nextReturned);
    }

    void addReturned(Value value) {
        nextReturned = nextReturned.join(value.readFrom(null));
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
        return returned.equals(nextReturned)
                && arguments.equals(nextArguments)
                && variables.values().stream().allMatch(Slot::isSettled);
    }

    void nextRound() {
        returned = nextReturned;
        nextReturned = Value.NOTHING;
        arguments.clear();
        arguments.putAll(nextArguments);
        nextArguments.clear();
        variables.values().forEach(Slot::nextRound);
        callers.clear();
    }

    @Override
    public String toString() {
        return owner == null ? name : owner.name + "." + name;
    }
}
