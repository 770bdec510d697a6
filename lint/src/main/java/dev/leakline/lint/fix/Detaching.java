package dev.leakline.lint.fix;

import dev.leakline.lint.fix.Patch.Edit;
import dev.leakline.lint.flow.FileModel;
import dev.leakline.lint.flow.Flow;
import dev.leakline.lint.flow.FlowEvent;
import dev.leakline.lint.flow.FunctionModel;
import dev.leakline.lint.flow.HeapContainer;
import dev.leakline.lint.flow.Slot;
import dev.leakline.lint.flow.Value;
import dev.leakline.lint.flow.Value.Device;
import dev.leakline.lint.flow.Value.Kind;
import dev.leakline.lint.names.TorchNames;
import dev.leakline.lint.python.Syntax;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Lets go of the graph, or of the device, of what is stored: .item(), .detach(), .detach().cpu(), .cpu(). */
public final class Detaching {
    private static final String IS_TENSOR = "torch.is_tensor(";

    private final Flow flow;
    private final FileModel file;

    public Detaching(Flow flow) {
        this.flow = flow;
        this.file = flow.file();
    }

    /** Returns whether an edit moves what is kept to the host, and leaves the collection as long as it is. */
    public static boolean isMove(String edit) {
        return edit.contains(".cpu()");
    }

    /** Returns whether an edit leaves what is no tensor as it is. */
    public static boolean isOfTensors(String edit) {
        return edit.contains(IS_TENSOR);
    }

    /** Mends a store of something with a graph. */
    public Patch ofGraph(FlowEvent.Store store) {
        if (store.way() == FlowEvent.Way.SUM) {
            List<Edit> edits = new ArrayList<>();
            terms(store.stored(), store).forEach(term -> edits.addAll(suffixed(term, ".detach()")));
            return edits.isEmpty() ? Patch.NONE : new Patch(edits, isTensor(store.stored()));
        }
        boolean onDevice = isUsedOnDevice(store.containers());
        boolean number = !onDevice && isScalar(store.value());
        List<Edit> edits = new ArrayList<>();
        for (Syntax part : parts(store.stored())) {
            Value value = flow.valueOf(part);
            if (value.hasGraph() || part == store.stored()) {
                String suffix = onDevice ? ".detach()" : number || value.scalar() ? ".item()" : ".detach().cpu()";
                edits.addAll(suffixed(part, suffix));
            }
        }
        return edits.isEmpty() ? Patch.NONE : new Patch(edits, number && isTensor(store.stored()));
    }

    /** Returns whether every parameter that an expression names is a tensor, by what is known or by a test around it. */
    private boolean isTensor(Syntax stored) {
        boolean[] found = new boolean[1];
        stored.walk(node -> found[0] |= node.is("identifier")
                && file.functionAround(node).parameters.stream()
                        .anyMatch(parameter -> parameter.name().equals(node.text()))
                && flow.valueOf(node).may(Kind.OTHER));
        return !found[0];
    }

    /** Mends a store of something on the device. */
    public Patch ofDevice(FlowEvent.Store store) {
        List<Edit> edits = new ArrayList<>();
        for (Syntax part : parts(store.stored())) {
            Value value = flow.valueOf(part);
            boolean held = value.may(Kind.TENSOR | Kind.MODULE) && value.device() != Device.CPU;
            if (value.isOnly(Kind.STATE)) {
                edits.addAll(ofState(part));
            } else if (held) {
                String moved = isCoroutine(store.function()) ? ".detach().cpu()" : ".cpu()";
                edits.addAll(suffixed(part, value.may(Kind.TENSOR) && value.scalar() ? ".item()" : moved));
            }
        }
        return edits.isEmpty() ? Patch.NONE : new Patch(edits, false);
    }

    /** A decorator such as no_grad is over before a coroutine begins to run, so there may be a graph after all. */
    private static boolean isCoroutine(FunctionModel function) {
        return !function.decorators.isEmpty() && function.node.text().startsWith("async");
    }

