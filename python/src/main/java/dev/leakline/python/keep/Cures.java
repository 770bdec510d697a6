package dev.leakline.python.keep;

import dev.leakline.python.Expr;
import dev.leakline.python.edit.Edit;
import dev.leakline.python.flow.FlowFacts.How;
import dev.leakline.python.flow.Heap;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The edits that end the growth of what a statement keeps, the best first: those that keep what the program does, by what it reads of the
 * collection, before those that somebody has to look at.
 */
public final class Cures {
    private final KeptSearch search;
    private final SeenProgram seen;
    private final GrowingCollection collection;
    private final Kept kept;
    private final @Nullable String place;
    private final boolean isGraph;

    private Cures(KeptSearch search, GrowingCollection collection, @Nullable String place, boolean isGraph) {
        this.search = search;
        this.seen = search.seen();
        this.collection = collection;
        this.kept = collection.kept();
        this.place = place;
        this.isGraph = isGraph;
    }

    /**
     * The cures of what is kept.
     *
     * @param place where in what is added a dump shows a tensor: empty for itself, null where no dump shows it
     * @param isCache whether a dump shows a dict that grows
     * @param isGraph whether it is an autograd graph that grows
     */
    public static List<Cure> of(
            KeptSearch search, Kept kept, @Nullable String place, boolean isCache, boolean isGraph) {
        return new Cures(search, GrowingCollection.of(search.seen(), kept, isCache), place, isGraph).all();
    }

    private List<Cure> all() {
        boolean isCollection = kept.how() == How.CALL
                || kept.how() == How.ITEM
                || (kept.how() == How.SUM && collection.kind().isSummed());
        if (kept.how() == How.CHAINED) {
            return new Removals(collection).unchained().stream().toList();
        }
        if (!isCollection) {
            return Kept.joining(kept.add())
                    .map(_ -> new NewestRead(collection)
                            .cure()
                            .or(() -> new Bounding(collection)
                                    .edits(Cure.CHOICE, false)
                                    .map(edits -> Cure.open(edits, "Only the newest part is kept."))))
                    .map(cure -> cure.stream().toList())
                    .orElseGet(() -> new Carrying(search, kept).cures());
        }
        if (collection.kind().isNamespace() || collection.kind() == Heap.Kind.HOLDER) {
            return kept.isRegistered() && kept.at() instanceof Expr.Call call
                    ? new Registering(search).ended(call, false).stream().toList()
                    : List.of();
        }
        if (collection.has(Reads.Kind.VAIN)) {
            return new Matching(seen, kept, collection.reads()).cure().stream().toList();
        }
        if (kept.isTask()) {
            return new Tasks(search).cures(kept, collection.reads());
        }
        List<Edit> calmed = Moving.of(seen.facts(), kept.file(), kept.value(), Moving.CALM, null, false);
        if (!calmed.isEmpty()) {
            return List.of(Cure.calm(calmed));
        }
        if (seen.facts().value(kept.value()).isOnly(Heap.Kind.METHOD)) {
            return new Registering(search).weak(kept);
        }
        Removals removals = new Removals(collection);
        Limits limits = new Limits(search, collection);
        Entries entries = new Entries(collection, place, isGraph);
        List<Cure> cures = Stream.of(
                        removals.cleared(),
                        entries.counted(),
                        new NewestRead(collection).cure(),
                        entries.shaped(),
                        limits.queued(),
                        removals.ended(),
                        limits.enforced(),
                        entries.copied(),
                        limits.anew(),
                        entries.unread(),
                        limits.cached(collection.isAsked()),
                        entries.moved(),
                        limits.cached(collection.isCache() && !collection.isAsked()))
                .flatMap(Optional::stream)
                .sorted(Comparator.comparing(cure -> !cure.isSafe()))
                .toList();
        boolean isLimited = cures.stream()
                .anyMatch(cure -> cure.kind() == Cure.Kind.BOUND || (cure.kind() == Cure.Kind.LIMIT && !cure.isOpen()));
        return cures.isEmpty() && !seen.labelled(collection.elements()).isBackward()
                ? limits.cached(true).stream().toList()
                : cures.stream().filter(cure -> !isLimited || !cure.isOpen()).toList();
    }
}
