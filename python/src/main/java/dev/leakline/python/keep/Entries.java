package dev.leakline.python.keep;

import dev.leakline.python.Expr;
import dev.leakline.python.Stmt;
import dev.leakline.python.edit.Edit;
import dev.leakline.python.flow.FlowFacts;
import dev.leakline.python.flow.FlowFacts.How;
import dev.leakline.python.flow.Heap;
import dev.leakline.python.flow.SourceFile;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The entries of a collection in forms that take less of the device: none, shapes, copies of parts, copies in CPU memory. */
final class Entries {
    static final String MOVED = ".detach().cpu()";
    static final String ON_HOST =
            "What reads the entries finds them in CPU memory, without gradients, and CPU memory grows instead.";
    /** Collections that one function fills and another reads together: predictions, targets, masks. */
    private static final int MOST_BESIDE = 3;

    private static final String SHAPED = ".detach().to(\"meta\")";

    private static final Set<Reads.Kind> COUNTED = Set.of(Reads.Kind.COUNT, Reads.Kind.COMPARED);

    private final GrowingCollection collection;
    private final SeenProgram seen;
    private final Kept kept;
    private final SourceFile file;
    private final @Nullable String place;
    private final boolean isGraph;
    private Taken.@Nullable Part taken;

    /**
     * The entries of a collection.
     *
     * @param place where in what is added a dump shows a tensor: empty for itself, null where no dump shows it
     * @param isGraph whether it is an autograd graph that grows
     */
    Entries(GrowingCollection collection, @Nullable String place, boolean isGraph) {
        this.collection = collection;
        this.seen = collection.seen();
        this.kept = collection.kept();
        this.file = collection.file();
        this.place = place;
        this.isGraph = isGraph;
    }

    /** The number of entries in their place, where nothing else is read. */
    Optional<Cure> counted() {
        List<Expr> values = kept.value() instanceof Expr.ListDisplay it && kept.how() == How.SUM
                ? it.elts()
                : List.of(kept.value());
        boolean isCounted = collection.has(Reads.Kind.COUNT)
                && collection.reads().stream().allMatch(read -> COUNTED.contains(read.kind()) || read.isClearing())
                && ((collection.kind() == Heap.Kind.LIST
                                && (kept.how() == How.CALL || values.getFirst() != kept.value()))
                        || (collection.kind() == Heap.Kind.DICT && kept.at() instanceof Stmt.Assign));
        return isCounted
                ? Optional.of(Cure.safe(
                        Cure.Kind.DROP,
                        values.stream().flatMap(value -> dropped(file, value)).toList(),
                        "Nothing reads the entries, only how many there are."))
                : Optional.empty();
    }

    /** The edits that put nothing in the place of a value, which is made where that has an effect. */
    private static Stream<Edit> dropped(SourceFile file, Expr value) {
        boolean isOfTorch =
                value instanceof Expr.Call call && file.fullName(call.func()).startsWith("torch.");
        Optional<Edit> made = !isOfTorch && Exits.isActive(file, value)
                ? Edit.before(file, file.statement(value), List.of(Edit.called(file, value, "")))
                : Optional.empty();
        return Stream.concat(made.stream(), Stream.of(Edit.replace(file, value, "None")));
    }

    /** The objects that are added without the tensors that nothing reads of them. */
    Optional<Cure> unread() {
        FlowFacts facts = kept.facts();
        Set<Heap> objects = facts.value(kept.value()).heap();
        boolean isLabelled =
                kept.add().added().reached() > 0 && facts.value(kept.value()).label() == 0;
        List<Stmt.Assign> given = seen.all(Stmt.Assign.class)
                .filter(it -> (isLabelled
                                ? facts.value(it.value()).label() > 0
                                        && facts.value(it.value()).mayHaveTensor()
                                : facts.value(it.value()).mayBeTensor())
                        && it.targets().getFirst() instanceof Expr.Attribute to
                        && facts.value(to.value()).heap().stream().anyMatch(objects::contains))
                .toList();
        List<String> names = given.stream()
                .map(it -> ((Expr.Attribute) it.targets().getFirst()).attr())
                .distinct()
                .toList();
        boolean isUnread = seen.isWhole()
                && !given.isEmpty()
                && seen.all(Expr.Attribute.class)
                        .filter(it -> names.contains(it.attr()))
                        .allMatch(seen::isTarget);
        return isUnread && facts.value(kept.value()).isOnly(Heap.Kind.INSTANCE)
                ? Optional.of(Cure.review(
                        Cure.Kind.DROP,
                        given.stream()
                                .flatMap(it -> dropped(seen.file(it), it.value()))
                                .toList(),
                        "Nothing of the source reads ." + String.join(" and .", names) + "."))
                : Optional.empty();
    }