    /** A copy of each part; of optimizers and such the parts are not tensors alone. */
    private List<Edit> ofState(Syntax part) {
        Syntax[] owner = new Syntax[1];
        part.walk(node -> {
            if (node.is("attribute") && node.text("attribute").equals("state_dict")) {
                owner[0] = node.child("object");
            }
        });
        return owner[0] == null || flow.valueOf(owner[0]).may(Kind.OPTIMIZER)
                ? List.of()
                : List.of(Rewriting.replace(
                        part, "{key: value.cpu() for key, value in %s.items()}".formatted(part.text())));
    }

    /** x.item() where x may be a number already becomes conditional. */
    private List<Edit> suffixed(Syntax part, String suffix) {
        if (part.is("attribute") && TorchNames.isGatheredOutput(part.text("attribute"))) {
            return List.of();
        }
        Value value = flow.valueOf(part);
        boolean unsure = value.may(Kind.TENSOR)
                && part.is("identifier")
                && (value.may(Kind.NUMBER | Kind.NONE) || (value.may(Kind.OTHER) && isGiven(part)));
        if (unsure) {
            Edit edit = Rewriting.replace(
                    part, "%s if %s%s) else %s".formatted(part.text() + suffix, IS_TENSOR, part.text(), part.text()));
            return Rewriting.all(List.of(edit), Rewriting.importing(file, "torch"));
        }
        return Rewriting.append(part, suffix);
    }

    /** Returns whether a name comes from outside, as a parameter or from going over one, so that it may be anything. */
    private boolean isGiven(Syntax name) {
        Slot slot = file.functionAround(name).variables.get(name.text());
        return slot != null
                && slot.assigned.keySet().stream()
                        .anyMatch(from -> from.is("for_statement") || from.is("function_definition"));
    }

    private static boolean isScalar(Value value) {
        return value.scalar() && value.items().isEmpty();
    }

    /** What a tuple, list or dict consists of. */
    private static List<Syntax> parts(Syntax stored) {
        if (stored.is("tuple") || stored.is("list") || stored.is("expression_list")) {
            return stored.children().stream()
                    .flatMap(child -> parts(child).stream())
                    .toList();
        }
        if (stored.is("dictionary")) {
            return stored.children().stream()
                    .map(pair -> pair.child("value"))
                    .filter(value -> value != null)
                    .flatMap(value -> parts(value).stream())
                    .toList();
        }
        return List.of(stored);
    }

    /** What of a sum is added with a graph: all of y in x += y, the b of x = x + b. */
    private List<Syntax> terms(Syntax stored, FlowEvent.Store store) {
        if (store.node().is("augmented_assignment")) {
            return List.of(stored);
        }
        String target = store.node().text("left");
        List<Syntax> terms = new ArrayList<>();
        addTerms(stored, target, terms);
        return terms;
    }

    private void addTerms(Syntax node, String target, List<Syntax> terms) {
        boolean compound =
                node.is("binary_operator") || node.is("parenthesized_expression") || node.is("conditional_expression");
        if (compound) {
            node.children().forEach(child -> addTerms(child, target, terms));
        } else if (!node.text().equals(target) && flow.valueOf(node).hasGraph()) {
            terms.add(node);
        }
    }

    /** Returns whether what is stored is calculated with again, beside other tensors of the device. */
    private boolean isUsedOnDevice(Set<HeapContainer> containers) {
        for (FlowEvent.Call call : flow.events(FlowEvent.Call.class)) {
            String name = call.qualified() == null ? "" : call.qualified();
            if (!name.startsWith("torch.") || !(call.node().child("arguments") instanceof Syntax arguments)) {
                continue;
            }
            for (Syntax argument : arguments.children()) {
                Value value = flow.valueOf(argument);
                for (HeapContainer container : containers) {
                    boolean direct = value.containers().contains(container);
                    boolean inside = (value.sources().contains(container.contents) && value.device() != Device.CPU)
                            || value.containers().stream()
                                    .anyMatch(other -> other.element().sources().contains(container.contents)
                                            && other.element().device() != Device.CPU);
                    if (direct || inside) {
                        return true;
                    }
                }
            }
        }
        return false;
    }
}
