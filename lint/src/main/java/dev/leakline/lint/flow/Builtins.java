package dev.leakline.lint.flow;

import dev.leakline.lint.flow.Value.Kind;
import dev.leakline.python.Expr;
import dev.leakline.python.flow.NameSets;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Calls of what Python has of its own: conversions, containers, iterators. */
final class Builtins {

    private final Calls calls;
    private final Expressions expressions;
    private final Flow flow;

    Builtins(Calls calls) {
        this.calls = calls;
        this.expressions = calls.expressions;
        this.flow = expressions.flow;
    }

    @Nullable
    Value builtin(Expr.Call call, String name, Arguments arguments, Scope frame) {
        Value first = arguments.place(0);
        if (NameSets.has("READING", name)) {
            arguments.all().forEach(argument -> flow.markRead(expressions.flat(argument)));
            return name.equals("str") || name.equals("repr") || name.equals("format")
                    ? Value.TEXT
                    : Value.NUMBER.from(arguments.sources());
        }
        if (NameSets.has("PASSING", name)) {
            if (arguments.places().isEmpty()) {
                return flow.holding(call, "", frame);
            }
            Value copy = flow.holding(call, "", frame, expressions.elementOf(first));
            return first.may(Kind.CONTAINER) || name.equals("list") || name.equals("tuple") ? copy : first;
        }
        return switch (name) {
            case "dict" ->
                flow.holding(call, "", frame, arguments.all().toArray(Value[]::new))
                        .withFields(arguments.names());
            case "len", "id", "hash", "isinstance", "hasattr", "range", "ord", "callable" ->
                Value.NUMBER.from(arguments.sources());
            case "sum", "min", "max", "abs", "next" -> arithmetic(name, arguments, frame);
            case "enumerate" ->
                pairs(call, List.of(Value.NUMBER, expressions.elementOf(first)), frame)
                        .from(first.sources());
            case "zip" ->
                pairs(
                                call,
                                arguments.places().stream()
                                        .map(expressions::elementOf)
                                        .toList(),
                                frame)
                        .from(arguments.sources());
            case "map" -> {
                Arguments given = Arguments.of(List.of(expressions.elementOf(arguments.place(1))));
                yield flow.holding(
                        call,
                        "",
                        frame,
                        first.target() instanceof FunctionModel function && first.may(Kind.FUNCTION)
                                ? calls.invocations.callFunction(call, first, function, given, frame)
                                : calls.passes.unknown(call, call, first, null, given, frame));
            }
            case "super" -> Value.OTHER;
            case "getattr" -> Value.OTHER;
            case "tqdm", "trange", "chain", "islice", "cycle" -> first;
            default -> null;
        };
    }

    /** A new container, where the name is that of one's class. */
    @Nullable
    Value container(Expr.Call call, String name, Arguments arguments, Scope frame) {
        String last = name.substring(name.lastIndexOf('.') + 1);
        if (!NameSets.has("COLLECTIONS", name)) {
            return null;
        }
        HeapContainer made = flow.container(call, "", frame, false);
        Value limit = arguments.named("maxlen", 1);
        made.isBounded |= (last.equals("deque") && limit.kinds() != 0 && !limit.isOnly(Kind.NONE))
                || last.startsWith("Weak")
                || last.endsWith("Cache")
                || last.equals("Counter")
                || (last.equals("Queue") && !arguments.all().isEmpty());
        if (last.equals("defaultdict")
                && expressions
                        .file
                        .arguments(call)
                        .matches("\\((list|dict|set|lambda: *\\[\\]|deque|collections\\.deque)\\)")) {
            made.put(flow.holding(call, "entry", frame));
        } else if (last.equals("defaultdict")) {
            made.put(Value.NUMBER);
        } else if (!arguments.places().isEmpty()) {
            made.put(expressions.elementOf(arguments.place(0)));
        }
        return Value.holding(made);
    }

    private Value arithmetic(String name, Arguments arguments, Scope frame) {
        Value all = Value.NOTHING;
        for (Value argument : arguments.places()) {
            Value element = argument.may(Kind.CONTAINER | Kind.OTHER | Kind.TENSOR)
                            && arguments.places().size() <= 2
                            && (argument.may(Kind.CONTAINER) || name.equals("next"))
                    ? expressions.elementOf(argument)
                    : argument;
            all = all.kinds() == 0 ? element : expressions.combine(all, element, frame);
        }
        Value result = all.readFrom(null);
        return frame.loop != null && name.equals("next") ? result.from(Set.of(frame.loop)) : result;
    }

    Value pairs(Expr.Call call, List<Value> items, Scope frame) {
        return flow.holding(call, "", frame)
                .withItems(List.of(Value.of(Kind.CONTAINER)
                        .withItems(items.stream().map(v -> v.readFrom(null)).toList())));
    }
}