    /** Entries without memory, where shapes are all that is read. */
    Optional<Cure> shaped() {
        boolean isByKey = collection.has(Reads.Kind.LOOKUP) || collection.has(Reads.Kind.ITEM) || collection.isCache();
        List<Edit> edits = !isByKey && taken() == Taken.Part.SHAPE ? edits(SHAPED) : List.of();
        return edits.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        Cure.safe(
                                Cure.Kind.SHAPES,
                                edits,
                                "All that reads the entries takes their shapes, which tensors on the meta device have without memory."));
    }

    /** A part of a tensor that keeps all of it. */
    Optional<Cure> copied() {
        return Moving.view(kept.value())
                .filter(view -> seen.facts().value(view).isTensor()
                        || seen.facts().value(view).isOpen())
                .filter(_ -> kept.isMade())
                .map(view -> Cure.safe(
                        Cure.Kind.COPY,
                        List.of(Edit.call(file, view, isGraph ? ".detach().clone()" : ".clone()")),
                        "The copy has the same values on the same device; what it was a part of is freed."));
    }

    /** Entries in CPU memory. */
    Optional<Cure> moved() {
        List<Edit> edits = isMovable(List.of(this)) ? edits(MOVED) : movedTogether();
        if (edits.isEmpty()) {
            return Optional.empty();
        }
        if (isLocal() && taken() != Taken.Part.ALL && !seen.isChanging()) {
            return Optional.of(
                    Cure.safe(
                            Cure.Kind.TO_HOST,
                            edits,
                            "All that reads the entries takes shapes and numbers, which are the same in CPU memory; that grows instead."));
        }
        return Optional.of(Cure.review(Cure.Kind.TO_HOST, edits, ON_HOST));
    }

    /** Returns whether what the program reads of some collections is computed with nothing that would stay on the device. */
    private boolean isMovable(List<Entries> together) {
        FlowFacts read = seen.labelled(together.stream()
                .flatMap(each -> each.collection.elements().stream())
                .toList());
        return !read.isMixed() && !read.isBackward();
    }

    /** The edits that move the entries, and those of collections of the same function that they are computed with; none where others are, too. */
    private List<Edit> movedTogether() {
        List<Entries> others = seen.facts().adds().stream()
                .filter(add -> add.at() != kept.at() && Lasting.isCollected(add))
                .filter(add -> add.file() == file && file.isBeside(add.at(), kept.at()))
                .map(add -> new Kept(add, true, kept.region(), kept.facts()))
                .filter(other -> !seen.heaps(other).isEmpty())
                .limit(MOST_BESIDE)
                .map(other -> new Entries(GrowingCollection.of(seen, other, false), null, isGraph))
                .toList();
        return Stream.concat(others.stream().map(List::of), Stream.of(others))
                .map(beside -> Stream.concat(Stream.of(this), beside.stream()).toList())
                .filter(together -> together.size() > 1 && isMovable(together))
                .map(together ->
                        together.stream().map(each -> each.edits(MOVED)).toList())
                .filter(edits -> edits.stream().noneMatch(List::isEmpty))
                .findFirst()
                .map(edits -> edits.stream().flatMap(List::stream).distinct().toList())
                .orElse(List.of());
    }

    /** The most that the program takes of an entry; all of it where not the whole program is at hand. */
    private Taken.Part taken() {
        if (taken == null) {
            boolean isSeen = seen.isWhole() && !seen.heaps(kept).isEmpty() && Taken.isInside(seen, seen.heaps(kept));
            taken = isSeen ? Taken.of(seen, collection.elements()) : Taken.Part.ALL;
        }
        return taken;
    }

    /** Returns whether the collection is made by the function that fills it, so that it has as many entries as that makes. */
    private boolean isLocal() {
        return seen.heaps(kept).stream().allMatch(heap -> heap.file() == file && file.isBeside(heap.node(), kept.at()));
    }

    /** The edits that put a call behind the tensors that are added. */
    private List<Edit> edits(String call) {
        boolean isExtended = kept.at() instanceof Expr.Call it && it.method().equals("extend");
        return Moving.of(
                kept.facts(),
                file,
                kept.value(),
                call,
                place == null ? null : Moving.part(file, kept.value(), place),
                isExtended || kept.at() instanceof Stmt.AugAssign);
    }
}
