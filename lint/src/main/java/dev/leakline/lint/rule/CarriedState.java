package dev.leakline.lint.rule;

import dev.leakline.lint.flow.Flow;
import dev.leakline.lint.flow.FlowEvent;
import dev.leakline.lint.flow.LoopModel;
import dev.leakline.lint.flow.Nodes;
import dev.leakline.lint.flow.Origin;
import dev.leakline.lint.flow.Slot;
import dev.leakline.lint.flow.Value.Kind;
import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import dev.leakline.python.edit.Edit;
import dev.leakline.python.flow.SourceFile;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** State that a step leaves to the next with its graph: variables that a pass reads and that hold what the pass before gave back. */
final class CarriedState {
    private final Flow flow;
    private final FlowEvent.Backward backward;
    /** The last assignment of each name. */
    private final Map<String, Node> carried = new LinkedHashMap<>();

    CarriedState(FlowEvent.Backward backward, Flow flow) {
        this.flow = flow;
        this.backward = backward;
        Node step = backward.loop() == null ? backward.function().node : backward.loop().node;
        if (step != null) {
            step.walk(this::follow);
        }
    }

    private void follow(Node node) {
        Node around = flow.file().source().parent(node);
        boolean isRead = Nodes.isPlace(node) && (around == null || Nodes.target(around) != node);
        if (isRead && hangsOnPass(node)) {
            assigned(flow.valueOf(node).slot(), node)
                    .ifPresent(assignment -> carried.putIfAbsent(flow.file().text(node), assignment));
        }
    }

    /** Returns whether a variable hangs on a pass that the backward goes through. */
    private boolean hangsOnPass(Node variable) {
        return Tensors.graph(flow.valueOf(variable)).stream()
                .anyMatch(origin -> origin.type == Origin.Type.FORWARD
                        && backward.value().graph().contains(origin));
    }

    /** The last assignment of a step to a variable that is read before any. */
    private Optional<Node> assigned(@Nullable Slot slot, Node read) {
        LoopModel loop = backward.loop();
        List<Node> assignments = slot == null
                ? List.of()
                : slot.assignments().stream()
                        .filter(each -> each.function() == backward.function())
                        .map(Slot.Assignment::node)
                        .filter(node -> loop == null || loop.node.covers(node))
                        .filter(Nodes::isAssignment)
                        .sorted(Comparator.comparingInt(Node::start))
                        .toList();
        return assignments.isEmpty() || assignments.getFirst().end() <= read.start()
                ? Optional.empty()
                : Optional.of(assignments.getLast());
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
            Node last = assignment.start() > backward.node().start() ? assignment : backward.node();
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
}
