package dev.leakline.python.keep;

import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import dev.leakline.python.Stmt;
import dev.leakline.python.edit.Edit;
import dev.leakline.python.flow.FlowFacts.How;
import dev.leakline.python.flow.Heap;
import dev.leakline.python.flow.SourceFile;
import dev.leakline.python.keep.Reads.Read;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A collection that a statement adds to, with what the program reads of it.
 *
 * @param kind what it is; a generator where nothing shows that
 * @param isCache whether a dump shows a dict that grows
 */
record GrowingCollection(SeenProgram seen, Kept kept, List<Read> reads, Heap.Kind kind, boolean isCache) {
    /** A collection that what is kept is added to, where a dump shows a dict that grows if {@code isCache}. */
    static GrowingCollection of(SeenProgram seen, Kept kept, boolean isCache) {
        List<Read> reads = Reads.of(seen, kept);
        Heap.Kind known = Reads.kind(seen.facts(), kept);
        boolean isMapping = kept.how() == How.ITEM
                && reads.stream()
                        .anyMatch(read -> read.kind() == Reads.Kind.LOOKUP && read.at() instanceof Expr.Attribute);
        Heap.Kind kind = known != null ? known : isMapping ? Heap.Kind.DICT : Heap.Kind.GENERATOR;
        return new GrowingCollection(seen, kept, reads, kind, isCache);
    }

    /** The file in which something is added. */
    SourceFile file() {
        return kept.file();
    }

    /** The expressions that come to the collection, so that what is read of it has their label. */
    List<? extends Node> elements() {
        return seen.uses(kept)
                .filter(use -> !file().isIn(use, kept.statement()))
                .toList();
    }

    boolean has(Reads.Kind wanted) {
        return reads.stream().anyMatch(read -> read.kind() == wanted);
    }

    boolean hasOnly(Set<Reads.Kind> allowed) {
        return reads.stream().allMatch(read -> allowed.contains(read.kind()));
    }

    /** Returns whether a dict is asked whether it has a key, as a cache is. */
    boolean isAsked() {
        return has(Reads.Kind.LOOKUP) || kept.at() instanceof Expr.Call || isReadBefore();
    }

    /** Returns whether the function that puts an entry reads the entry of the same key before. */
    private boolean isReadBefore() {
        Expr key = kept.add().key();
        return key != null
                && reads.stream()
                        .anyMatch(read -> read.kind() == Reads.Kind.ITEM
                                && read.at() instanceof Expr.Subscript it
                                && read.file() == file()
                                && it.end() < kept.statement().start()
                                && file().isBeside(it, kept.at())
                                && file().text(it.slice()).equals(file().text(key)));
    }

    /** The collection that is added to, as an expression that may stand anywhere. */
    String box() {
        Expr target = kept.target();
        return target instanceof Expr.Call it
                        && it.receiver() instanceof Expr of
                        && it.method().equals("setdefault")
                ? file().text(of) + "[" + file().text(it.args().getFirst()) + "]"
                : file().text(target);
    }

    /** The edit that puts lines behind the statement; empty where that is none behind which any would be run. */
    Optional<List<Edit>> behind(List<String> lines) {
        Stmt statement = kept.statement();
        return statement instanceof Stmt.Return
                ? Optional.empty()
                : Edit.after(file(), statement, lines).map(List::of);
    }
}
