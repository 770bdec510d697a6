package dev.leakline.lint.rule;

import dev.leakline.lint.fix.Patch.Edit;
import dev.leakline.lint.fix.Rewriting;
import dev.leakline.lint.flow.Flow;
import dev.leakline.lint.flow.FlowEvent;
import dev.leakline.lint.flow.FunctionModel;
import dev.leakline.lint.flow.LoopModel;
import dev.leakline.lint.flow.Value;
import dev.leakline.lint.flow.Value.Certainty;
import dev.leakline.lint.flow.Value.Kind;
import dev.leakline.lint.python.Syntax;
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
    private final Syntax backward;
    /** The last assignment of each name, in the order of the source. */
    private final Map<String, Syntax> carried = new LinkedHashMap<>();

    private final Map<String, Syntax> assigned = new LinkedHashMap<>();
    private final Set<String> readFirst = new LinkedHashSet<>();
    private final Map<String, Set<String>> madeOf = new HashMap<>();

    CarriedState(FlowEvent.Backward event, Flow flow) {
        this.flow = flow;
        this.backward = event.node();
        LoopModel loop = event.loop();
        FunctionModel function = event.function();
        Syntax body = (loop == null ? function.node : loop.node).child("body");
        Syntax callee = backward.child("function");
        if (body == null || callee == null || callee.child("object") == null) {
            return;
        }
        follow(body);
        Set<String> loss = new LinkedHashSet<>(reads(callee.child("object")));
        List<String> open = new ArrayList<>(loss);
        while (!open.isEmpty()) {
            for (String name : madeOf.getOrDefault(open.removeLast(), Set.of())) {
                if (loss.add(name)) {
                    open.add(name);
                }
            }
        }
        Set<String> header = loop == null ? Set.of() : targets(loop.node.child("left"));
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
        List<Edit> edits = new ArrayList<>();
        carried.forEach((name, assignment) -> {
            Syntax last = assignment.start() > backward.start() ? assignment : backward;
            boolean tensor = isNamed(assignment)
                    && assignment.child("right") instanceof Syntax right
                    && flow.valueOf(right).isOnly(Kind.TENSOR);
            String detached = name + ".detach()";
            if (!tensor) {
                detached += " if torch.is_tensor(%s) else tuple(part.detach() for part in %s)".formatted(name, name);
                edits.addAll(Rewriting.importing(flow.file(), "torch"));
            }
            edits.add(Rewriting.lineAfter(last, name + " = " + detached));
        });
        return edits;
    }

    /** Goes through what is done, in the order in which it is. */
    private void follow(Syntax node) {
        if (node.is("function_definition") || node.is("lambda") || node.is("class_definition")) {
            return;
        }
        boolean augmented = node.is("augmented_assignment");
        if (node.is("assignment") || augmented || node.is("for_statement")) {
            Set<String> sources = reads(node.child("right"));
            Set<String> names = targets(node.child("left"));
            if (augmented) {
                sources.addAll(names);
            }
            note(sources);
            for (String name : names) {
                madeOf.computeIfAbsent(name, _ -> new LinkedHashSet<>()).addAll(sources);
                if (!node.is("for_statement") && mayHaveGraph(node)) {
                    assigned.put(name, node);
                } else {
                    readFirst.remove(name);
                    assigned.putIfAbsent(name, node);
                }
            }
            node.children().stream()
                    .filter(child -> child != node.child("left") && child != node.child("right"))
                    .forEach(this::follow);
            return;
        }
        if (node.is("call") && Placements.methodOf(node).matches("append|extend|insert|add")) {
            String list = node.child("function") instanceof Syntax callee ? callee.text("object") : "";
            madeOf.computeIfAbsent(list, _ -> new LinkedHashSet<>()).addAll(reads(node.child("arguments")));
        }
        if (node.is("identifier") || node.is("attribute") || node.is("call")) {
            note(reads(node));
        } else {
            node.children().forEach(this::follow);
        }
    }

    private void note(Set<String> names) {
        names.stream().filter(name -> !assigned.containsKey(name)).forEach(readFirst::add);
    }

    private boolean mayHaveGraph(Syntax assignment) {
        Syntax right = assignment.child("right");
        Value value = right == null || !isNamed(assignment) ? Value.OTHER : flow.valueOf(right);
        boolean cut = right != null && right.text().contains(".detach(");
        return !cut && !value.isOnly(Kind.NUMBER) && !(value.isOnly(Kind.TENSOR) && value.grad() == Certainty.NO);
    }

    private static boolean isNamed(Syntax assignment) {
        return assignment.child("left") instanceof Syntax left && (left.is("identifier") || left.is("attribute"));
    }

    /** The names that an assignment sets. */
    private static Set<String> targets(@Nullable Syntax left) {
        Set<String> names = new LinkedHashSet<>();
        if (left != null && (left.is("identifier") || left.is("attribute"))) {
            names.add(left.text());
        } else if (left != null && !left.is("subscript")) {
            left.children().forEach(child -> names.addAll(targets(child)));
        }
        return names;
    }

    /** The names whose graph an expression may hang on. */
    private static Set<String> reads(@Nullable Syntax node) {
        Set<String> names = new LinkedHashSet<>();
        boolean cut = node == null
                || (node.is("call") && Placements.methodOf(node).matches("detach|item|tolist|numpy"))
                || node.is("lambda");
        if (node == null || cut) {
            return names;
        }
        if (node.is("identifier")) {
            names.add(node.text());
        } else if (node.is("attribute")) {
            names.add(node.text());
            names.addAll(reads(node.child("object")));
        } else if (node.is("keyword_argument")) {
            names.addAll(reads(node.child("value")));
        } else {
            node.children().forEach(child -> names.addAll(reads(child)));
        }
        return names;
    }
}
