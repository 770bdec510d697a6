package dev.leakline.python.flow;

import dev.leakline.python.Expr;
import dev.leakline.python.Stmt;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The values of attributes: of modules, classes and their objects, tensors and layers. */
final class FlowAttributes {
    private final ProgramFlow flow;
    private final FlowFunctions functions;
    /** The one instance that stands for all of a class. */
    private final Map<Heap, Heap> instances = new HashMap<>();

    FlowAttributes(ProgramFlow flow, FlowFunctions functions) {
        this.flow = flow;
        this.functions = functions;
    }

    Heap instance(Heap type) {
        return instances.computeIfAbsent(type, _ -> {
            flow.news();
            return new Heap(Heap.Kind.INSTANCE, type.node, type.file, false);
        });
    }

    /** The value of an attribute. */
    FlowValue of(FlowValue of, String name, Expr at, FlowScope scope) {
        if (NameSets.has("PLAIN_NAMES", name)) {
            return FlowValue.PLAINS;
        }
        FlowValue found = FlowValue.NOTHING;
        for (Heap heap : of.heap()) {
            found = found.join(of(heap, name, at, scope));
        }
        if (of.heap().isEmpty()) {
            found = found.join(flow.replaced(name));
        }
        if (of.is(FlowValue.LAYER | FlowValue.TUPLE_LAYER)) {
            found = found.join(name.equals("weight") || name.equals("bias") ? FlowValue.TENSORS : FlowValue.ANY);
        }
        if (of.is(FlowValue.TENSOR)) {
            boolean isGone = NameSets.has("LET_GO", name);
            int label = isGone ? 0 : NameSets.has("VIEWS", name) ? of.label() : Math.min(of.label(), FlowValue.DERIVED);
            found = found.join(TorchResults.ofTensor(name)).labelled(label);
        } else if (of.is(FlowValue.UNKNOWN)) {
            FlowValue unknown = name.equals("grad") ? FlowValue.TENSORS : named(name);
            found = found.join(unknown).labelled(NameSets.has("LET_GO", name) ? 0 : of.label());
        }
        return found;
    }

    /** The attribute of the one class of the program that has one of this name; anything where none has, or several. */
    private FlowValue named(String name) {
        List<Heap> having = instances.values().stream()
                .filter(instance -> instance.fields().containsKey(name))
                .toList();
        return having.size() == 1 ? having.getFirst().field(name) : FlowValue.ANY;
    }

    private FlowValue of(Heap heap, String name, Expr at, FlowScope scope) {
        return switch (heap.kind) {
            case MODULE -> ProgramFlow.ofModule(heap, name);
            case CLASS -> ofType(heap, name, 0);
            case INSTANCE -> {
                Heap type = flow.classes.get(heap.node);
                FlowValue own = heap.field(name);
                String method = name.equals("start") && type != null && isThread(type) ? "run" : name;
                FlowValue inherited = type == null
                        ? FlowValue.NOTHING
                        : bound(ofType(type, method, 0), FlowValue.of(heap), at, scope);
                FlowValue base = type == null ? FlowValue.NOTHING : ofBases(type, name, 0);
                FlowValue all = own.join(inherited).join(base);
                yield all.equals(FlowValue.NOTHING) ? flow.open(all) : all;
            }
            default -> {
                if (!Keeping.isMethod(name)) {
                    yield FlowValue.ANY.labelled(FlowValue.of(heap).reached());
                }
                Heap method = flow.heap(Heap.Kind.METHOD, at, scope.file);
                flow.add(method, "self", FlowValue.of(heap));
                yield FlowValue.of(method).join(FlowValue.ANY);
            }
        };
    }

    /** Returns whether objects of a class run their method {@code run} when they are started. */
    private boolean isThread(Heap type) {
        return type.node instanceof Stmt.ClassDef definition
                && (definition.bases().stream().anyMatch(base -> NameSets.has("THREADS", type.file.fullName(base)))
                        || functions.bases(type).stream().anyMatch(this::isThread));
    }

    private FlowValue ofBases(Heap type, String name, int depth) {
        FlowValue found = FlowValue.NOTHING;
        if (depth < 4) {
            for (Heap base : functions.bases(type)) {
                found = found.join(instance(base).field(name)).join(ofBases(base, name, depth + 1));
            }
        }
        return found;
    }

    private FlowValue ofType(Heap type, String name, int depth) {
        FlowValue own = type.field(name);
        if (!own.equals(FlowValue.NOTHING) || depth > 4) {
            return own;
        }
        return functions.bases(type).stream()
                .map(base -> ofType(base, name, depth + 1))
                .reduce(FlowValue.NOTHING, FlowValue::join);
    }

    /** Functions of a class as methods of an object. */
    FlowValue bound(FlowValue value, FlowValue self, Expr at, FlowScope scope) {
        FlowValue all = new FlowValue(value.kinds(), value.label(), Set.of());
        for (Heap heap : value.heap()) {
            if (heap.isDecorated("property")) {
                all = all.join(functions.given(at, FlowValue.of(heap), List.of(self), scope));
            } else if (heap.kind == Heap.Kind.FUNCTION) {
                Heap method = flow.heap(Heap.Kind.METHOD, at, scope.file);
                flow.add(method, "self", self);
                flow.add(method, "function", FlowValue.of(heap));
                all = all.join(FlowValue.of(method));
            } else {
                all = all.join(FlowValue.of(heap));
            }
        }
        return all;
    }

    /** The function that the program's own class of a value calls where an attribute is set. */
    FlowValue setter(FlowValue of, String name) {
        Set<Heap> setters = types(of)
                .flatMap(type -> ofType(type, name, 0).heap().stream())
                .filter(heap -> heap.isDecorated("setter"))
                .collect(Collectors.toSet());
        return new FlowValue(0, 0, setters);
    }

    /** Returns whether the program's own class of a value has a method. */
    boolean hasMethod(FlowValue of, String name) {
        return types(of).anyMatch(type -> !ofType(type, name, 0).heap().isEmpty());
    }

    /** The classes of the program whose objects a value may be. */
    private Stream<Heap> types(FlowValue of) {
        return of.heap().stream()
                .filter(heap -> heap.kind == Heap.Kind.INSTANCE)
                .flatMap(heap -> Optional.ofNullable(flow.classes.get(heap.node)).stream());
    }
}
