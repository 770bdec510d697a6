package dev.leakline.python.keep;

import dev.leakline.python.Expr;
import dev.leakline.python.Stmt;
import dev.leakline.python.edit.Edit;
import dev.leakline.python.flow.FlowFacts;
import dev.leakline.python.flow.FlowFacts.How;
import dev.leakline.python.flow.Heap;
import dev.leakline.python.flow.SourceFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The entries of a collection in forms that take less of the device: none, shapes, copies of parts, copies in CPU memory. */
final class Entries {
    static final String MOVED = ".detach().cpu()";
    static final String ON_HOST =
            "What reads the entries finds them in CPU memory, without gradients, and CPU memory grows instead.";
    private static final String SHAPED = ".detach().to(\"meta\")";

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
        Expr value = kept.add().value();
        boolean isCounted = collection.has(Reads.Kind.COUNT)
                && collection.hasOnly(Set.of(Reads.Kind.COUNT, Reads.Kind.COMPARED))
                && ((collection.kind() == Heap.Kind.LIST && kept.add().how() == How.CALL)
                        || (collection.kind() == Heap.Kind.DICT && kept.add().at() instanceof Stmt.Assign));
        List<Edit> edits = new ArrayList<>();
        boolean isOfTorch =
                value instanceof Expr.Call call && file.fullName(call.func()).startsWith("torch.");
        if (isCounted && !isOfTorch && Registering.isActive(file, value)) {
            Edit.before(file, kept.statement(), List.of(file.text(value))).ifPresent(edits::add);
        }
        edits.add(Edit.replace(file, value, "None"));
        return isCounted
                ? Optional.of(Cure.safe(Cure.Kind.DROP, edits, "Nothing reads the entries, only how many there are."))
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
        return Moving.view(kept.add().value())
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
        FlowFacts read = seen.labelled(collection.elements());
        if (read.isMixed() || read.isBackward()) {
            return Optional.empty();
        }
        List<Edit> edits = edits(MOVED);
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
        return seen.heaps(kept).stream()
                .allMatch(heap -> heap.file() == file
                        && file.function(heap.node())
                                .equals(file.function(kept.add().at())));
    }

    /** The edits that put a call behind the tensors that are added. */
    private List<Edit> edits(String call) {
        boolean isExtended = kept.add().at() instanceof Expr.Call it
                && it.func() instanceof Expr.Attribute method
                && method.attr().equals("extend");
        return Moving.of(
                kept.facts(),
                file,
                kept.add().value(),
                call,
                place == null ? null : Moving.part(file, kept.add().value(), place),
                isExtended || kept.add().at() instanceof Stmt.AugAssign);
    }
}
