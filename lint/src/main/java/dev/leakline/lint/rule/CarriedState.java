package dev.leakline.lint.rule;

import dev.leakline.lint.flow.Flow;
import dev.leakline.lint.flow.FlowEvent;
import dev.leakline.lint.flow.FunctionModel;
import dev.leakline.lint.flow.LoopModel;
import dev.leakline.lint.flow.Nodes;
import dev.leakline.lint.flow.Value;
import dev.leakline.lint.flow.Value.Certainty;
import dev.leakline.lint.flow.Value.Kind;
import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import dev.leakline.python.Stmt;
import dev.leakline.python.edit.Edit;
import dev.leakline.python.flow.SourceFile;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** State that a step leaves to the next with its graph: names that its loss is made of, and that are read before they are set. */
final class CarriedState {
    private final Flow flow;
    private final Expr.Call backward;
    /** The last assignment of each name, in the order of the source. */
    private final Map<String, Node> carried = new LinkedHashMap<>();

    private final Map<String, Node> assigned = new LinkedHashMap<>();
    private final Set<String> readFirst = new LinkedHashSet<>();
    private final Map<String, Set<String>> madeOf = new HashMap<>();

    CarriedState(FlowEvent.Backward event, Flow flow) {
        this.flow = flow;
        this.backward = event.node();
        LoopModel loop = event.loop();
        FunctionModel function = event.function();
        Expr object = Nodes.receiver(backward);
        if (object == null) {
            return;
        }
        Nodes.body(loop == null ? function.node : loop.node).forEach(this::follow);
        Set<String> loss = new LinkedHashSet<>(reads(object));
        List<String> open = new ArrayList<>(loss);
        while (!open.isEmpty()) {
            for (String name : madeOf.getOrDefault(open.removeLast(), Set.of())) {
                if (loss.add(name)) {
                    open.add(name);
                }
            }
        }
        Set<String> header = loop == null ? Set.of() : targets(Nodes.target(loop.node));
        assigned.forEach((name, assignment) -> {
            boolean stays = loop != null || name.contains(".") || function.globals.contains(name);
            if (stays && loss.contains(name) && readFirst.contains(name) && !header.contains(name)) {
                carried.put(name, assignment);
            }
        });
    }

    /** In words, or null where nothing is carried. */
    @Nullable
    String names() {
        return carried.isEmpty() ? null : String.join(" and ", carried.keySet());
    }

    /** Detaches it when both the backward pass and the assignment are over. */
    List<Edit> detached() {
        SourceFile file = flow.file().source();
        List<Edit> edits = new ArrayList<>();
        carried.forEach((name, assignment) -> {
            Node last = assignment.start() > backward.start() ? assignment : backward;
            boolean tensor = Nodes.isPlace(Nodes.target(assignment))
                    && Nodes.value(assignment) instanceof Expr right
                    && flow.valueOf(right).isOnly(Kind.TENSOR);
            String detached = name + ".detach()";
            if (!tensor) {
                detached += " if torch.is_tensor(%s) else tuple(part.detach() for part in %s)".formatted(name, name);
                Edit.importing(file, "torch").forEach(edits::add);
            }
            Edit.after(file, file.statement(last), List.of(name + " = " + detached))
                    .ifPresent(edits::add);
        });
        return edits;
    }

    /** Goes through what is done, in the order in which it is. */
    private void follow(Node node) {
        switch (node) {
            case Stmt.FunctionDef _, Stmt.ClassDef _, Expr.Lambda _ -> {}
            case Stmt.Assign _, Stmt.AnnAssign _, Stmt.AugAssign _ -> assign(node);
            case Stmt.For it -> {
                assign(it);
                it.body().forEach(this::follow);
                it.orelse().forEach(this::follow);
            }
            case Expr.Call it -> {
                if (Nodes.method(it).matches("append|extend|insert|add") && Nodes.receiver(it) instanceof Expr list) {
                    Nodes.arguments(it)
                            .forEach(argument -> madeOf.computeIfAbsent(
                                            flow.file().text(list), _ -> new LinkedHashSet<>())
                                    .addAll(reads(argument)));
                }
                note(reads(it));
            }
            case Expr.Name _, Expr.Attribute _ -> note(reads(node));
            default -> node.forEachChild(this::follow);
        }
    }

    private void assign(Node node) {
        Set<String> sources = reads(Nodes.value(node));
        Set<String> names = new LinkedHashSet<>();
        if (node instanceof Stmt.Assign it) {
            it.targets().forEach(target -> names.addAll(targets(target)));
        } else {
            names.addAll(targets(Nodes.target(node)));
        }
        if (node instanceof Stmt.AugAssign) {
            sources.addAll(names);
        }
        note(sources);
        for (String name : names) {
            madeOf.computeIfAbsent(name, _ -> new LinkedHashSet<>()).addAll(sources);
            if (!(node instanceof Stmt.For) && mayHaveGraph(node)) {
                assigned.put(name, node);
            } else {
                readFirst.remove(name);
                assigned.putIfAbsent(name, node);
            }
        }
    }

    private void note(Set<String> names) {
        names.stream().filter(name -> !assigned.containsKey(name)).forEach(readFirst::add);
    }

    private boolean mayHaveGraph(Node assignment) {
        Expr right = Nodes.value(assignment);
        Value value = right == null || !Nodes.isPlace(Nodes.target(assignment)) ? Value.OTHER : flow.valueOf(right);
        boolean cut = right != null && flow.file().text(right).contains(".detach(");
        return !cut && !value.isOnly(Kind.NUMBER) && !(value.isOnly(Kind.TENSOR) && value.grad() == Certainty.NO);
    }

    /** The names that an assignment sets. */
    private Set<String> targets(@Nullable Expr left) {
        Set<String> names = new LinkedHashSet<>();
        if (left != null && Nodes.isPlace(left)) {
            names.add(flow.file().text(left));
        } else {
            Nodes.elements(left).forEach(element -> names.addAll(targets(element)));
        }
        return names;
    }

    /** The names whose graph an expression may hang on. */
    private Set<String> reads(@Nullable Node node) {
        Set<String> names = new LinkedHashSet<>();
        boolean cut = node == null
                || (node instanceof Expr.Call it && Nodes.method(it).matches("detach|item|tolist|numpy"))
                || node instanceof Expr.Lambda;
        if (node == null || cut) {
            return names;
        }
        if (Nodes.isPlace(node)) {
            names.add(flow.file().text(node));
        }
        node.forEachChild(child -> names.addAll(reads(child)));
        return names;
    }
}
