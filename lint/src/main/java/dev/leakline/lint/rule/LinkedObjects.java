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
import dev.leakline.lint.flow.Nodes;
import dev.leakline.lint.flow.Slot;
import dev.leakline.lint.flow.Value.Kind;
import dev.leakline.python.Expr;
import dev.leakline.python.Stmt;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Two objects that are put on each other, or of which one makes the other and gives itself: a part of {@link ReferenceCycle}. */
final class LinkedObjects {
    private final Flow flow;
    private final Hits hits;

    LinkedObjects(Flow flow, Hits hits) {
        this.flow = flow;
        this.hits = hits;
    }

    /** One object is put on another: who holds whom, by expressions. */
    private record Link(String from, String to, FlowEvent.Store store, FunctionModel function) {
        /** The class of the object itself, where it is one of the two; else null. */
        @Nullable
        ClassModel own() {
            return from.equals(function.self()) || to.equals(function.self()) ? function.owner : null;
        }

        /** The class of whichever of the two is known. */
        @Nullable
        ClassModel model() {
            return own() != null ? own() : store.value().target() instanceof ClassModel model ? model : null;
        }
    }

    /** a.x = b and b.y = a, in one function or through what a method or constructor is given. */
    void check(Collection<FlowEvent.Store> stores) {
        Map<FunctionModel, List<Link>> links = new LinkedHashMap<>();
        for (FlowEvent.Store store : stores) {
            for (Link link : linksOf(store, flow.file())) {
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
                    if (cycle && first && link.model() instanceof ClassModel model && isOfSteps(model, flow)) {
                        report(link, other, Hits.LIKELY);
                    } else if (cycle && first && isDropped(link)) {
                        report(link, other, Hits.POSSIBLE);
                    }
                }
            }
        });
        checkConstructed(links);
    }

    private void report(Link first, Link link, double confidence) {
        hits.add(
                link.store().node(),
                confidence,
                "%s and %s hold each other: the cycle keeps their tensors until the cycle collector runs"
                        .formatted(link.from(), link.to()),
                weakened(link.store().way() == Way.SET ? link : first, flow));
    }

    private static Patch weakened(Link link, Flow flow) {
        boolean guarded = link.function().parameters.stream()
                .anyMatch(parameter -> parameter.name().equals(link.to())
                        && Nodes.isConstant(parameter.arg().defaultValue(), Expr.Constant.Kind.NONE));
        return link.store().stored() instanceof Expr.Name it ? Uncycling.weak(it, guarded, flow.file()) : Patch.NONE;
    }

    /** self.child = Child(self), or child = Child(x) and x.children.append(child), where the constructor of Child keeps what it is given. */
    private void checkConstructed(Map<FunctionModel, List<Link>> links) {
        for (FlowEvent.Store store : flow.events(FlowEvent.Store.class)) {
            String target = holderOf(store, flow.file());
            if (target == null
                    || !(made(store, flow) instanceof Expr.Call call)
                    || !(flow.valueOf(call).target() instanceof ClassModel made)) {
                continue;
            }
            ClassModel owner = store.function().owner;
            if (isOfSteps(owner != null && target.equals(store.function().self()) ? owner : made, flow)
                    && made.methods.get("__init__") instanceof FunctionModel constructor
                    && links.getOrDefault(constructor, List.of()).stream()
                            .anyMatch(link -> link.from().equals(constructor.self())
                                    && isGiven(constructor, link.to(), call, target))) {
                hits.add(
                        store.node(),
                        Hits.LIKELY,
                        "%s holds a %s that holds it back: the cycle keeps their tensors until the cycle collector runs"
                                .formatted(target, made.name));
            }
        }
    }

    /** Returns whether a call of a constructor gives an object to one of its parameters. */
    private boolean isGiven(FunctionModel constructor, String parameter, Expr.Call call, String object) {
        Expr given = call.given(parameter);
        for (int i = 0; i < call.args().size() && i + 1 < constructor.parameters.size(); i++) {
            if (constructor.parameters.get(i + 1).name().equals(parameter)) {
                given = call.args().get(i);
            }
        }
        return given != null && flow.file().text(given).equals(object);
    }

    /** The expression that makes what is stored, where that is a variable that is set once. */
    private static Expr made(FlowEvent.Store store, Flow flow) {
        Slot slot = store.stored() instanceof Expr.Name it
                ? store.function().variables.get(it.id())
                : null;
        Slot.Assignment only = slot == null ? null : slot.onlyAssignment();
        Expr right = only == null ? null : only.right();
        return right != null && flow.valueOf(right).may(Kind.INSTANCE) ? right : store.stored();
    }

    private static List<Link> linksOf(FlowEvent.Store store, FileModel file) {
        if (store.way() != Way.SET && store.way() != Way.APPEND && store.way() != Way.PUT) {
            return List.of();
        }
        String from = holderOf(store, file);
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

    /** Returns whether an object that links itself has a tensor and is deleted by name: del is meant to free it, and does not. */
    private boolean isDropped(Link link) {
        ClassModel owner = link.own();
        return owner != null
                && !owner.isModule()
                && owner.attributes.values().stream()
                        .anyMatch(slot -> slot.value().may(Kind.TENSOR))
                && flow.file().functions().stream()
                        .flatMap(function -> function.variables.values().stream())
                        .anyMatch(slot -> slot.value().target() == owner && flow.isDeleted(slot));
    }

    /** The text of x in x.y = z, x.y.append(z) or x.y[k] = z; null where there is none. */
    static @Nullable String holderOf(FlowEvent.Store store, FileModel file) {
        Expr target = switch (store.node()) {
            case Expr.Call it -> it.receiver();
            case Stmt.Assign it -> targetFor(it.targets().getFirst(), it.value(), store.stored());
            case Stmt.AnnAssign it -> it.target();
            default -> store.key();
        };
        while (target instanceof Expr.Subscript it) {
            target = it.value();
        }
        return target instanceof Expr.Attribute it ? file.text(it.value()) : null;
    }

    private static Expr targetFor(Expr left, Expr right, Expr stored) {
        List<Expr> targets = Nodes.elements(left);
        List<Expr> values = Nodes.elements(right);
        for (int i = 0; i < values.size() && i < targets.size(); i++) {
            if (values.get(i) == stored) {
                return targets.get(i);
            }
        }
        return left;
    }

    static void addNames(Expr value, Set<String> names) {
        if (value instanceof Expr.Name it) {
            names.add(it.id());
        } else {
            Nodes.elements(value).forEach(part -> addNames(part, names));
        }
    }

    /** Returns whether objects of the class come and go, and own tensors. */
    static boolean isOfSteps(ClassModel model, Flow flow) {
        return !model.isModule() && model.role != Role.DATASET && flow.isMadePerStep(model) && flow.ownsTensors(model);
    }
}
