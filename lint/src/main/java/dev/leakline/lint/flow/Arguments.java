package dev.leakline.lint.flow;

import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** The arguments of a call: those by place, those by name, and those that a star spreads. */
record Arguments(List<Expr> nodes, List<Value> places, Map<String, Value> names, List<Value> spread) {
    static Arguments of(Expr.Call call, Expressions expressions, Scope frame) {
        List<Expr> nodes = new ArrayList<>();
        List<Value> places = new ArrayList<>();
        Map<String, Value> names = new LinkedHashMap<>();
        List<Value> spread = new ArrayList<>();
        for (Expr argument : call.args()) {
            if (argument instanceof Expr.Starred it) {
                spread.add(expressions.elementOf(expressions.evaluate(it, frame)));
            } else {
                nodes.add(argument);
                places.add(expressions.evaluate(argument, frame));
            }
        }
        for (Node.Keyword keyword : call.keywords()) {
            Value value = expressions.evaluate(keyword.value(), frame);
            if (keyword.arg() == null) {
                spread.add(expressions.elementOf(value));
            } else {
                names.put(keyword.arg(), value);
            }
        }
        return new Arguments(nodes, places, names, spread);
    }

    /** Arguments by place alone. */
    static Arguments of(List<Value> places) {
        return new Arguments(List.of(), places, Map.of(), List.of());
    }

    /** The same behind the object whose method is called. */
    Arguments withSelf(Value self) {
        return new Arguments(
                nodes, Stream.concat(Stream.of(self), places.stream()).toList(), names, spread);
    }

    Value place(int index) {
        return index < places.size() ? places.get(index) : Value.NOTHING;
    }

    Value named(String name, int place) {
        Value given = names.get(name);
        return given != null ? given : place(place);
    }

    List<Value> all() {
        List<Value> all = new ArrayList<>(places);
        all.addAll(names.values());
        all.addAll(spread);
        return all;
    }

    /** The value of a tensor made of all of them; containers count with what is in them. */
    Value combined(Expressions expressions, Value start) {
        Value value = start;
        for (Value argument : all()) {
            Value flat = expressions.flat(argument);
            if (flat.may(Value.Kind.TENSOR | Value.Kind.OTHER | Value.Kind.PARAMETER)) {
                value = value.combined(flat);
            } else {
                value = value.from(flat.sources());
            }
        }
        return value;
    }

    boolean mayBe(int kind, Expressions expressions) {
        for (Value argument : all()) {
            if (argument.may(kind)
                    || (argument.may(Value.Kind.CONTAINER)
                            && expressions.elementOf(argument).may(kind))) {
                return true;
            }
        }
        return false;
    }

    Set<Object> sources() {
        Set<Object> all = Set.of();
        for (Value argument : all()) {
            all = Value.union(all, argument.sources());
        }
        return all;
    }
}
