package dev.leakline.python.keep;

import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import dev.leakline.python.Stmt;
import dev.leakline.python.edit.Edit;
import dev.leakline.python.flow.FlowFacts.How;
import dev.leakline.python.flow.FlowValue;
import dev.leakline.python.flow.Heap;
import dev.leakline.python.flow.SourceFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The edits that end the growth of a graph which a variable carries from step to step: behind the backward pass, which needs it, and before
 * the next step, which does not.
 */
final class Carrying {
    private final KeptSearch search;
    private final SeenProgram seen;
    private final Kept kept;
    private final SourceFile file;
    private final String place;

    Carrying(KeptSearch search, Kept kept) {
        this.search = search;
        this.seen = search.seen();
        this.kept = kept;
        this.file = kept.file();
        this.place = file.text(kept.target());
    }

    /** The cures; of all variables that the same block carries on, since each keeps the graphs of the others. */
    List<Cure> cures() {
        Optional<Cure> own = cure();
        List<Edit> edits = new ArrayList<>(own.map(Cure::edits).orElse(List.of()));
        boolean isSafe = own.filter(Cure::isSafe).isPresent();
        for (Kept other : search.carriedBeside(kept)) {
            Optional<Cure> cure = new Carrying(search, other).cure();
            edits.addAll(cure.map(Cure::edits).orElse(List.of()));
            isSafe &= cure.map(Cure::isSafe).orElse(true);
        }
        Cure.Safety safety = isSafe ? Cure.Safety.SAFE : Cure.Safety.REVIEW;
        return own.map(cure -> new Cure(cure.kind(), edits, safety, cure.why())).stream()
                .toList();
    }

    private Optional<Cure> cure() {
        return isSummed() ? summed() : detached();
    }

    private boolean isSummed() {
        return kept.how() == How.SUM;
    }

    /** A sum without the graphs of its parts; not where a backward pass goes over the sum. */
    private Optional<Cure> summed() {
        FlowValue value = kept.facts().value(kept.value());
        boolean isKnown = value.isTensor()
                || (value.isOpen()
                        && value.heap().isEmpty()
                        && kept.add().added().reached() > 0);
        return !isKnown || isBackward()
                ? Optional.empty()
                : Optional.of(Cure.safe(
                        Cure.Kind.DETACH,
                        List.of(Edit.call(file, kept.value(), ".detach()")),
                        "The sum is the same, and no backward pass goes over it."));
    }

    /** Returns whether a backward pass goes over what the place has where it is read. */
    private boolean isBackward() {
        return seen.labelled(file.all(Expr.class)
                        .filter(node -> file.text(node).equals(place) && !file.isIn(node, kept.statement()))
                        .toList())
                .isBackward();
    }

    private Optional<Cure> detached() {
        return backward().flatMap(this::behind).or(this::atEntry).or(this::whole);
    }

    /** The backward pass of the same block, or of one around it. */
    private Optional<Stmt> backward() {
        Node loop = Region.loop(file, kept.at()).orElse(null);
        return loop == null
                ? Optional.empty()
                : Region.body(loop).stream()
                        .filter(statement -> statement.start() > kept.at().start())
                        .filter(statement -> statement instanceof Stmt.Expression it
                                && it.value() instanceof Expr.Call call
                                && call.method().equals("backward"))
                        .findFirst();
    }

    private Optional<Cure> behind(Stmt backward) {
        return text(place, value())
                .flatMap(text -> Edit.after(file, backward, List.of(place + " = " + text))
                        .map(edit -> with(text, edit)))
                .map(edits -> file.text(backward).contains("retain_graph")
                        ? Cure.review(
                                Cure.Kind.DETACH,
                                edits,
                                "Gradients do not reach the step before any more; until now, retain_graph=True had each backward pass go through all of them.")
                        : Cure.safe(
                                Cure.Kind.DETACH,
                                edits,
                                "The backward pass of the step is over, and the next step gets the same values."));
    }

    /** An edit with the import that its text needs. */
    private List<Edit> with(String text, Edit edit) {
        Stream<Edit> imports = text.contains("torch.utils._pytree.") ? Edit.importing(file, "torch") : Stream.empty();
        return Stream.concat(imports, Stream.of(edit)).toList();
    }

    /** The value without its graph, where no backward pass goes over it. */
    private Optional<Cure> whole() {
        List<Edit> edits =
                isBackward() ? List.of() : Moving.of(kept.facts(), file, kept.value(), ".detach()", null, false);
        return edits.isEmpty()
                ? Optional.empty()
                : Optional.of(Cure.safe(
                        Cure.Kind.DETACH, edits, "The value is the same, and no backward pass goes over it."));
    }

    private FlowValue value() {
        return seen.facts().value(kept.target());
    }

    /** A value without its graph, by what it is; empty where that is not known. */
    private static Optional<String> text(String place, FlowValue value) {
        String whole = value.isOpen() && value.heap().isEmpty()
                ? Moving.anyOf(place, ".detach()")
                : value.withoutNone().isTensor()
                        ? place + ".detach()"
                        : value.heap().stream().allMatch(heap -> heap.kind() == Heap.Kind.TUPLE)
                                        && !value.heap().isEmpty()
                                ? "tuple(part.detach() for part in " + place + ")"
                                : "";
        return whole.isEmpty()
                ? Optional.empty()
                : Optional.of(value.mayBeNone() ? "None if " + place + " is None else " + whole : whole);
    }

    /** Where the step reads what the last one left, if a backward pass ends each step that calls the function. */
    private Optional<Cure> atEntry() {
        boolean isTrained = seen.all(Node.class)
                .filter(Region::isLoop)
                .map(loop -> seen.file(loop).text(loop))
                .anyMatch(text -> text.contains(".backward("));
        if (!isTrained || !(kept.target() instanceof Expr.Attribute)) {
            return Optional.empty();
        }
        List<Expr> read = kept.value()
                .all(Expr.class)
                .filter(node -> file.text(node).equals(place))
                .toList();
        return read.isEmpty()
                ? Optional.empty()
                : text(place, withoutNone())
                        .map(
                                text -> Cure.review(
                                        Cure.Kind.DETACH,
                                        read.stream()
                                                .map(node -> Edit.replace(file, node, text))
                                                .toList(),
                                        "Gradients do not reach the step before, which is right where each step has its own backward pass."));
    }

    /** The value where it is read: not None, where a condition before the statement has seen to that. */
    private FlowValue withoutNone() {
        FlowValue value = value();
        boolean isGuarded = file.definition(kept.at()).stream()
                .flatMap(function -> function.body().stream())
                .anyMatch(statement -> statement instanceof Stmt.If condition
                        && statement.start() < kept.at().start()
                        && file.text(condition.test()).equals(place + " is None"));
        return isGuarded ? value.withoutNone() : value;
    }
}
