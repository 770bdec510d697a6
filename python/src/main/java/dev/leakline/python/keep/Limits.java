package dev.leakline.python.keep;

import dev.leakline.python.Expr;
import dev.leakline.python.Stmt;
import dev.leakline.python.edit.Edit;
import dev.leakline.python.flow.Heap;
import dev.leakline.python.flow.SourceFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Limits of collections that a program names and does not enforce, and those that somebody has to choose. */
final class Limits {
    /** Attributes by whose name somebody meant a limit. */
    private static final Pattern LIMIT = Pattern.compile(
            "(?i)_?(max_?(len|size|entries|items)?|capacity|limit|window|span|keep|room|size|maxlen|maxsize|history_len|memory_size"
                    + "|(max|most|limit|capacity)_\\w{0,40}(cache|entr|item|kept|hist)\\w{0,40}|\\w{0,40}(cache|entries|items|history)_(max|most|limit|capacity))");

    private final KeptSearch search;
    private final GrowingCollection collection;
    private final SeenProgram seen;
    private final Kept kept;
    private final SourceFile file;

    Limits(KeptSearch search, GrowingCollection collection) {
        this.search = search;
        this.collection = collection;
        this.seen = collection.seen();
        this.kept = collection.kept();
        this.file = collection.file();
    }

    /** A limit that the class has and nothing enforces, else the only one that the file names. */
    Optional<Cure> enforced() {
        boolean isBoundable = collection.kind() == Heap.Kind.LIST
                || collection.kind() == Heap.Kind.DEQUE
                || collection.kind() == Heap.Kind.DICT;
        return isBoundable ? ofClass().or(this::ofFile) : Optional.empty();
    }

    private Optional<Cure> ofClass() {
        return kept.target() instanceof Expr.Attribute target && target.value() instanceof Expr.Name self
                ? file.type(kept.at())
                        .flatMap(type -> type.all(Expr.Attribute.class)
                                .filter(it -> LIMIT.matcher(it.attr()).matches()
                                        && it.value().isName(self.id())
                                        && file.parent(it) instanceof Stmt.Assign
                                        && uses(it.attr()) == 1)
                                .findFirst()
                                .flatMap(it -> limited(
                                        file.text(it),
                                        "The class has a limit, " + file.text(it) + ", which nothing enforces.")))
                : Optional.empty();
    }

    /** A number of the file that is named as a limit, for a cache that is asked by keys. */
    private Optional<Cure> ofFile() {
        List<String> named = file.all(Stmt.Assign.class)
                .filter(it -> file.parent(it) == null
                        && file.text(it.value()).matches("\\d{1,7}")
                        && search.isReached(Integer.parseInt(file.text(it.value()))))
                .map(it -> file.text(it.targets().getFirst()))
                .filter(name -> LIMIT.matcher(name).matches() && !name.matches("(?i).*(size|room)"))
                .toList();
        return named.size() == 1 && collection.kind() == Heap.Kind.DICT && collection.isAsked()
                ? limited(
                        named.getFirst(), "It is the only limit that the file names: see whether it is meant for this.")
                : Optional.empty();
    }

    private Optional<Cure> limited(String limit, String why) {
        return new Bounding(collection).edits(limit, false).map(edits -> Cure.review(Cure.Kind.LIMIT, edits, why));
    }

    private long uses(String attribute) {
        return seen.all(Expr.Attribute.class)
                .filter(it -> it.attr().equals(attribute))
                .count();
    }

    /** The limit of a cache, which somebody has to choose. */
    Optional<Cure> cached(boolean isWanted) {
        return collection.kind() == Heap.Kind.DICT && isWanted
                ? new Bounding(collection)
                        .edits(Cure.CHOICE, false)
                        .map(edits -> Cure.open(
                                edits,
                                (collection.isAsked() && collection.has(Reads.Kind.LOOKUP)
                                                ? "The oldest entries go, and are made again where they are asked for."
                                                : collection.reads().isEmpty()
                                                        ? "The oldest entries go; nothing of the source reads them."
                                                        : "The oldest entries go: see that nobody asks for them then.")
                                        + search.held()))
                : Optional.empty();
    }

    /** A cache whose keys are tensors, which are found by their identity, so that no entry of an earlier step is. */
    Optional<Cure> anew() {
        Expr key = kept.add().key();
        return collection.kind() == Heap.Kind.DICT
                        && key != null
                        && seen.facts().value(key).isTensor()
                        && collection.isAsked()
                ? Edit.before(file, kept.statement(), List.of(collection.box() + ".clear()"))
                        .map(
                                edit -> Cure.review(
                                        Cure.Kind.BOUND,
                                        List.of(edit),
                                        "A tensor is found as a key by its identity: an entry helps as long as the same tensor object is asked for."))
                : Optional.empty();
    }

    /** A queue that is filled faster than it is emptied. */
    Optional<Cure> queued() {
        if (collection.kind() != Heap.Kind.QUEUE) {
            return Optional.empty();
        }
        String box = collection.box();
        boolean isCounted = collection.reads().stream()
                .anyMatch(read -> read.file().text(read.at()).endsWith(".task_done"));
        List<String> lines = new ArrayList<>(
                List.of("while " + box + ".qsize() > " + Cure.CHOICE + ":", "    " + box + ".get_nowait()"));
        if (isCounted) {
            lines.add("    " + box + ".task_done()");
        }
        return collection
                .behind(lines)
                .map(edits -> Cure.open(edits, "The oldest are dropped where more than so many wait." + search.held()));
    }
}
