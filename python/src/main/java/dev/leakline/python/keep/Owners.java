package dev.leakline.python.keep;

import dev.leakline.python.Expr;
import dev.leakline.python.Stmt;
import dev.leakline.python.flow.FlowFacts.How;
import dev.leakline.python.flow.Heap;
import dev.leakline.python.flow.SourceFile;
import dev.leakline.python.keep.Keeper.Kind;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds the dicts from which a program takes the objects that it works with. */
final class Owners {
    private final KeptSearch search;
    private final SeenProgram seen;

    Owners(KeptSearch search) {
        this.search = search;
        this.seen = search.seen();
    }

    /** The dict from which the object was taken that the innermost call works with. */
    Optional<Keeper> keeping() {
        return search.calls().statements().stream()
                .limit(1)
                .flatMap(this::boxes)
                .flatMap(box -> seen.facts().adds().stream()
                        .filter(add -> add.how() == How.ITEM
                                && add.kind() == Heap.Kind.DICT
                                && add.to().heap().stream()
                                        .anyMatch(seen.facts().value(box).heap()::contains)))
                .flatMap(add -> search.kept(add, seen.facts()).stream())
                .filter(kept -> !search.isEmptied(kept))
                .findFirst()
                .map(kept -> Keeper.guess(
                        Kind.CACHE_GROWS, kept.file(), kept.statement(), Cures.of(search, kept, null, true, false)));
    }

    /** The collections from which the function of a statement took objects by keys that the statement names. */
    private Stream<Expr> boxes(Stmt statement) {
        SourceFile file = seen.file(statement);
        return file.all(Stmt.Assign.class)
                .filter(it -> it.end() <= statement.start() && file.isBeside(it, statement))
                .filter(it -> it.targets().getFirst() instanceof Expr.Name
                        && file.has(statement, file.text(it.targets().getFirst())))
                .flatMap(it -> box(it.value()).stream());
    }

    private static Optional<Expr> box(Expr value) {
        return switch (value) {
            case Expr.Subscript it -> Optional.of(it.value());
            case Expr.Await it -> box(it.value());
            case Expr.Call it
            when it.method().equals("get") || it.method().equals("setdefault") -> Optional.ofNullable(it.receiver());
            default -> Optional.empty();
        };
    }
}
