package dev.leakline.lint.flow;

import dev.leakline.lint.python.Syntax;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The arguments of a call: those by place, those by name, and those that a star spreads. */
record Arguments(List<Syntax> nodes, List<Value> places, Map<String, Value> names, List<Value> spread) {
    static Arguments of(@Nullable Syntax list, Expressions expressions, Scope frame) {
        List<Syntax> nodes = new ArrayList<>();
        List<Value> places = new ArrayList<>();
        Map<String, Value> names = new LinkedHashMap<>();
        List<Value> spread = new ArrayList<>();
        if (list != null && list.is("generator_expression")) {
            nodes.add(list);
            places.add(expressions.evaluate(list, frame));
        } else if (list != null) {
            for (Syntax argument : list.children()) {
                if (argument.is("keyword_argument")) {
                    names.put(argument.text("name"), expressions.evaluate(argument, frame));
                } else if (argument.is("list_splat") || argument.is("dictionary_splat")) {
                    spread.add(expressions.elementOf(expressions.evaluate(argument, frame)));
                } else {
                    nodes.add(argument);
                    places.add(expressions.evaluate(argument, frame));
                }
            }
        }
        return new Arguments(nodes, places, names, spread);
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
            Value flat = argument;
            for (int depth = 0; depth < 3 && flat.may(Value.Kind.CONTAINER); depth++) {
                flat = expressions.elementOf(flat);
            }
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
